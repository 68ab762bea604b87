"""A picture of an access that missed its array: the array's last (or first) elements, and where the
access went.

    ```{reach} overrun out-of-bounds
    The caption.
    ```
"""

from html import escape

from .pictures import Picture, svg
from .runs import UnknownNumber

INSIDE, OUTSIDE = 7, 5  # elements drawn on this side of the edge, and beyond it
CELL, LEFT, TOP = 48, 8, 30


def setup(app):
    app.add_directive("reach", Reach)


class Reach(Picture):
    required_arguments = 2

    def draw(self):
        found = self.the_run(self.arguments[0]).finding(self.arguments[1])
        array = found.get("allocation")
        if not array or not array.get("address"):
            raise UnknownNumber("the finding knows no array that could be drawn")
        size = found["bytes"]
        index, beside = divmod(found["address"] - array["address"], size)
        count = array["bytes"] // size
        beyond = index - count + 1 if index >= count else -index
        if beside or not 0 < beyond <= OUTSIDE:
            raise UnknownNumber(f"element {index} of {count} is too far from the array to be drawn")
        first = count - INSIDE if index >= count else -OUTSIDE
        return svg(2 * LEFT + (INSIDE + OUTSIDE) * CELL, TOP + 74, list(_parts(first, count, index, array, found)))


def _parts(first, count, index, array, found):
    inside = [n for n in range(first, first + INSIDE + OUTSIDE) if 0 <= n < count]
    start = LEFT + (inside[0] - first) * CELL
    title = f"{array['bytes']} bytes"
    if (array.get("made") or {}).get("file"):
        title += f", made at {array['made']['file'].rpartition('/')[2]}:{array['made']['line']}"
    yield f'<text class="label" x="{start}" y="18">{escape(title)}</text>'
    for n in range(first, first + INSIDE + OUTSIDE):
        style = "hot" if n == index else "soft" if n in inside else "off"
        x = LEFT + (n - first) * CELL
        yield f'<rect class="{style}" x="{x}" y="{TOP}" width="{CELL - 4}" height="26" rx="2"/>'
        if n in inside or n == index:
            yield f'<text class="label" x="{x + CELL / 2 - 2}" y="{TOP + 42}" text-anchor="middle">{n}</text>'
    x = LEFT + (index - first) * CELL + CELL / 2 - 2
    yield f'<text class="label" x="{x}" y="{TOP + 62}" text-anchor="middle">{escape(found["access"])} here</text>'
