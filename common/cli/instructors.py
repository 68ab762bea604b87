"""./lab handout and ./lab grade: a tree without solutions out, a class's work back in."""

import csv
import json
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import build, course, labs, runner, terminal, verdict
from .labs import ROOT
from .terminal import Failure, note, plural, shown

COMPILE_LIMIT = 120  # seconds; templates can keep a compiler busy for ever


# ── handout ────────────────────────────────────────────────────────────────────────────────────────

def handout(folder, names):
    """Copies the tree without anything that holds a solution: those, the mutants, and the book."""
    target = Path(folder).absolute()
    if target.exists() and any(target.iterdir()):
        raise Failure(f"{shown(target)} is not empty; a handout needs a folder of its own.")
    if target == ROOT or ROOT in target.parents:
        raise Failure("The handout cannot lie inside this tree; name a folder elsewhere.")
    chosen = labs.find(names)
    starters = {lab: course.shipped_starter(lab) for lab in chosen}
    for lab, text in starters.items():
        if "LAB_TODO(" not in text:
            raise Failure(f"The shipped text of {shown(lab.starter)} has no LAB_TODO: is it a solution? "
                          "Nothing was written.")
    left_out = [lab.folder for lab in labs.all_labs() if lab not in chosen]
    for path in _files_of_the_tree():
        if _is_for_learners(path) and not any(part in (ROOT / path).parents for part in left_out):
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, target / path)
    for lab, text in starters.items():
        for place in (target, target / ".shipped"):
            path = place / lab.starter.relative_to(ROOT)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    print(f"{shown(target)}: {plural(len(chosen), 'lab')}, without solutions. "
          "Students run ./lab check there; ./lab grade reads their folders.")
    return 0


def _files_of_the_tree():
    """Tracked files as they lie here, and new ones that git does not ignore."""
    answer = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, capture_output=True)
    if answer.returncode == 0 and answer.stdout:
        paths = [Path(name) for name in answer.stdout.decode().split("\0") if name]
    else:
        ours = ("build", ".venv", ".cache", ".git")
        paths = [path.relative_to(ROOT) for path in ROOT.rglob("*")
                 if path.relative_to(ROOT).parts[0] not in ours]
    return [path for path in paths if (ROOT / path).is_file()]


def _is_for_learners(path):
    if path.parts[0] in ("solutions", "docs", ".ci", ".github") or path.name == "solution.cu":
        return False
    if path.parts[0] == "tests":
        return path.parts[1:] == ("meson.build",)  # the rule for a lab
    return not (path.parts[0] == "common" and "__pycache__" in path.parts)


# ── grade ──────────────────────────────────────────────────────────────────────────────────────────

@dataclass
class Grade:
    student: str
    lab: labs.Lab
    status: str   # "passed", "failed", "not started", "missing"
    points: float
    reason: str


def grade(folder, names, json_file=None, csv_file=None):
    """Grades every student's files with this tree's checks. No submission can end the batch."""
    students = sorted(path for path in Path(folder).absolute().glob("*")
                      if path.is_dir() and not path.name.startswith("."))
    if not students:
        raise Failure(f"{shown(folder)} holds no folders; one a student is expected, laid out as the handout.")
    chosen = labs.find(names)
    with build.the_only_one():
        env = build.configure()
        failed = build.build([lab.program("starter") for lab in chosen], env).failed
    recipes = {lab: recipe_of(lab, env) for lab in chosen}
    if failed and any(not recipe for recipe in recipes.values()):
        raise Failure("The checks do not build here:\n" + "\n".join(failed.values()))
    grades = []
    try:
        for student in students:
            for lab in chosen:
                grades.append(_grade_one(student, lab, recipes[lab], env))
                one = grades[-1]
                print(f"{one.student}  {lab.name}  {one.status}  {one.reason}".rstrip(), flush=True)
    finally:  # interrupted, the grades so far are still written
        if csv_file:
            _write_csv(csv_file, grades)
        if json_file:
            _write_json(json_file, grades)
    passed = sum(one.status == "passed" for one in grades)
    print(f"\n{plural(len(students), 'student')}, {plural(len(chosen), 'lab')}: {passed} of {len(grades)} passed")
    return 0


