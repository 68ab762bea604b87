"""Figures as SVG inside the page, so that they take the page's colours, light or dark.

    ```{drawing} five-steps.svg      drawn by hand, under docs/figures
    What the picture shows, in words (the caption).
    ```
    ```{lanes} forty-eight/work      drawn from a run: the warps of one block, and their idle lanes
    ```{sectors} naive/saxpy         drawn from a run: what one load of a warp moves, and what it uses
"""

import re
from html import escape

from docutils import nodes
from docutils.parsers.rst import directives

from .base import Woven
from .runs import UnknownNumber, shown

LANES = 32
SECTOR_BYTES = 32


def setup(app):
    app.add_directive("drawing", Drawing)
    app.add_directive("lanes", Lanes)
    app.add_directive("sectors", Sectors)


class Picture(Woven):
    """A figure: the SVG that `draw` returns, and the directive's text as its caption."""

    required_arguments = 1
    has_content = True
    option_spec = {"alt": directives.unchanged_required}

    def weave(self):
        alt = self.options.get("alt") or " ".join(self.content)
        if not alt:
            raise UnknownNumber("a picture needs a caption, or :alt:, for readers who cannot see it")
        svg = self.draw().replace("<svg ", f'<svg role="img" aria-label="{escape(alt, quote=True)}" ', 1)
        figure = nodes.container("", self.html(f'<div class="picture">{svg}</div>'), classes=["woven-figure"])
        if self.content:
            caption = nodes.container(classes=["woven-caption"])
            self.state.nested_parse(self.content, self.content_offset, caption)
            figure += caption
        return [figure]


class Drawing(Picture):
    def draw(self):
        text, _ = self.source("/docs/figures/" + self.arguments[0])
        return re.sub(r"<\?xml.*?\?>|<!--.*?-->", "", text, flags=re.S).strip()


class Lanes(Picture):
    """The block's own threads, as the launch was: a warp is a row of 32 lanes, idle ones are hollow."""

    def draw(self):
        story, _, kernel = self.arguments[0].partition("/")
        block = self.the_run(story).kernel(kernel)["block"]
        threads = 1
        for size in block:
            threads *= size
        warps = -(-threads // LANES)
        step, left, top = 18, 76, 8
        parts = []
        for warp in range(warps):
            y = top + warp * (step + 10)
            parts.append(f'<text class="label" x="{left - 10}" y="{y + 12}" text-anchor="end">warp {warp}</text>')
            for lane in range(LANES):
                style = "on" if warp * LANES + lane < threads else "off"
                parts.append(f'<rect class="{style}" x="{left + lane * step}" y="{y}" width="14" height="14" rx="2"/>')
        return svg(left + LANES * step, top + warps * (step + 10), parts)


class Sectors(Picture):
    """One request of one warp, by the run's mean: a box per 32-byte sector, filled as far as it is used."""

    option_spec = {**Picture.option_spec, "bytes": directives.positive_int}

    def draw(self):
        story, _, kernel = self.arguments[0].partition("/")
        per_request = self.the_run(story).number(kernel, "sectors per load")
        boxes = round(per_request)
        used = min(1.0, LANES * self.options.get("bytes", 4) / (per_request * SECTOR_BYTES))
        width, gap, height, left, row = 56, 6, 16, 4, 8
        parts = []
        for box in range(boxes):
            x, y = left + box % row * (width + gap), 26 + box // row * (height + gap)
            parts.append(f'<rect class="off" x="{x}" y="{y}" width="{width}" height="{height}" rx="2"/>')
            parts.append(f'<rect class="on" x="{x}" y="{y}" width="{width * used:.1f}" height="{height}" rx="2"/>')
        title = (f"{shown(per_request)} sectors, {shown(per_request * SECTOR_BYTES)} bytes moved, "
                 f"{LANES * self.options.get('bytes', 4)} used")
        parts.append(f'<text class="label" x="{left}" y="14">{title}</text>')
        return svg(left + row * (width + gap), 26 + -(-boxes // row) * (height + gap) + 4, parts)


def svg(width, height, parts):
    return (f'<svg viewBox="0 0 {width} {height}" style="max-width:{width}px" '
            f'xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>')
