"""Pictures of single accesses, drawn from a run's trace: where the 32 lanes of a warp go.

    ```{lane-banks} tiled/transpose      the banks of shared memory in which the lanes' words lie
    :at: tiled.cu out
    :kind: load
    What the picture shows, in words.
    ```
    ```{lane-sectors} naive/transpose    the sectors of global memory in which the lanes' bytes lie
    :at: naive.cu kernel
    :kind: store
    ```
    ```{lane-steps} naive/reduce         the lanes that take part, each time the warp comes to a shared access
    :at: naive.cu add
    :kind: store

The access is the first of its kind in the region that `at` names; `step: 3` takes the fourth. A trace is
that of the first warp of block 0.
"""

from html import escape

from docutils.parsers.rst import directives

from .pictures import LANES, SECTOR_BYTES, Picture, svg
from .regions import region
from .runs import UnknownNumber

BANKS, BANK_BYTES = 32, 4
STEP, LEFT = 18, 64  # from lane to lane; where the first one stands


def setup(app):
    app.add_directive("lane-banks", LaneBanks)
    app.add_directive("lane-sectors", LaneSectors)
    app.add_directive("lane-steps", LaneSteps)


class LanePicture(Picture):
    option_spec = {**Picture.option_spec, "at": directives.unchanged_required, "kind": directives.unchanged_required,
                   "step": directives.nonnegative_int}

    def access(self, space):
        """(bytes a lane, [address or None of each lane]) of the access that the options name."""
        return self.accesses(space)[self.options.get("step", 0)]

    def accesses(self, space):
        """The same of all accesses of that kind in the region, in order; at least the one that the options name."""
        story, _, kernel = self.arguments[0].partition("/")
        file, _, name = self.options["at"].partition(" ")
        text, path = self.source(file)
        inside = {line.number for line in region(text, name.strip() or None, path)}
        kind, step = self.options["kind"], self.options.get("step", 0)
        found = [a for a in self.the_run(story).kernel(kernel).get("accesses", [])
                 if a["file"] == path and a["line"] in inside and (a["space"], a["kind"]) == (space, kind)]
        if step >= len(found):
            raise UnknownNumber(f"{self.arguments[0]}: {len(found)} accesses of the kind {space} {kind} were traced "
                                f"in {self.options['at']}")
        return [(a["bytes"], [None if address < 0 else address for address in a["lanes"]]) for a in found]


def lane_row(parts, lanes):
    parts.append(f'<text class="label" x="{LEFT - 10}" y="19" text-anchor="end">lane</text>')
    for lane, address in enumerate(lanes):
        style = "off" if address is None else "on"
        parts.append(f'<rect class="{style}" x="{LEFT + lane * STEP}" y="8" width="14" height="14" rx="2"/>')


def wire(parts, lane, x, bottom):
    parts.append(f'<path class="wire" d="M{LEFT + lane * STEP + 7} 24L{x:.1f} {bottom - 2}"/>')


