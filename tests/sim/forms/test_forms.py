"""Every form of an instruction that ptxas takes is decoded: it runs, or it is refused for a reason.

usage: test_forms.py PTXAS DECODE

forms.txt writes the forms down, many at a time, refused.txt those that are not simulated. DECODE is
the program of decode.cc.
"""

import fnmatch
import itertools
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
PTXAS, DECODE = sys.argv[1:3]

HEAD = """.version 9.0
.target {target}
.address_size 64
.global .align 16 .b8 gl[256];
.const .align 16 .b8 co[256];
.func function() {{ ret; }}
"""
KERNEL = """.entry k{number}(.param .align 16 .b8 par[16]) {{
.reg .pred %p<9>; .reg .b16 %h<33>; .reg .b32 %r<65>; .reg .b64 %d<65>; .reg .b128 %q<9>;
.shared .align 16 .b8 sh[256]; .local .align 16 .b8 lo[64];
table: .branchtargets L; prototype: .callprototype _ ();
{form};
L: ret; }}
"""
LINES_OF_KERNEL = KERNEL.count("\n")
LINE_OF_FORM = KERNEL[: KERNEL.index("{form}")].count("\n")

WIDTHS = {"b128": "q", "pred": "p"}
for size, letter in ((8, "r"), (16, "h"), (32, "r"), (64, "d")):
    WIDTHS.update({kind + str(size): letter for kind in "bus"})
WIDTHS.update({"f16": "h", "bf16": "h", "e4m3x2": "h", "e5m2x2": "h", "f64": "d", "f32x2": "d"})
WIDTHS.update(dict.fromkeys(("f32", "tf32", "f16x2", "bf16x2", "u16x2", "s16x2"), "r"))


def parts_of(pattern):
    """The pattern cut into lists of choices; what is fixed is a list of one."""
    parts, at = [], 0
    while at < len(pattern):
        if pattern[at] == "{":
            depth, choices, begin, end = 0, [], at + 1, at
            while True:
                depth += (pattern[end] == "{") - (pattern[end] == "}")
                if depth == 0 or (depth == 1 and pattern[end] == "|"):
                    choices.append(pattern[begin:end])
                    begin = end + 1
                if depth == 0:
                    break
                end += 1
            # Without a choice, the braces belong to the operand.
            parts.append(choices if len(choices) > 1 else [pattern[at : end + 1]])
            at = end + 1
        else:
            end = pattern.find("{", at)
            end = len(pattern) if end < 0 else end
            parts.append([pattern[at:end]])
            at = end
    return parts


def form_of(texts, chosen):
    """The text with its registers; None when a choice tells no width."""
    used = dict.fromkeys("hrdqp", 0)

    def register(letter):
        used[letter] += 1
        return f"%{letter}{used[letter]}"

    def operand(match):
        word = match[0]
        if word[0] == "#":
            letter = "d" if word[1] == "#" else "r"
            return "{" + ", ".join(register(letter) for _ in range(int(word[-1]))) + "}"
        if word[1].isdigit():
            kind = chosen[int(word[1]) - 1].strip(".").split(".")[-1]
            return register(WIDTHS[kind]) if kind in WIDTHS else "?"
        return register(word[1])

    text = re.sub(r"@[hrdqp\d]|##?\d", operand, "".join(texts))
    return None if "?" in text else " ".join(text.split())


def forms_of(pattern):
    parts = parts_of(pattern)
    for texts in itertools.product(*parts):
        chosen = [t for t, choices in zip(texts, parts) if len(choices) > 1]
        form = form_of(texts, chosen)
        if form:
            yield form


def lines_of(name):
    lines = (HERE / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def all_forms():
    return list(dict.fromkeys(f for pattern in lines_of("forms.txt") for f in forms_of(pattern)))


def taken_by_ptxas(forms, target):
    """The forms that the assembler has nothing against."""
    head = HEAD.format(target=target)
    text = head + "".join(KERNEL.format(number=n, form=f) for n, f in enumerate(forms))
    text += ".entry wrong() { this_is_no_instruction; }\n"  # so that no code is made of the others
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "forms.ptx")
        source.write_text(text)
        done = subprocess.run(
            [PTXAS, "-arch", target, source, "-o", Path(folder, "none")],
            capture_output=True,
            text=True,
        )
    first = head.count("\n") + 1 + LINE_OF_FORM
    wrong = {(int(n) - first) // LINES_OF_KERNEL for n in re.findall(r"line (\d+); error", done.stderr)}
    assert len(wrong) < len(forms), done.stderr[-500:]
    return [f for n, f in enumerate(forms) if n not in wrong]


def verdicts(forms):
    head = HEAD.format(target="sm_80")
    modules = [head + KERNEL.format(number=0, form=f) for f in forms]
    done = subprocess.run(
        [DECODE], input="\0".join(modules), capture_output=True, text=True, check=True
    )
    return [line.split("\t") for line in done.stdout.splitlines()]


def refused_patterns():
    return [line.split("  ")[0] for line in lines_of("refused.txt")]


class Forms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.legal = {target: taken_by_ptxas(all_forms(), target) for target in ("sm_80", "sm_90a")}

    def check(self, target):
        legal, refused = self.legal[target], refused_patterns()
        self.assertGreater(len(legal), 5000)
        found = verdicts(legal)
        self.assertEqual(len(found), len(legal))
        wrong = []
        for form, (verdict, what) in zip(legal, found):
            expected = any(fnmatch.fnmatchcase(form, pattern) for pattern in refused)
            if verdict != ("refuses" if expected else "runs"):
                wrong.append(f"{form}: {verdict} {what}")
        self.assertEqual(wrong, [])

    def test_what_compute_80_has(self):
        self.check("sm_80")

    def test_what_compute_90_has(self):
        self.check("sm_90a")

    def test_each_refusal_is_of_a_form_that_exists(self):
        forms = set().union(*self.legal.values())
        idle = [p for p in refused_patterns() if not fnmatch.filter(forms, p)]
        self.assertEqual(idle, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
