"""Named regions of a source file.

A region stands between two equal comment lines, `// [name]`. Regions may nest and overlap; a marker
line never shows in the book, whichever region it belongs to, and line numbers stay the file's own.
"""

import difflib
import re
from dataclasses import dataclass

MARKER = re.compile(r"^\s*(?://|#)\s*\[(?P<name>[a-z0-9][a-z0-9 -]*)\]\s*$")


class UnknownRegion(Exception):
    """The text asks for a region that the file does not have."""


@dataclass(frozen=True)
class Line:
    number: int  # in the file, from 1
    text: str


def region(text, name=None, where="the file"):
    """The lines of one region (without a name: of the whole file), dedented, markers dropped."""
    lines = [Line(number, line) for number, line in enumerate(text.splitlines(), 1)]
    if name is not None:
        marks = [i for i, line in enumerate(lines) if _marker(line.text) == name]
        if len(marks) != 2:
            known = sorted({_marker(line.text) for line in lines} - {None})
            raise UnknownRegion(
                f"{where}: the region [{name}] is marked {len(marks)} times, and should be marked twice, "
                f"before and after. Regions here: {', '.join(known) or 'none'}.")
        lines = lines[marks[0] + 1:marks[1]]
    lines = [line for line in lines if _marker(line.text) is None]
    while lines and not lines[0].text.strip():
        lines.pop(0)
    while lines and not lines[-1].text.strip():
        lines.pop()
    if not lines:
        raise UnknownRegion(f"{where}: the region [{name}] is empty.")
    return _dedent(lines)


@dataclass(frozen=True)
class Change:
    sign: str  # "+", "-" or " "
    line: Line


def difference(before, after):
    """The lines that turn one region into the other, in reading order."""
    changes = []
    matcher = difflib.SequenceMatcher(
        a=[line.text for line in before], b=[line.text for line in after], autojunk=False)
    for kind, a0, a1, b0, b1 in matcher.get_opcodes():
        if kind == "equal":
            changes += [Change(" ", line) for line in after[b0:b1]]
        else:
            changes += [Change("-", line) for line in before[a0:a1]]
            changes += [Change("+", line) for line in after[b0:b1]]
    return changes


def _marker(line):
    found = MARKER.match(line)
    return found["name"] if found else None


def _dedent(lines):
    margin = min(len(line.text) - len(line.text.lstrip()) for line in lines if line.text.strip())
    return [Line(line.number, line.text[margin:].rstrip()) for line in lines]
