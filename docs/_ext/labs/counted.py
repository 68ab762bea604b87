"""Role and directives that show what a run counted, said or found.

    {measured}`naive/saxpy/sectors per load`   one number, in a sentence

    ```{measured-table}                        launches beside each other, a row a counter
    :columns: naive/saxpy = naive, solution/saxpy = solution
    :rows: load requests, load sectors         (with the flag `turned`: a row a launch)
    ```
    ```{finding} unchecked out-of-bounds       a finding, in the simulated GPU's own words
    ```{output} forty-eight                    what the program printed
"""

from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from .base import Woven, run_of_page
from .runs import UnknownNumber, shown

logger = logging.getLogger(__name__)


def setup(app):
    app.add_role("measured", Measured())
    app.add_directive("measured-table", MeasuredTable)
    app.add_directive("finding", FindingDirective)
    app.add_directive("output", Output)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.connect("env-check-consistency", every_run_is_shown)


def number_at(env, key):
    story, kernel, counter = ([part.strip() for part in key.split("/", 2)] + ["", ""])[:3]
    if not counter:
        raise UnknownNumber(f"{key}: a number is named story/kernel/counter")
    return run_of_page(env, story).number(kernel, counter)


class Measured(SphinxRole):
    def run(self):
        try:
            text = shown(number_at(self.env, self.text))
        except UnknownNumber as error:
            return [], [self.inliner.reporter.warning(f"measured: {error}", line=self.lineno)]
        return [nodes.inline(self.rawtext, text, classes=["measured"])], []


class MeasuredTable(Woven):
    option_spec = {"columns": directives.unchanged_required, "rows": directives.unchanged_required,
                   "turned": directives.flag}

    def weave(self):
        columns = []
        for column in self.options["columns"].split(","):
            key, _, title = column.partition("=")
            columns.append((key.strip(), title.strip() or key.strip()))
        rows = [row.strip() for row in self.options["rows"].split(",")]
        cells = [[shown(number_at(self.env, f"{key}/{row}")) for key, _ in columns] for row in rows]
        across, down = [title for _, title in columns], rows
        if "turned" in self.options:  # many launches: each a row
            across, down, cells = down, across, zip(*cells)
        head = "".join(f'<th scope="col">{escape(title)}</th>' for title in across)
        body = ""
        for title, line in zip(down, cells):
            body += (f'<tr><th scope="row">{escape(title)}</th>' + "".join(f"<td>{escape(cell)}</td>" for cell in line)
                     + "</tr>")
        return [self.html('<div class="table-wrapper"><table class="docutils measured-table"><thead><tr><th></th>'
                          f"{head}</tr></thead><tbody>{body}</tbody></table></div>")]


class FindingDirective(Woven):
    required_arguments = 2
    option_spec = {"index": directives.nonnegative_int}

    def weave(self):
        found = self.the_run(self.arguments[0]).finding(self.arguments[1], self.options.get("index", 0))
        where = f"{found['file']}:{found['line']}" if found.get("file") else ""
        facts = [("kernel", found.get("kernel")), ("block", _coordinates(found.get("block"))),
                 ("thread", _coordinates(found.get("thread")))]
        facts = " · ".join(f"{name} {escape(str(value))}" for name, value in facts if value not in (None, "", []))
        return [self.html(
            f'<figure class="finding {escape(found["severity"])}">'
            f'<figcaption><span class="kind">{escape(found["kind"])}</span> <code class="path">{escape(where)}</code> '
            f'<span class="lines">{facts}</span></figcaption>'
            f'<p>{escape(found["message"])}</p>'
            + (f'<p class="advice">{escape(found["advice"])}</p>' if found.get("advice") else "") + "</figure>")]


class Output(Woven):
    required_arguments = 1

    def weave(self):
        run = self.the_run(self.arguments[0])
        text = run.data.get("stdout", "").rstrip("\n")
        if not text:
            raise UnknownNumber(f"{self.arguments[0]} printed nothing")
        return [nodes.literal_block(text, text, language="text", classes=["output"])]


def _coordinates(value):
    """(4, 0, 0) as 4, (4, 1, 0) as (4, 1): the dimensions that are in use."""
    if value is None:
        return None
    axes = [value[a] for a in "xyz"] if isinstance(value, dict) else list(value)
    while len(axes) > 1 and axes[-1] == 0:
        axes.pop()
    return str(axes[0]) if len(axes) == 1 else f"({', '.join(map(str, axes))})"


def forget(app, env, docname):
    getattr(env, "labs_runs_shown", {}).pop(docname, None)


def merge(app, env, docnames, other):
    mine = env.__dict__.setdefault("labs_runs_shown", {})
    theirs = getattr(other, "labs_runs_shown", {})
    mine.update({name: theirs[name] for name in docnames if name in theirs})


def every_run_is_shown(app, env):
    """A story that no page shows is dead weight, or a page that forgot it."""
    shown_runs = set().union(*getattr(env, "labs_runs_shown", {}).values())
    for path in sorted(Path(app.config.labs_counted or "/nonexistent").glob("*.json")):
        if path.name not in shown_runs:
            logger.warning(f"the run {path.stem.replace('.', '/', 1)} is shown on no page")