class LaneBanks(LanePicture):
    """Lanes above, banks below. A bank that holds several words that are wanted has their number under it."""

    def draw(self):
        size, lanes = self.access("shared")
        if size != BANK_BYTES:
            raise UnknownNumber(f"the picture is one of 4-byte accesses, and this one has {size} bytes a lane")
        words = [set() for _ in range(BANKS)]
        for address in lanes:
            if address is not None:
                words[address // BANK_BYTES % BANKS].add(address // BANK_BYTES)
        wavefronts, top = max(map(len, words)), 116
        parts = []
        for lane, address in enumerate(lanes):
            if address is not None:
                wire(parts, lane, LEFT + address // BANK_BYTES % BANKS * STEP + 7, top)
        lane_row(parts, lanes)
        parts.append(f'<text class="label" x="{LEFT - 10}" y="{top + 11}" text-anchor="end">bank</text>')
        for bank, wanted in enumerate(words):
            x = LEFT + bank * STEP
            style = "off" if not wanted else "on" if len(wanted) == 1 else "hot"
            parts.append(f'<rect class="{style}" x="{x}" y="{top}" width="14" height="14" rx="2"/>')
            if len(wanted) > 1:
                parts.append(f'<text class="label" x="{x + 7}" y="{top + 29}" text-anchor="middle">{len(wanted)}</text>')
        every = "1 wavefront" if wavefronts == 1 else f"{wavefronts} wavefronts, one after the other"
        parts.append(f'<text class="label" x="{LEFT}" y="{top + 48}">{every}</text>')
        return svg(LEFT + LANES * STEP, top + 56, parts)


class LaneSectors(LanePicture):
    """Lanes above, the sectors that they touch below, in the order of their addresses; a gap where some are
    left out. Filled is what the lanes want of a sector."""

    def draw(self):
        size, lanes = self.access("global")
        used = {}  # sector: its bytes that a lane wants
        for address in lanes:
            for byte in range(address, address + size) if address is not None else ():
                used.setdefault(byte // SECTOR_BYTES, set()).add(byte % SECTOR_BYTES)
        sectors = sorted(used)
        left_out = sum(b > a + 1 for a, b in zip(sectors, sectors[1:]))
        gap, top = 5, 116
        width = min(8 * STEP, (LANES * STEP - 4 - gap * left_out) / len(sectors))  # with its margin
        x, place = LEFT, {}
        for before, sector in zip([sectors[0] - 1, *sectors], sectors):
            x += gap if sector != before + 1 else 0
            place[sector] = x
            x += width
        parts = []
        scale = (width - 2) / SECTOR_BYTES
        for lane, address in enumerate(lanes):
            if address is not None:
                middle = address % SECTOR_BYTES + min(size, SECTOR_BYTES - address % SECTOR_BYTES) / 2
                wire(parts, lane, place[address // SECTOR_BYTES] + middle * scale, top)
        lane_row(parts, lanes)
        parts.append(f'<text class="label" x="{LEFT - 10}" y="{top + 12}" text-anchor="end">sector</text>')
        for sector in sectors:
            parts.append(f'<rect class="off" x="{place[sector]:.1f}" y="{top}" width="{width - 2:.1f}" height="16" rx="1"/>')
            for first, last in _stretches(used[sector]):
                parts.append(f'<rect class="on" x="{place[sector] + first * scale:.1f}" y="{top}" '
                             f'width="{(last - first) * scale:.1f}" height="16"/>')
        moved, wanted = len(sectors) * SECTOR_BYTES, sum(map(len, used.values()))
        count = "1 sector" if len(sectors) == 1 else f"{len(sectors)} sectors"
        parts.append(f'<text class="label" x="{LEFT}" y="{top + 36}">{escape(count)}: {moved} bytes moved, '
                     f"{wanted} of them wanted</text>")
        return svg(LEFT + LANES * STEP, top + 44, parts)


class LaneSteps(LanePicture):
    """A row each time the warp comes by: filled lanes take part, hollow ones wait. The row ends with their number."""

    def draw(self):
        parts, height = [], 21
        rows = self.accesses("shared")
        for number, (_, lanes) in enumerate(rows):
            y = 8 + number * height
            parts.append(f'<text class="label" x="{LEFT - 10}" y="{y + 12}" text-anchor="end">step {number + 1}</text>')
            for lane, address in enumerate(lanes):
                style = "off" if address is None else "on"
                parts.append(f'<rect class="{style}" x="{LEFT + lane * STEP}" y="{y}" width="14" height="14" rx="2"/>')
            active = sum(address is not None for address in lanes)
            parts.append(f'<text class="label" x="{LEFT + LANES * STEP + 6}" y="{y + 12}">{active}</text>')
        return svg(LEFT + LANES * STEP + 30, 8 + len(rows) * height, parts)


def _stretches(numbers):
    """[(first, one past the last)] of the runs of successive numbers."""
    result = []
    for number in sorted(numbers):
        if result and result[-1][1] == number:
            result[-1][1] = number + 1
        else:
            result.append([number, number + 1])
    return result
