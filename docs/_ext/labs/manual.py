"""Tables of the manual, read from the simulated GPU's own tables, so that they cannot disagree.

    ```{counters}   every counter, its unit and definition: common/sim/count/metrics.def
    ```{devices}    the devices that can be simulated: common/sim/runtime/devices.cc
    ```{opcodes}    every PTX instruction, whether it runs and was compared: common/sim/ptx/opcodes.def
"""

import re
from html import escape

from .base import Woven
from .runs import UnknownNumber

METRICS = "/common/sim/count/metrics.def"
DEVICES = "/common/sim/runtime/devices.cc"
OPCODES = "/common/sim/ptx/opcodes.def"

STRING = r'"((?:[^"\\]|\\.)*)"'
METRIC = re.compile(rf"^(?:COUNTER|RATIO|LAUNCH)\(\w+,\s*{STRING},\s*{STRING},(?:[^\"]*?)({STRING}(?:\s*{STRING})*)\)", re.M)
DEVICE = re.compile(rf"\{{{STRING}, {STRING}, (\d+), (\d+), (\d+), (\d+) \* GiB,")

OPCODE = re.compile(rf"^OPCODE\(\w+,\s*{STRING},\s*{STRING},\s*(\w+),\s*(yes|no),\s*(yes|no)\)", re.M)


def setup(app):
    app.add_directive("counters", Counters)
    app.add_directive("opcodes", Opcodes)
    app.add_directive("devices", Devices)


class Table(Woven):
    def weave(self):
        text, path = self.source(self.table)
        rows = list(self.rows(text))
        if not rows:
            raise UnknownNumber(f"{path} has no rows that this directive understands")
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in self.head)
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        return [self.html(f'<div class="table-wrapper"><table class="docutils manual"><thead><tr>{head}</tr></thead>'
                          f"<tbody>{body}</tbody></table></div>")]


class Counters(Table):
    table, head = METRICS, ("counter", "unit", "what it is")

    def rows(self, text):
        found = METRIC.findall(text)
        if len(found) != len(re.findall(r"^(?:COUNTER|RATIO|LAUNCH)\(", text, re.M)):
            raise UnknownNumber(f"{METRICS} has rows that this directive does not understand")
        return [(f"<code>{_breakable(name)}</code>", escape(unit), escape("".join(re.findall(STRING, definition))))
                for name, unit, definition, *_ in found]


class Devices(Table):
    table, head = DEVICES, ("WARP_WEFT_DEVICE", "device", "compute capability", "SMs", "memory")

    def rows(self, text):
        return [(f"<code>{escape(key)}</code>", escape(name), f"{major}.{minor}", sms, f"{memory} GiB")
                for key, name, major, minor, sms, memory in DEVICE.findall(text)]


class Opcodes(Table):
    """A row for each class of instructions; a cell lists mnemonics."""

    table, head = OPCODES, ("instructions", "compared with a real GPU", "simulated", "refused by name")

    def rows(self, text):
        found = OPCODE.findall(text)
        if len(found) != len(re.findall(r"^OPCODE\(", text, re.M)):
            raise UnknownNumber(f"{OPCODES} has rows that this directive does not understand")
        classes = {}
        for mnemonic, _, kind, runs, compared in found:
            cell = 2 if runs == "no" else 0 if compared == "yes" else 1
            classes.setdefault(kind, ([], [], []))[cell].append(mnemonic)
        for kind, cells in classes.items():
            yield (escape(kind), *(" ".join(f"<code>{escape(name)}</code>" for name in cell) for cell in cells))


def _breakable(name):
    """Long names may break after an underscore."""
    return escape(name).replace("_", "_<wbr>")
