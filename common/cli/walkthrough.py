"""Keeps the README's walk true: its commands' outputs come from running its own code.

    python -m cli.walkthrough BUILD --check     fail if the README shows anything else (a test)
    python -m cli.walkthrough BUILD --write     write what really comes out

In the README a block `<!-- edit: NAME -->` is followed by the code that the reader puts into
starter.cu: its regions [kernel] and [launch]. A block `<!-- check: NAME -->` is followed by what
`./lab check saxpy` then prints; NAME "shipped" is the starter as it comes.
"""

import contextlib
import difflib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

from . import build, check, course, instructors, labs, verdict
from .labs import ROOT

README = ROOT / "README.md"
BLOCK = r"(<!-- {kind}: ([\w-]+) -->\n```\w*\n)(.*?)(```\n)"
SEED = "1"  # inputs are random; the walk shows one draw


def edited(starter, code):
    """The starter with the reader's code in place of its regions."""
    for region in ("kernel", "launch"):
        mark = f"// [{region}]\n"
        body = code.partition(mark)[2].partition(mark)[0]
        before, _, rest = starter.partition(mark)
        if body and rest:
            starter = before + mark + body + mark + rest.partition(mark)[2]
    return starter


def output(lab, text, recipe):
    """What `./lab check` prints for a starter with this text."""
    with tempfile.TemporaryDirectory(prefix="warp-weft-") as folder:
        source = Path(folder, "starter.cu")
        source.write_text(text)
        problem, program = instructors.compile_submission(recipe, source, Path(folder), dict(os.environ))
        if problem:
            sys.exit(f"The code in the README {problem}")
        result = verdict.grade(program, lab.name, "starter", seed=SEED)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            check.report([(lab, result)], "starter")
        text = printed.getvalue().replace(folder, str(lab.folder.relative_to(ROOT)))
    return "$ ./lab check saxpy\n" + text


def walked():
    """The README as it should be."""
    readme = README.read_text()
    lab = labs.find_one("saxpy")
    recipe = instructors.recipe_of(lab, dict(os.environ))
    starter = course.shipped_starter(lab)
    texts = {"shipped": starter}
    for _, name, code, _ in re.findall(BLOCK.format(kind="edit"), readme, re.S):
        texts[name] = edited(starter, code)
    found = re.findall(BLOCK.format(kind="check"), readme, re.S)
    if len(found) < 2:
        sys.exit("The README has no walk: no '<!-- check: NAME -->' blocks.")
    return re.sub(BLOCK.format(kind="check"),
                  lambda match: match[1] + output(lab, texts[match[2]], recipe) + match[4], readme, flags=re.S)


def main(folder, action):
    os.chdir(ROOT)
    build.BUILD = Path(folder).resolve()
    if not (build.environment.VENV / "bin/ninja").exists():
        print("needs the .venv that ./lab makes")
        return 77
    now, true = README.read_text(), walked()
    if action == "--write":
        README.write_text(true)
    elif now != true:
        print(*difflib.unified_diff(now.splitlines(), true.splitlines(), "README.md", "as it really is",
                                    lineterm="", n=1), sep="\n")
        print("\nIf that is as it should be: PYTHONPATH=common python3 -m cli.walkthrough build --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
