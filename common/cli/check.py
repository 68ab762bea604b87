"""./lab check: builds and grades; the first failure first."""

import hashlib
import json
import sys
import textwrap
from pathlib import Path

from . import build, labs, terminal, verdict
from .terminal import paint, shown

NOTHING_GRADED = 77  # as Meson's skip: neither passed nor failed

PROGRESS = build.STATE / "progress.json"


def check(names, reference=False, json_file=None, device=None):
    """Grades labs and prints what came out; returns the exit code."""
    chosen = labs.find(names)
    variant = "solution" if reference else "starter"
    if reference:
        without = [lab for lab in chosen if not lab.solution.exists()]
        if without:
            raise terminal.Failure(f"There is no solution of {without[0].name} here "
                                   f"({shown(without[0].solution)}): this tree is a handout.")
    results = grade_all(chosen, variant, device)
    if json_file:
        write_json(json_file, variant, results)
    report(results, variant)
    if variant == "starter":
        remember(results)
    return exit_code(results)


def grade_all(chosen, variant, device=None):
    """[(lab, verdict)] in the order of the labs."""
    with build.the_only_one():
        env = build.configure()
        built = build.build([lab.program(variant) for lab in chosen], env)
    results = []
    for number, lab in enumerate(chosen, 1):
        terminal.progress(f"grading [{number}/{len(chosen)}] {lab.name}")
        message = built.of(lab.program(variant))
        if message is not None:
            results.append((lab, verdict.Verdict("failed", "does not compile", message)))
            continue
        if built.failed and not _all_labs(built, chosen, variant):
            raise terminal.Failure("What the labs stand on does not build; it is not your code that is wrong:\n"
                                   + "\n".join(built.failed.values()))
        results.append((lab, verdict.grade(build.BUILD / lab.program(variant), lab.name, variant, device)))
        warnings = built.warnings_of(lab.program(variant))
        if warnings and variant == "starter":
            terminal.note(warnings)
    terminal.clear_progress()
    return results


def _all_labs(built, chosen, variant):
    """Is every failure of the build one of these labs' own?"""
    own = [built.of(lab.program(variant)) for lab in chosen]
    return len(built.failed) == sum(message is not None for message in own)


def exit_code(results):
    if any(result.status == "failed" for _, result in results):
        return 1
    return 0 if any(result.status == "passed" for _, result in results) else NOTHING_GRADED


def folded(text, width=120):
    """Long sentences in lines that a terminal need not break. What is indented is no sentence: places,
    source lines, a program's output."""
    return "\n".join(line if line.startswith(" ") else
                     textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
                     for line in text.splitlines())


def report(results, variant):
    failures = [(lab, result) for lab, result in results if result.status == "failed"]
    if failures:
        lab, result = failures[0]
        print(paint(f"{lab.name}: {result.headline}", "red"))
        print(f"  {shown(lab.source(variant))}")
        if result.details:
            print("\n" + folded(result.details))
        print()
    colours = {"passed": "green", "failed": "red", "not started": "dim"}
    width = max(len(lab.topic) for lab, _ in results)
    chapter = None
    for lab, result in results:
        if lab.chapter != chapter:
            chapter = lab.chapter
            print(paint(chapter, "bold"))
        text = "" if result.status == "not started" else result.headline
        print(f"  {lab.topic:<{width}}  {paint(f'{result.status:<11}', colours[result.status])}  {text}".rstrip())
    counts = {status: sum(result.status == status for _, result in results) for status in colours}
    print("\n" + ", ".join(f"{count} {status}" for status, count in counts.items()
                           if count or status != "not started"))
    if variant == "starter":
        advise(results)


def advise(results):
    """The one next step."""
    failures = [lab for lab, result in results if result.status == "failed"]
    waiting = [lab for lab, result in results if result.status == "not started"]
    if failures:
        print(f"A hint: ./lab hint {failures[0].name}")
    elif waiting:
        print(f"Next: write your code in place of LAB_TODO in {shown(waiting[0].starter)},")
        print(f"then ./lab check {waiting[0].name}")
    sys.stdout.flush()


def write_json(path, variant, results):
    entries = [{"lab": lab.name, "variant": variant, "status": result.status, "headline": result.headline,
                "details": result.details, "points": result.points, "record": result.record}
               for lab, result in results]
    counts = {status.replace(" ", "_"): sum(result.status == status for _, result in results)
              for status in ("passed", "failed", "not started")}
    Path(path).write_text(json.dumps({"labs": entries, **counts}, indent=2, ensure_ascii=False) + "\n")


def remember(results):
    """What `lab list` shows: the last verdict, as long as the file has not changed since."""
    try:
        known = json.loads(PROGRESS.read_text())
    except (OSError, ValueError):
        known = {}
    for lab, result in results:
        known[lab.name] = {"status": result.status, "points": result.points, "text": digest(lab.starter)}
    PROGRESS.write_text(json.dumps(known, indent=1))


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else ""
