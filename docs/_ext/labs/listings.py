"""Directives that show source code, always from the file itself.

    ```{snippet} solution.cu kernel            one region, with the file's line numbers
    ```{change} starter.cu solution.cu kernel  what turns one region into the other
    ```{annotated} solution.cu kernel          a region with counts in the margin, from a run
    :run: solution/saxpy
    :counters: instructions, load sectors
    ```
"""

from html import escape

from docutils.parsers.rst import directives
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.lexers.c_cpp import CppLexer
from pygments.lexers.c_like import CudaLexer

from .base import Woven
from .regions import difference, region
from .runs import UnknownNumber, shown


def setup(app):
    app.add_directive("snippet", Snippet)
    app.add_directive("change", ChangeDirective)
    app.add_directive("annotated", Annotated)


def coloured(lines, path):
    """The lines as HTML. Highlighted as one text, so that comments over several lines stay whole."""
    if path.endswith((".cu", ".cuh")):
        lexer = CudaLexer(stripnl=False)
    elif path.endswith((".h", ".cc")):
        lexer = CppLexer(stripnl=False)
    else:
        lexer = get_lexer_for_filename(path, stripnl=False)
    html = highlight("\n".join(line.text for line in lines), lexer, HtmlFormatter(nowrap=True))
    return html.rstrip("\n").split("\n")


def listing(caption, rows, head=None, kind=""):
    """rows: (cells before the code, class of the row, code as HTML)."""
    parts = [f'<figure class="listing {kind}"><figcaption>{caption}</figcaption>',
             '<div class="highlight" tabindex="0" role="region" aria-label="source code"><table>']
    if head:
        cells = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
        parts.append(f"<thead><tr>{cells}<th></th></tr></thead>")
    parts.append("<tbody>")
    for cells, style, code in rows:
        before = "".join(f'<td class="{name}">{escape(text)}</td>' for name, text in cells)
        parts.append(f'<tr class="{style}">{before}<td class="code"><code>{code or " "}</code></td></tr>')
    parts.append("</tbody></table></div></figure>")
    return "".join(parts)


def _path(path):
    return f'<code class="path">{escape(path)}</code>'


def _span(lines):
    first, last = lines[0].number, lines[-1].number
    return f'<span class="lines">{f"line {first}" if first == last else f"lines {first}–{last}"}</span>'


class Snippet(Woven):
    required_arguments = 1
    optional_arguments = 1
    final_argument_whitespace = True

    def weave(self):
        text, path = self.source(self.arguments[0])
        lines = region(text, self.arguments[1] if len(self.arguments) > 1 else None, path)
        rows = [([("number", str(line.number))], "", code) for line, code in zip(lines, coloured(lines, path))]
        return [self.html(listing(f"{_path(path)} {_span(lines)}", rows))]


class ChangeDirective(Woven):
    required_arguments = 2
    optional_arguments = 1
    final_argument_whitespace = True

    def weave(self):
        name = self.arguments[2] if len(self.arguments) > 2 else None
        sides = []
        for file in self.arguments[:2]:
            text, path = self.source(file)
            lines = region(text, name, path)
            sides.append((lines, path, dict(zip(lines, coloured(lines, path)))))
        (before, old, old_html), (after, new, new_html) = sides
        changes = difference(before, after)
        if all(change.sign == " " for change in changes):
            raise UnknownNumber(f"{old} and {new} do not differ in [{name}]")
        rows = []
        for change in changes:
            html = (old_html if change.sign == "-" else new_html)[change.line]
            style = {"+": "added", "-": "removed", " ": ""}[change.sign]
            rows.append(([("number", "" if change.sign == "-" else str(change.line.number)),
                          ("sign", change.sign.replace("-", "−"))], style, html))
        return [self.html(listing(f"{_path(old)} → {_path(new)}", rows, kind="change"))]


class Annotated(Woven):
    required_arguments = 1
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = {"run": directives.unchanged_required, "counters": directives.unchanged_required,
                   "title": directives.unchanged}

    def weave(self):
        text, path = self.source(self.arguments[0])
        lines = region(text, self.arguments[1] if len(self.arguments) > 1 else None, path)
        while lines and lines[0].text.startswith("//"):  # the counts belong to the code below
            lines.pop(0)
        story, _, kernel = self.options["run"].partition("/")
        run = self.the_run(story)
        counters = [name.strip() for name in self.options["counters"].split(",")]
        columns = [run.per_line(kernel, name) for name in counters]
        inside = {line.number for line in lines}
        if not any((path, number) in column for column in columns for number in inside):
            raise UnknownNumber(f"{story}/{kernel} counted nothing on these lines of {path}")
        rows = []
        for line, code in zip(lines, coloured(lines, path)):
            values = [column.get((path, line.number)) for column in columns]
            cells = [("count", shown(value) if value else "") for value in values]
            rows.append(([*cells, ("number", str(line.number))], "counted" if any(values) else "", code))
        title = self.options.get("title")
        caption = (f'<span class="title">{escape(title)}</span> ' if title else "") + f"{_path(path)} {_span(lines)}"
        return [self.html(listing(caption, rows, head=[*counters, ""], kind="annotated"))]
