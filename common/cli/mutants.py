"""Finds the mutants below a folder, for tests/meson.build.

    mutants.py FOLDER                    print the name of each .cu file in it, without .cu
    mutants.py FOLDER OUTPUT DEPFILE     write the list, and a depfile that names every folder of the
                                         tree: a folder changes when a file comes or goes
"""

import sys
from pathlib import Path


def main(folder, output=None, depfile=None):
    folder = Path(folder)
    if output is None:
        print(*sorted(path.stem for path in folder.glob("*.cu")), sep="\n")
        return
    Path(output).write_text("".join(f"{path}\n" for path in sorted(folder.rglob("*.cu"))))
    folders = [folder, *sorted(path for path in folder.rglob("*") if path.is_dir())]
    escaped = [str(path).replace(" ", "\\ ") for path in folders if path.exists()]
    Path(depfile).write_text(f"{Path(output).name}: {' '.join(escaped)}\n")


main(*sys.argv[1:])