def _grade_one(student, lab, recipe, env):
    source = find_submission(student, lab)
    if source is None:
        return Grade(student.name, lab, "missing", 0, "no file handed in")
    if student not in source.resolve().parents:
        return Grade(student.name, lab, "failed", 0, "the file is a link out of the student's folder")
    folder = Path(tempfile.mkdtemp(prefix="warp-weft-"))
    try:
        problem, program = compile_submission(recipe, source, folder, env)
        if problem:
            return Grade(student.name, lab, "failed", 0, problem)
        result = verdict.grade(program, lab.name, "starter")
        return Grade(student.name, lab, result.status, result.points, result.headline)
    except OSError as error:  # a name that is too long, a file that vanished: theirs alone
        build.check_disk(str(error))
        return Grade(student.name, lab, "failed", 0, f"could not be graded: {error}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def find_submission(student, lab):
    """A student's file for a lab: where the handout has it, or flatter, or below one folder more."""
    place = lab.starter.relative_to(ROOT)
    candidates = [student / place, student / lab.chapter / lab.topic / "starter.cu",
                  student / lab.topic / "starter.cu", student / f"{lab.topic}.cu"]
    candidates += sorted(student.glob(f"*/{place}"))
    return next((path for path in candidates if path.is_file()), None)


def recipe_of(lab, env):
    """Ninja's commands that compile and link the lab's starter, as (compile, link) words."""
    answer = build.in_group([str(build.environment.VENV / "bin/ninja"), "-C", str(build.BUILD), "-t", "commands",
                             lab.program("starter")], env)
    lines = [shlex.split(line) for line in answer.output.splitlines() if " -o " in line]
    compile_ = next((words for words in lines if "-c" in words and words[-1].endswith("starter.cu")), None)
    if not lines or compile_ is None:
        raise Failure(f"Ninja knows no way to build {lab.name}:\n{answer.output}")
    return compile_, lines[-1]


def compile_submission(recipe, source, folder, env):
    """Builds a submission with our recipe: (problem, None) or (None, program)."""
    compile_, link = recipe
    object_of_ours = compile_[compile_.index("-o") + 1]
    object_file, depfile, program = folder / "submission.o", folder / "submission.d", folder / "program"
    compile_ = [*compile_[:-1], str(source)]
    options = next(i for i, word in enumerate(compile_) if word.startswith("-"))  # `nvcc`, or `ccache nvcc`
    compile_[options:options] = ["-I", str(source.parent)]
    for option, value in (("-o", object_file), ("-MF", depfile), ("-MT", object_file)):
        if option in compile_:
            compile_[compile_.index(option) + 1] = str(value)
    link = [str(object_file) if word == object_of_ours else word for word in link]
    link[link.index("-o") + 1] = str(program)
    link += build.rpath()  # Ninja's is relative to the program's place
    for command in (compile_, link):
        outcome = runner.run(command, env, COMPILE_LIMIT, cwd=build.BUILD)
        if outcome.end != "exited":
            return f"does not compile: the compiler was stopped ({outcome.end})", None
        if outcome.code:
            build.check_disk(outcome.output)
            return "does not compile: " + build.clean(outcome.output).splitlines()[0], None
        if command is compile_ and depfile.exists() and "solution.cu" in depfile.read_text():
            return "includes a solution", None
    return None, program


def _write_csv(path, grades):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["student", "lab", "status", "points", "reason"])
        for one in grades:
            writer.writerow([one.student, one.lab.name, one.status, one.points, one.reason])


def _write_json(path, grades):
    entries = [{"student": one.student, "lab": one.lab.name, "status": one.status, "points": one.points,
                "reason": one.reason} for one in grades]
    Path(path).write_text(json.dumps({"grades": entries}, indent=2, ensure_ascii=False) + "\n")
