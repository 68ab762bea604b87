"""The roofline of a device, and kernels under it.

    ```{roofline} h200
    :points: naive/step = an array of structures, solution/step = a structure of arrays
    What the picture shows, in words.
    ```
A kernel's arithmetic intensity is counted: operations in floating point by bytes moved. The roofs are
computed from the simulated GPU's table of devices: what its memory and its cores can do at most.
"""

import math
import re
from html import escape

from docutils.parsers.rst import directives

from .pictures import Picture, svg
from .runs import UnknownNumber, shown

DEVICES = "/common/sim/runtime/devices.cc"
DEVICE = re.compile(r'\{"(?P<key>\w+)",\s*"(?P<name>[^"]+)",\s*(?P<major>\d+),\s*(?P<minor>\d+),\s*(?P<sms>\d+),'
                    r"[^,]+,[^,]+,\s*(?P<clock>\d+),\s*(?P<memory_clock>\d+),\s*(?P<bus>\d+),")
# Additions or multiplications in single precision that a multiprocessor begins per clock, by compute
# capability (CUDA C++ Programming Guide, "Arithmetic Instructions"). A fused multiply-add is two operations.
LANES = {"7.5": 64, "8.0": 64, "8.6": 128, "8.9": 128, "9.0": 128}

LEFT, RIGHT, TOP, BOTTOM = 64, 640, 22, 300  # the plot's edges


def setup(app):
    app.add_directive("roofline", Roofline)


def roofs(text, key):
    """(name, bytes per second, operations per second) of a device, from the text of its table."""
    for row in DEVICE.finditer(text):
        if row["key"] == key:
            capability = f'{row["major"]}.{row["minor"]}'
            bandwidth = 2 * 1000 * int(row["memory_clock"]) * int(row["bus"]) / 8  # two transfers a clock
            return row["name"], bandwidth, 2 * 1000 * int(row["clock"]) * int(row["sms"]) * LANES[capability]
    raise UnknownNumber(f"no device {key}; there are: {', '.join(row['key'] for row in DEVICE.finditer(text))}")


class Roofline(Picture):
    option_spec = {**Picture.option_spec, "points": directives.unchanged_required}

    def draw(self):
        text, _ = self.source(DEVICES)
        name, bandwidth, peak = roofs(text, self.arguments[0])
        points = []
        for point in self.options["points"].split(","):
            key, _, title = point.partition("=")
            story, _, kernel = key.strip().partition("/")
            intensity = self.the_run(story).number(kernel, "intensity")
            if not intensity > 0:
                raise UnknownNumber(f"{key.strip()} computes nothing in floating point: it has no place under a roof")
            points.append((intensity, title.strip() or key.strip()))
        points.sort()
        ridge = peak / bandwidth
        x0 = math.floor(math.log2(min(points[0][0], 1 / 8)))
        x1 = math.ceil(math.log2(max(points[-1][0], 8 * ridge)))
        y1 = math.log2(peak) + 0.6
        y0 = math.log2(bandwidth) + x0 - 0.4

        def x(intensity):
            return LEFT + (math.log2(intensity) - x0) / (x1 - x0) * (RIGHT - LEFT)

        def y(operations):
            return BOTTOM - (math.log2(operations) - y0) / (y1 - y0) * (BOTTOM - TOP)

        def attainable(intensity):
            return min(peak, intensity * bandwidth)

        parts = [f'<path class="line" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>']
        for power in range(x0, x1 + 1):
            tick = f"{2 ** power}" if power >= 0 else f"1/{2 ** -power}"
            parts.append(f'<text class="label" x="{x(2 ** power):.1f}" y="{BOTTOM + 18}" text-anchor="middle">{tick}</text>')
        parts.append(f'<text class="label" x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 38}" text-anchor="middle">'
                     "operations per byte moved</text>")
        for tera in (0.1, 1, 10, 100):
            if TOP < y(tera * 1e12) < BOTTOM:
                parts.append(f'<text class="label" x="{LEFT - 8}" y="{y(tera * 1e12) + 4:.1f}" text-anchor="end">{tera:g}</text>')
        parts.append(f'<text class="label" x="14" y="{(TOP + BOTTOM) / 2}" text-anchor="middle" '
                     f'transform="rotate(-90 14 {(TOP + BOTTOM) / 2})">TFLOP/s, at most</text>')
        start = 2 ** x0
        parts.append(f'<path class="roof" d="M{x(start):.1f} {y(attainable(start)):.1f}'
                     f'L{x(ridge):.1f} {y(peak):.1f}L{RIGHT} {y(peak):.1f}"/>')
        slope = math.degrees(math.atan2(y(bandwidth) - y(4 * bandwidth), x(4) - x(1)))
        middle = math.sqrt(start * ridge)
        parts.append(f'<text class="label" text-anchor="middle" transform="translate({x(middle) - 8:.1f} '
                     f'{y(attainable(middle)) - 8:.1f}) rotate({-slope:.1f})">memory: {shown(bandwidth / 1e12)} TB/s</text>')
        parts.append(f'<text class="label" x="{RIGHT}" y="{y(peak) - 8:.1f}" text-anchor="end">'
                     f"arithmetic: {shown(peak / 1e12)} TFLOP/s</text>")
        # Labels hang below the roof, each on a line of its own, so that none covers another.
        for place, (intensity, title) in enumerate(points):
            at, roof = x(intensity), y(attainable(intensity))
            line = max(roof + 26, BOTTOM - 12 - 20 * place) if intensity < ridge else roof + 26 + 20 * (place % 3)
            side, step = ("start", 8) if at < RIGHT - 90 else ("end", -8)
            parts.append(f'<path class="wire" d="M{at:.1f} {roof:.1f}V{line:.1f}"/>')
            parts.append(f'<circle class="on" cx="{at:.1f}" cy="{roof:.1f}" r="5"/>')
            parts.append(f'<text x="{at + step:.1f}" y="{line:.1f}" text-anchor="{side}">{escape(title)}: '
                         f"{shown(intensity)}</text>")
        return svg(RIGHT + 64, BOTTOM + 48, parts)
