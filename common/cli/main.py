"""The commands of `lab` and how each ends."""

import argparse
import errno
import os
import signal
import sys
import traceback

from . import terminal
from .terminal import Failure, note

EPILOG = """LAB is a chapter (4, 04-shared-memory), a lab (04-shared-memory/stencil) or a topic (stencil).
Exit codes: 0 all well; 1 something failed or was found; 2 the request could not be carried out;
77 nothing was graded, because nothing has been started; 130 interrupted."""


SCHEDULE = "another legal order of blocks, warps, diverged lanes and streams, the same for the same number"


def main(arguments):
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, _terminated)
    try:
        return _dispatch(_parser().parse_args(arguments)) or 0
    except Failure as failure:
        note(f"lab: {failure}")
        return failure.code
    except KeyboardInterrupt:
        note("\nInterrupted. What was built so far is kept.")
        return 130
    except BrokenPipeError:  # `./lab list | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        return _system_error(error)


def _terminated(_signal, _frame):
    raise KeyboardInterrupt


def _system_error(error):
    place = f" ({error.filename})" if error.filename else ""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        note(f"lab: The disk is full{place}. Nothing of yours was changed. Make room (the folder build/ can "
             "be removed\nat any time: ./lab makes it anew) and try again.")
        return 2
    if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
        note(f"lab: Not permitted: {error.strerror}{place}. ./lab writes into build/, .venv/ and .cache/ of its "
             "own folder;\nis the folder yours?")
        return 2
    traceback.print_exc()
    note("lab: This is unexpected; please report it with the lines above.")
    return 2


def _seed(text):
    if not text.isdecimal() or not 0 < int(text) < 1 << 64:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number above 0")
    return text


def _parser():
    parser = argparse.ArgumentParser(prog="./lab", description="Warp & Weft: a CUDA lab book.", epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    check = commands.add_parser("check", help="build and grade labs; the first failure first")
    check.add_argument("labs", nargs="*", metavar="LAB")
    check.add_argument("--reference", action="store_true", help="grade the solutions instead of your files")
    check.add_argument("--json", metavar="FILE", help="also write the verdicts as JSON")
    check.add_argument("--device", help="the simulated device (see the manual; default: a small CC 8.0)")
    check.add_argument("--schedule", type=_seed, metavar="SEED", help=SCHEDULE)

    run = commands.add_parser("run", help="run a lab, or any CUDA program, on the simulated GPU")
    run.add_argument("target", metavar="LAB|FILE.cu")
    run.add_argument("--nvcc-flag", action="append", default=[], metavar="FLAG", help="passed to nvcc")
    run.add_argument("--json", metavar="FILE", help="also write counters and findings as JSON")
    run.add_argument("--trace", metavar="FILE", help="also write the modelled timeline, for ui.perfetto.dev")
    run.add_argument("--device", help="the simulated device; several with commas: small,small")
    run.add_argument("--schedule", type=_seed, metavar="SEED", help=SCHEDULE)
    run.add_argument("--reference", action="store_true", help="of a lab, run the solution")
    run.add_argument("arguments", nargs="*", metavar="-- ARGS", help="the program's own arguments")

    watch = commands.add_parser("watch", help="grade a lab each time you save it")
    watch.add_argument("lab", nargs="?", metavar="LAB")

    hint = commands.add_parser("hint", help="the next hint for a lab")
    hint.add_argument("lab", metavar="LAB")
    hint.add_argument("--all", action="store_true", help="all hints at once")

    commands.add_parser("list", help="all labs and how far you are")

    reset = commands.add_parser("reset", help="back to the shipped starter (your text is kept)")
    reset.add_argument("lab", metavar="LAB")

    test = commands.add_parser("test", help="everything: all suites")
    test.add_argument("suites", nargs="*", metavar="SUITE")

    book = commands.add_parser("book", help="build the book")
    book.add_argument("--open", action="store_true", help="and open it in a browser")

    bench = commands.add_parser("bench", help="solutions and stories on a real GPU, with times")
    bench.add_argument("--json", metavar="FILE", help="also write the results as JSON")
    bench.add_argument("--on", metavar="USER@HOST", help="measure on that machine, through ssh")
    bench.add_argument("--pack", metavar="FILE.tar.xz", help="build for a machine that has a GPU and little else")
    bench.add_argument("--show", metavar="FILE", help="print results that came back from there")
    bench.add_argument("--keep", metavar="FILE", help="and put them into docs/measurements, for the book")

    handout = commands.add_parser("handout", help="for instructors: a copy without solutions")
    handout.add_argument("folder", metavar="DIR")
    handout.add_argument("labs", nargs="*", metavar="LAB", help="the labs to hand out (default: all)")

    grade = commands.add_parser("grade", help="for instructors: grade a class")
    grade.add_argument("folder", metavar="DIR", help="one folder a student, laid out as the handout is")
    grade.add_argument("labs", nargs="*", metavar="LAB")
    grade.add_argument("--json", metavar="FILE")
    grade.add_argument("--csv", metavar="FILE")

    commands.add_parser("help", help="this text")
    return parser


def _dispatch(options):
    command = options.command
    if getattr(options, "schedule", None):
        os.environ["WARP_WEFT_SCHEDULE"] = options.schedule  # read by every program that is run
    if command in (None, "help"):
        _parser().print_help()
        return 0 if command else 2
    if command == "check":
        from . import check
        return check.check(options.labs, options.reference, options.json, options.device)
    if command == "run":
        from . import run
        return run.run(options.target, options.nvcc_flag, options.json, options.arguments, options.device,
                       options.reference, options.trace)
    if command in ("watch", "hint", "list", "reset"):
        from . import course
        return {"watch": lambda: course.watch(options.lab),
                "hint": lambda: course.hint(options.lab, options.all),
                "list": course.list_labs,
                "reset": lambda: course.reset(options.lab)}[command]()
    if command in ("test", "book"):
        from . import suites
        return suites.test(options.suites) if command == "test" else suites.book(options.open)
    if command == "bench":
        from . import bench
        return bench.bench(options.pack, options.show, options.json, options.keep, options.on)
    from . import instructors
    if command == "handout":
        return instructors.handout(options.folder, options.labs)
    return instructors.grade(options.folder, options.labs, options.json, options.csv)
