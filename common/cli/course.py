"""What accompanies a learner through the labs: list, hint, reset, watch."""

import json
import subprocess
import time
from pathlib import Path

from . import build, check, labs
from .labs import ROOT
from .terminal import Failure, note, paint, plural, shown

HINTS_SEEN = build.STATE / "hints.json"
SHIPPED = ROOT / ".shipped"  # a handout's copy of the starters


def list_labs():
    known = _read(check.PROGRESS)
    chapter, points = None, 0
    all_labs = labs.find([])
    width = max(len(lab.topic) for lab in all_labs)
    for lab in all_labs:
        if lab.chapter != chapter:
            chapter = lab.chapter
            print(paint(chapter, "bold"))
        last = known.get(lab.name, {})
        status = last.get("status", "not checked yet")
        if last and last.get("text") != check.digest(lab.starter):
            status = "edited since the last check"
        points += last.get("points", 0) if status == "passed" else 0
        colour = {"passed": "green", "failed": "red"}.get(status, "dim")
        print(f"  {lab.topic:<{width}}  {paint(f'{status:<27}', colour)}  {shown(lab.starter)}")
    done = sum(entry.get("status") == "passed" for entry in known.values())
    print(f"\n{done} of {plural(len(all_labs), 'lab')} passed" + (f", {points} points" if points else ""))
    return 0


def hint(name, everything=False):
    lab = labs.find_one(name)
    steps = hint_steps(lab.folder / "hints.md")
    seen = _read(HINTS_SEEN)
    number = len(steps) if everything else min(seen.get(lab.name, 0) + 1, len(steps))
    for index in (range(number) if everything else [number - 1]):
        print(paint(f"{lab.name}, hint {index + 1} of {len(steps)}", "bold"))
        print(steps[index] + "\n")
    if number == len(steps):
        print(f"That was the last hint. ./lab hint {lab.name} --all shows them together.")
    else:
        print(f"Still stuck? ./lab hint {lab.name} again.")
    seen[lab.name] = number
    HINTS_SEEN.parent.mkdir(parents=True, exist_ok=True)
    HINTS_SEEN.write_text(json.dumps(seen))
    return 0


def hint_steps(path):
    """The steps of a hints.md: the text below each second-level heading."""
    if not path.exists():
        raise Failure(f"This lab has no hints: {shown(path)} is missing.")
    sections = ("\n" + path.read_text()).split("\n## ")[1:]
    steps = [section.strip() for section in sections if section.strip()]
    if not steps:
        raise Failure(f"{shown(path)} has no '## ' headings, so no steps.")
    return steps


def reset(name):
    lab = labs.find_one(name)
    shipped = shipped_starter(lab)
    old = lab.starter.read_text() if lab.starter.exists() else None
    if old == shipped:
        print(f"{shown(lab.starter)} is as shipped; nothing to do.")
        return 0
    if old is not None:
        kept = lab.starter.with_name(f"starter.cu.{time.strftime('%Y%m%d-%H%M%S')}.orig")
        kept.write_text(old)
        print(f"Your text is kept in {shown(kept)}.")
    lab.starter.write_text(shipped)
    print(f"{shown(lab.starter)} is as shipped again.")
    return 0


def shipped_starter(lab):
    """The starter as its authors wrote it, though the learner may have committed other versions."""
    path = lab.starter.relative_to(ROOT).as_posix()
    if (SHIPPED / path).exists():
        return (SHIPPED / path).read_text()
    for revision in ("origin/HEAD", "origin/main"):
        text = _git("show", f"{revision}:./{path}")
        if text:
            return text
    for revision in (_git("log", "--format=%H", "--", path) or "").split():
        text = _git("show", f"{revision}:./{path}")
        if text and "LAB_TODO(" in text:
            return text
    raise Failure(f"Neither .shipped/ nor git knows the shipped text of {shown(lab.starter)}.")


def _git(*arguments):
    try:
        answer = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return answer.stdout if answer.returncode == 0 else None


def watch(name=None):
    """Grades a lab each time its starter is saved, until interrupted."""
    chosen = labs.find([name] if name else [])
    times = {lab: _saved(lab) for lab in chosen}
    note(f"Watching {plural(len(chosen), 'starter')}; save one to grade it. Ctrl-C ends.")
    if len(chosen) == 1:
        check.check([chosen[0].name])
    while True:
        time.sleep(0.2)
        for lab in chosen:
            now = _saved(lab)
            if now and now != times[lab]:
                times[lab] = now
                print(paint(f"\n── {shown(lab.starter)} saved {time.strftime('%H:%M:%S')}", "dim"), flush=True)
                try:
                    check.check([lab.name])
                except Failure as failure:
                    note(str(failure))


def _saved(lab):
    try:
        return lab.starter.stat().st_mtime_ns
    except FileNotFoundError:  # an editor is replacing it
        return None


def _read(path):
    try:
        return json.loads(Path(path).read_text())
    except (OSError, ValueError):
        return {}
