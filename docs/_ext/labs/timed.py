"""Times from real GPUs, with where they come from.

    ```{timed-table} transpose
    :rows: copy = cudaMemcpy, naive = no tile, solution = a padded tile
    :against: copy
    ```
reads docs/measurements/transpose.json. Nobody types a time: the file is what a program measured on a real
GPU, and its provenance is printed below the table. A row has "milliseconds" (with "lowest" and "highest"), and
what was done in that time ("bytes", "operations", …); "rate" says which of it, and in which unit per second.
"""

import json
from html import escape

from docutils.parsers.rst import directives

from .base import Woven
from .runs import UnknownNumber, shown


def setup(app):
    app.add_directive("timed-table", TimedTable)


class TimedTable(Woven):
    required_arguments = 1
    option_spec = {"rows": directives.unchanged_required, "against": directives.unchanged_required}

    def weave(self):
        text, path = self.source(f"/docs/measurements/{self.arguments[0]}.json")
        measured = json.loads(text)
        against = self.options["against"]
        reference = _row(measured, against, path)
        done, unit, scale = (measured["rate"][key] for key in ("of", "unit", "scale"))
        body, spread, of = "", 0, against
        for entry in self.options["rows"].split(","):
            key, _, title = (part.strip() for part in entry.partition("="))
            row = _row(measured, key, path)
            if key == against:
                of = title or key
            seconds = row["milliseconds"] / 1000
            share = row[done] / seconds / (reference[done] / reference["milliseconds"] * 1000)
            spread = max(spread, (row["highest"] - row["lowest"]) / row["milliseconds"])
            cells = (f"{row['milliseconds']:.3g} ms", _significant(row[done] / seconds / scale), f"{100 * share:.0f} %")
            body += f'<tr><th scope="row">{escape(title or key)}</th>' + "".join(f"<td>{c}</td>" for c in cells) + "</tr>"
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in ("time", unit, f"of {of}"))
        return [self.html('<div class="table-wrapper"><table class="docutils measured-table timed-table"><thead><tr><th></th>'
                          f"{head}</tr></thead><tbody>{body}</tbody></table></div>"
                          f'<p class="provenance">{escape(_provenance(measured, spread))}</p>')]


def _row(measured, key, path):
    if key not in measured["rows"]:
        raise UnknownNumber(f"{path}: nothing was measured under the name {key}; there are: {', '.join(measured['rows'])}")
    return measured["rows"][key]


def _significant(value):
    """Three digits: more would claim too much."""
    return shown(float(f"{value:.3g}"))


def _provenance(measured, spread):
    return (f"Measured: {measured['of']}. {measured['device']}, driver {measured['driver']}, CUDA {measured['toolkit']}, "
            f"{measured['date']}; {measured['statistic']} of {measured['repetitions']}, from the slowest to the fastest "
            f"at most {max(1, round(100 * spread))} %.")
