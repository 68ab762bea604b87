"""Finds the mutants below a folder, for tests/meson.build.

    mutants.py FOLDER                   print the name of each .cu file in it, without .cu
    mutants.py --list FOLDER OUTPUT     write the list of all below it: what the build knows
    mutants.py --compare FOLDER LIST    fail if a file has come or gone since
"""

import sys
from pathlib import Path


def all_below(folder):
    return "".join(f"{path.relative_to(folder).as_posix()}\n" for path in sorted(Path(folder).rglob("*.cu")))


def main(*arguments):
    if len(arguments) == 1:
        print(*sorted(path.stem for path in Path(arguments[0]).glob("*.cu")), sep="\n")
        return 0
    action, folder, file = arguments
    if action == "--list":
        Path(file).write_text(all_below(folder))
    elif Path(file).read_text() != all_below(folder):
        print(f"The mutants under {folder} are not those of this build; meson setup --reconfigure takes them up.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
