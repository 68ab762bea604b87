"""Set-up: brings a machine to the point where the labs build, and says what it does.

Three layers, each looked at before it is touched: system packages (installed as root, otherwise the
one command is printed), Python tools in .venv, and nvcc: the one on PATH, or the pinned wheels in
.venv. The second time, a stamp in .venv says that nothing is to do.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from . import terminal
from .labs import ROOT
from .terminal import Failure, note

VENV = ROOT / ".venv"
STAMP = VENV / "lab.json"
OLDEST_NVCC = (13, 0)

# What the build needs from the system: how to see that it is there, and Debian's name for it.
SYSTEM = {
    "g++": lambda: shutil.which("g++"),
    "doctest-dev": lambda: os.path.exists("/usr/include/doctest/doctest.h"),
    "nlohmann-json3-dev": lambda: os.path.exists("/usr/include/nlohmann/json.hpp"),
    "python3-venv": lambda: VENV.exists() or _has_ensurepip(),
}
# The same for the book.
SYSTEM_FOR_THE_BOOK = {"doxygen": lambda: shutil.which("doxygen")}


def prepare(for_the_book=False):
    """Installs what is missing. Returns the environment in which Meson, Ninja and nvcc run."""
    for_the_book = for_the_book and (ROOT / "docs").exists()  # a handout has none
    wanted = ["requirements.txt"] + (["requirements-docs.txt"] if for_the_book else [])
    system = SYSTEM | (SYSTEM_FOR_THE_BOOK if for_the_book else {})
    stamp = _stamp()
    nvcc = _nvcc_of_the_system()
    if nvcc is None:
        wanted.append("requirements-nvcc.txt")
    missing = [package for package, present in system.items() if not present()]
    if missing:
        _install_system_packages(missing)
    wanted = [name for name in wanted if stamp.get(name) != _digest(name)]
    if wanted:
        _make_venv()
        stamp["place"] = str(VENV)
        for name in wanted:
            _pip_install(name)
            stamp[name] = _digest(name)
            STAMP.write_text(json.dumps(stamp, indent=2) + "\n")
    return _environment(nvcc or _nvcc_of_the_venv())


def _environment(nvcc):
    env = dict(os.environ)
    env["PATH"] = os.pathsep.join([str(VENV / "bin"), os.path.dirname(nvcc), env["PATH"]])
    env["WARP_WEFT_NVCC"] = nvcc
    env["CLICOLOR_FORCE"] = "0"
    return env


def _has_ensurepip():
    try:
        import ensurepip  # noqa: F401  (Debian ships it in python3-venv)
        return True
    except ImportError:
        return False


def _stamp():
    """What was installed before, as long as it still works: a moved tree makes a .venv useless."""
    try:
        stamp = json.loads(STAMP.read_text())
    except (OSError, ValueError):
        return {}
    return stamp if stamp.get("place") == str(VENV) and os.access(VENV / "bin/python", os.X_OK) else {}


def _digest(name):
    return hashlib.sha256((ROOT / name).read_bytes()).hexdigest()[:16]


def _install_system_packages(packages):
    apt = shutil.which("apt-get")
    command = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    if not apt or os.geteuid() != 0:
        raise Failure(f"Missing on this system: {', '.join(packages)}. Please run\n\n"
                      f"    sudo {' '.join(command)}\n\nand then ./lab again. (On another system, install "
                      "what corresponds to these Debian packages.)")
    note(f"Installing {', '.join(packages)} (apt-get)…")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _must_run(["apt-get", "update", "-qq"], "Fetching the package lists", env)
    _must_run(command, "Installing system packages", env)


def _make_venv():
    if _venv_works():
        return
    if VENV.exists():
        note("The Python environment in .venv does not work here (was the folder moved?); making it anew…")
        shutil.rmtree(VENV)
    else:
        note("Making a Python environment in .venv…")
    _must_run([sys.executable, "-m", "venv", str(VENV)], "Making .venv")


def _venv_works():
    """Its scripts carry absolute paths, so it must still be where it was made."""
    pip = VENV / "bin/pip"
    try:
        first_line = pip.read_text().splitlines()[:2]
    except (OSError, UnicodeDecodeError, IndexError):
        return False
    return os.access(VENV / "bin/python", os.X_OK) and any(str(VENV) in line for line in first_line)


def _pip_install(name):
    what = {"requirements.txt": "Meson and Ninja", "requirements-docs.txt": "Sphinx, for the book",
            "requirements-nvcc.txt": "nvcc (about 100 MB to fetch, 280 MB on disk)"}[name]
    note(f"Installing {what} into .venv (pip)…")
    _must_run([str(VENV / "bin/python"), "-m", "pip", "install", "--disable-pip-version-check",
               "--no-input", "-r", str(ROOT / name)], f"Installing {what}")
    if name == "requirements-nvcc.txt":
        _complete_toolkit()


def _must_run(command, what, env=None):
    """Runs a long command quietly, its last line as progress; on failure shows its output."""
    terminal.start_progress()
    lines = []
    with subprocess.Popen(command, env=env, cwd=ROOT, text=True, errors="replace",
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            lines.append(line.rstrip())
            terminal.progress(f"{what}: {line.strip()}")
    terminal.clear_progress()
    if process.returncode:
        if any("No space left on device" in line for line in lines):
            raise OSError(28, "No space left on device")
        tail = "\n".join("  | " + line for line in lines[-15:])
        raise Failure(f"{what} failed:\n{tail}\n\nThe command was: {' '.join(command)}\n"
                      "It needs the network. ./lab takes up where it stopped.")


def _nvcc_of_the_system():
    """nvcc on PATH, or where CUDA_HOME or CUDA_PATH point, if it is recent enough."""
    folders = [os.path.join(os.environ[name], "bin")
               for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    own = str(VENV) + os.sep
    for candidate in [shutil.which("nvcc"), *(shutil.which("nvcc", path=path) for path in folders)]:
        if candidate and not os.path.abspath(candidate).startswith(own):
            if _version(candidate) >= OLDEST_NVCC:
                return candidate
    return None


def _nvcc_of_the_venv():
    found = sorted(VENV.glob("lib/python3*/site-packages/nvidia/cu13/bin/nvcc"))
    if not found:
        raise Failure("nvcc was installed into .venv but is not there. Remove the folder .venv and try again.")
    return str(found[-1])


def _version(nvcc):
    """(major, minor) of an nvcc; remembered in the stamp's neighbour, because asking takes 50 ms."""
    try:
        stat = os.stat(nvcc)
    except OSError:
        return (0, 0)
    key = f"{nvcc} {stat.st_size} {stat.st_mtime_ns}"
    memory = ROOT / ".cache/lab/nvcc.json"
    try:
        known = json.loads(memory.read_text())
    except (OSError, ValueError):
        known = {}
    if key not in known:
        answer = subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout
        found = re.search(r"release (\d+)\.(\d+)", answer)
        known[key] = [int(found[1]), int(found[2])] if found else [0, 0]
        memory.parent.mkdir(parents=True, exist_ok=True)
        memory.write_text(json.dumps(known))
    return tuple(known[key])


def _complete_toolkit():
    """The wheels keep libraries in lib/; nvcc looks in lib64/ and for a plain libcudart.so."""
    top = Path(_nvcc_of_the_venv()).parent.parent
    for link, target in ((top / "lib64", "lib"), (top / "lib/libcudart.so", "libcudart.so.13")):
        if not link.exists():
            link.symlink_to(target)
