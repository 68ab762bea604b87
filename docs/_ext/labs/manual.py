"""Tables of the manual, read from the simulated GPU's own tables, so that they cannot disagree.

    ```{counters}   every counter, its unit and definition: common/sim/count/metrics.def
    ```{devices}    the devices that can be simulated: common/sim/runtime/devices.cc
    ```{opcodes}    every PTX instruction, whether it runs and was compared: common/sim/ptx/opcodes.def
    ```{limits}     limits per compute capability: docs/limits.csv, compared with the simulated devices
    ```{tools}      which mistakes compute-sanitizer's tools find, and which the simulated GPU:
                    tests/sim/cases, with what was recorded on a real GPU
"""

import csv
import json
import re
from html import escape

from .base import Woven
from .runs import UnknownNumber

METRICS = "/common/sim/count/metrics.def"
DEVICES = "/common/sim/runtime/devices.cc"
OPCODES = "/common/sim/ptx/opcodes.def"
LIMITS = "/docs/limits.csv"
UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
FOUND = "/tests/sim/cases/found.json"
MISSED = "/tests/sim/cases/missed.txt"

STRING = r'"((?:[^"\\]|\\.)*)"'
METRIC = re.compile(rf"^(?:COUNTER|RATIO|LAUNCH)\(\w+,\s*{STRING},\s*{STRING},(?:[^\"]*?)({STRING}(?:\s*{STRING})*)\)", re.M)
DEVICE = re.compile(rf"^ *\{{{STRING}, {STRING}, ([^}}\"]*)\}},$", re.M)
OPCODE = re.compile(rf"^OPCODE\(\w+,\s*{STRING},\s*{STRING},\s*(\w+),\s*(yes|no),\s*(yes|no)\)", re.M)


def setup(app):
    app.add_directive("counters", Counters)
    app.add_directive("opcodes", Opcodes)
    app.add_directive("devices", Devices)
    app.add_directive("limits", Limits)
    app.add_directive("tools", Tools)


class Table(Woven):
    def weave(self):
        text, path = self.source(self.table)
        rows = list(self.rows(text))
        if not rows:
            raise UnknownNumber(f"{path} has no rows that this directive understands")
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in self.head)
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        return [self.html(f'<div class="table-wrapper"><table class="docutils manual {self.name}"><thead><tr>{head}</tr></thead>'
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
        return [(f"<code>{escape(key)}</code>", escape(name), f"{major}.{minor}", sms, f"{memory / 2**30:.0f} GiB")
                for key, name, (major, minor, sms, memory, *_) in devices(text)]


class Limits(Table):
    table = LIMITS
    head = ("compute capability", "shared memory per SM", "per block, at most", "threads per SM", "blocks per SM",
            "simulated as")

    def rows(self, text):
        limits = {row[0]: [int(value) for value in row[1:]] for row in csv.reader(text.splitlines()[1:])}
        simulated = {}
        for key, _, (major, minor, *rest) in devices(self.source(DEVICES)[0]):
            threads, blocks, per_sm, per_block = rest[6:10]
            known = [per_sm // 1024, per_block // 1024, threads, blocks]
            if known != limits.get(f"{major}.{minor}"):
                raise UnknownNumber(f"{DEVICES}: {key} has {known}, and {LIMITS} says {limits.get(f'{major}.{minor}')}")
            simulated.setdefault(f"{major}.{minor}", []).append(f"<code>{escape(key)}</code>")
        return [(capability, f"{per_sm} KB", f"{per_block} KB", threads, blocks, ", ".join(simulated.get(capability, [])))
                for capability, (per_sm, per_block, threads, blocks) in limits.items()]


def devices(text):
    """[(key, name, numbers)] of the rows in devices.cc; the numbers in the order of struct Device."""
    return [(key, name, [_product(number) for number in numbers.split(",")])
            for key, name, numbers in DEVICE.findall(text)]


def _product(text):
    """"2 * GiB" as a number."""
    value = 1
    for factor in text.split("*"):
        value *= UNITS.get(factor.strip()) or int(factor)
    return value


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


class Tools(Table):
    """A row a kind of mistake: how many programs have it, and in how many each tool finds it."""

    table = FOUND
    names = ("memcheck", "racecheck", "initcheck", "synccheck")
    head = ("kind", "programs", *names, "all four", "the simulated GPU")

    def rows(self, text):
        missed = self.source(MISSED)[0].split("\n")
        kinds = {}
        for name, case in json.loads(text)["cases"].items():
            kind = case["kind"]
            if kind in ("none", "wrong-result") or kind.startswith("perf-"):
                continue
            found = [case["broken"].get(tool, {}).get("found", False) for tool in self.names]
            kinds.setdefault(kind, []).append([True, *found, any(found), name not in missed])
        sums = {kind: [sum(column) for column in zip(*rows)] for kind, rows in sorted(kinds.items())}
        rows = [(f"<code>{escape(kind)}</code>", *map(str, row)) for kind, row in sums.items()]
        return rows + [("all", *(f"<strong>{sum(column)}</strong>" for column in zip(*sums.values())))] if rows else []


def _breakable(name):
    """Long names may break after an underscore."""
    return escape(name).replace("_", "_<wbr>")
