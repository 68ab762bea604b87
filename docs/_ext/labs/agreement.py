"""Directives that show how the simulated GPU compares with a real one.

    ```{agreement}   a row a counter: in how many kernels it is equal, and why it differs elsewhere
                     (agreement.json, made by tests/sim/golden/counted.py)
    ```{recorded} /tests/sim/golden/instructions.txt
                     how many lines the recording has, as a number in a sentence (role);
                     with a number of bytes behind the name, how many records of that size
"""

import json
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxRole

from .base import Woven, remember
from .runs import UnknownNumber

COMPARED = "agreement.json"


def setup(app):
    app.add_directive("agreement", Agreement)
    app.add_role("recorded", Recorded())


class Agreement(Woven):
    def weave(self):
        path = Path(self.env.config.labs_counted) / COMPARED
        self.env.note_dependency(str(path))
        remember(self.env, path.name)
        rows = table_rows(json.loads(path.read_text()))
        head = "".join(f'<th scope="col">{title}</th>' for title in ("counter", "kernels", "equal", "different, and why"))
        return [self.html('<div class="table-wrapper"><table class="docutils manual"><thead><tr>'
                          f"{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>")]


def table_rows(kernels):
    """A row of HTML for each counter; a difference that nobody explains is an error."""
    rows = []
    for counter in kernels[0]["counters"]:
        seen = [{"kernel": k["kernel"], **k["counters"][counter]} for k in kernels]
        seen = [c for c in seen if c["real"] or c["ours"]]
        differ = [c for c in seen if c["real"] != c["ours"]]
        unexplained = [c["kernel"] for c in differ if not c["why"]]
        if unexplained:
            raise UnknownNumber(f"{counter} differs in {', '.join(unexplained)}, and nobody says why")
        why = "; ".join(dict.fromkeys(c["why"] for c in differ))
        rows.append("<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>".format(
            escape(counter).replace("_", "_<wbr>"), len(seen), len(seen) - len(differ),
            escape(f"{len(differ)}: {why}") if differ else ""))
    return rows


class Recorded(SphinxRole):
    """How many lines of a recording are no comments, or how many records of some bytes it has."""

    def run(self):
        name, _, size = self.text.partition(" ")
        _, path = self.env.relfn2path(name)
        self.env.note_dependency(path)
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            return [], [self.inliner.reporter.warning(f"recorded: {error}", line=self.lineno)]
        lines = content.splitlines()
        count = (len(content) // int(size) if size else
                 sum(1 for line in lines if line.strip() and not line.startswith(b"#")))
        return [nodes.inline(self.rawtext, f"{count:,}".replace(",", "\u202f"), classes=["measured"])], []
