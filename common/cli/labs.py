"""The labs of this tree, found by their folders, and the names a user may call them by.

A lab is a folder with checks.cc, starter.cu and one header <topic>.h, under chapters/<chapter> (the
chapter's own lab) or exercises/<chapter>/<topic>. Its name is <chapter>/<topic>.
"""

import difflib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from .terminal import ROOT, Failure

ROOT = Path(ROOT)


@dataclass(frozen=True)
class Lab:
    chapter: str  # "04-shared-memory"
    topic: str    # "stencil"
    folder: Path
    is_exercise: bool

    @property
    def name(self):
        return f"{self.chapter}/{self.topic}"

    @property
    def starter(self):
        return self.folder / "starter.cu"

    @property
    def solution(self):
        if self.is_exercise:
            return ROOT / "solutions" / self.chapter / self.topic / "solution.cu"
        return self.folder / "solution.cu"

    def source(self, variant):
        return self.solution if variant == "solution" else self.starter

    def program(self, variant, device="sim"):
        """The Meson target that grades a variant, relative to the build folder."""
        return f"tests/{self.chapter}-{self.topic}-{variant}-{device}"


def _lab_in(folder, chapter, is_exercise):
    if not (folder / "checks.cc").exists():
        return None
    if is_exercise:
        return Lab(chapter, folder.name, folder, True)
    headers = sorted(folder.glob("*.h"))
    return Lab(chapter, headers[0].stem, folder, False) if headers else None


def all_labs():
    """Every lab, chapter by chapter: the chapter's lab first, exercises in the order of the build."""
    found = []
    for folder in sorted((ROOT / "chapters").glob("[0-9][0-9]-*")):
        found.append(_lab_in(folder, folder.name, False))
        exercises = [_lab_in(path, folder.name, True)
                     for path in sorted((ROOT / "exercises" / folder.name).glob("*"))]
        found += exercises
    found = [lab for lab in found if lab]
    order = {name: place for place, name in enumerate(_order_of_the_build())}
    return sorted(found, key=lambda lab: (lab.chapter, lab.is_exercise,
                                          order.get(lab.name, len(order))))


def _order_of_the_build():
    try:
        tests = json.loads((ROOT / "build/meson-info/intro-tests.json").read_text())
    except (OSError, ValueError):
        return []
    return [test["name"] for test in tests if "submission" in " ".join(test["suite"])]


def find(names):
    """The labs that the user's names mean, in the order given; no name means all."""
    labs = all_labs()
    if not labs:
        raise Failure("There are no labs here: no folder under chapters/ or exercises/ has a checks.cc.")
    if not names:
        return labs
    chosen = []
    for name in names:
        matches = _matches(name, labs)
        if not matches:
            raise Failure(_unknown(name, labs))
        chosen += [lab for lab in matches if lab not in chosen]
    return chosen


def find_one(name):
    """The one lab that a name means; a chapter means its own lab."""
    return find([name])[0]


def _matches(name, labs):
    name = name.rstrip("/")
    path = Path(name)
    if path.exists():  # a folder, or a file of a lab
        folder = path.resolve() if path.is_dir() else path.resolve().parent
        by_path = [lab for lab in labs if folder == lab.folder]
        if by_path and not (ROOT / "exercises") in folder.parents:
            return [lab for lab in labs if lab.chapter == by_path[0].chapter] if path.is_dir() else by_path
        if by_path:
            return by_path
    chapter, _, topic = name.removeprefix("chapters/").removeprefix("exercises/").partition("/")
    in_chapter = [lab for lab in labs if _is_chapter(chapter, lab.chapter)]
    if topic:
        return [lab for lab in in_chapter if lab.topic == topic]
    return in_chapter or [lab for lab in labs if lab.topic == name]


def _is_chapter(name, chapter):
    number, _, title = chapter.partition("-")
    return name in (chapter, title) or (re.fullmatch(r"\d{1,2}", name) is not None
                                        and int(name) == int(number))


def _unknown(name, labs):
    chapters = sorted({lab.chapter for lab in labs})
    known = [lab.name for lab in labs] + [lab.topic for lab in labs] + chapters
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.55)
    near = near or difflib.get_close_matches(name.split("/")[-1], known, n=1, cutoff=0.55)
    advice = f"Did you mean {near[0]}?" if near else f"The chapters are: {', '.join(chapters)}."
    return f"There is no lab '{name}'. {advice}\n./lab list shows them all."
