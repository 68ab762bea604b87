"""A picture of what a run did when, by the simulated GPU's modelled clock: a row for each stream.

    ```{timeline} solution
    :same-scale: naive      as wide as that run's, if that is longer: to compare the two
    The caption.
    ```
"""

from html import escape

from docutils.parsers.rst import directives

from .pictures import Picture, svg
from .runs import UnknownNumber, shown

# What is drawn, how, and what it is called where there is room for words.
KINDS = {"copy to device": ("soft", "in"), "kernel": ("on", ""), "copy to host": ("out", "out"),
         "copy on device": ("box", "copy"), "fill": ("box", "fill"), "host function": ("box", "host")}
LEFT, WIDTH, ROW, TOP = 112, 640, 28, 8


def setup(app):
    app.add_directive("timeline", Timeline)


class Timeline(Picture):
    option_spec = {**Picture.option_spec, "same-scale": directives.unchanged_required}

    def draw(self):
        entries, begin, length = self.drawn(self.arguments[0])
        if "same-scale" in self.options:
            length = max(length, self.drawn(self.options["same-scale"])[2])
        streams = sorted({entry["stream"] for entry in entries})
        rows = {stream: TOP + row * ROW for row, stream in enumerate(streams)}
        parts = []
        for stream, y in rows.items():
            name = "default stream" if stream == 0 else f"stream {stream}"
            parts.append(f'<text class="label" x="{LEFT - 10}" y="{y + 15}" text-anchor="end">{name}</text>')
        for entry in entries:
            parts += bar(entry, rows[entry["stream"]], begin, WIDTH / length)
        bottom = TOP + len(rows) * ROW
        parts += axis(bottom, length)
        return svg(LEFT + WIDTH + 24, bottom + 30, parts)

    def drawn(self, story):
        """(entries to draw, when the first begins, how long all of them take), in nanoseconds."""
        entries = [entry for entry in self.the_run(story).data["timeline"]
                   if entry["kind"] in KINDS and entry["end_ns"] > entry["begin_ns"]]
        if not entries:
            raise UnknownNumber(f"{story}: nothing on the timeline takes any time")
        begin = min(entry["begin_ns"] for entry in entries)
        return entries, begin, max(entry["end_ns"] for entry in entries) - begin


def bar(entry, y, begin, scale):
    style, word = KINDS[entry["kind"]]
    x, width = LEFT + (entry["begin_ns"] - begin) * scale, (entry["end_ns"] - entry["begin_ns"]) * scale
    word = word or entry["name"].partition("(")[0].rpartition("::")[2]
    yield (f'<rect class="{style}" x="{x:.1f}" y="{y}" width="{max(width - 1, 1):.1f}" height="21" rx="2">'
           f'<title>{escape(entry["kind"])}: {escape(entry["name"])}</title></rect>')
    if width > 7 * len(word) + 6:
        tone = "small inverse" if style == "on" else "small"
        yield f'<text class="{tone}" x="{x + width / 2:.1f}" y="{y + 15}" text-anchor="middle">{escape(word)}</text>'


def axis(y, length):
    step = next(step for power in range(3, 12) for step in (10**power, 2 * 10**power, 5 * 10**power)
                if length / step <= 8)
    yield f'<line class="line" x1="{LEFT}" y1="{y + 2}" x2="{LEFT + WIDTH}" y2="{y + 2}"/>'
    for tick in range(0, length + 1, step):
        x = LEFT + tick * WIDTH / length
        yield f'<line class="line" x1="{x:.1f}" y1="{y + 2}" x2="{x:.1f}" y2="{y + 6}"/>'
        yield f'<text class="label" x="{x:.1f}" y="{y + 20}" text-anchor="middle">{shown(tick / 1000)} µs</text>'
