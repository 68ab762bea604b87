"""Prints where an nvcc keeps its headers and its libraries, one path a line.

nvcc knows best: its dry run prints the search paths of whatever layout it was installed in
(/usr/local/cuda, a distribution's package, or Python wheels).
"""

import os
import re
import subprocess
import sys


def search_paths(nvcc):
    """The (include, library) folders of the toolkit that the command `nvcc` belongs to."""
    dry_run = subprocess.run([*nvcc, "--dryrun", "-x", "cu", os.devnull], text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE).stderr
    top = re.search(r"^#\$ TOP=(.*)$", dry_run, re.M)
    roots = re.findall(r'"?-I([^"\n]+)"?', dry_run) + ([top[1] + "/include"] if top else [])
    include = next((os.path.realpath(root) for root in roots
                    if os.path.exists(os.path.join(root, "cuda_runtime.h"))), None)
    if include is None:
        sys.exit(f"{' '.join(nvcc)} does not say where cuda_runtime.h is; "
                 "is its toolkit complete (package nvidia-cuda-runtime)?")
    libraries = re.findall(r'"-L([^"\n]+)"', dry_run) + ([top[1] + "/lib"] if top else [])
    library = next((os.path.realpath(root) for root in libraries
                    if os.path.exists(os.path.join(root, "libcudart_static.a"))),
                   os.path.join(os.path.dirname(include), "lib"))
    return include, library


if __name__ == "__main__":
    print(*search_paths(sys.argv[1:]), sep="\n")
