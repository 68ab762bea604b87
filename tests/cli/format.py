"""The sources are formatted as .clang-format says. Without clang-format the test is skipped (77)."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("common", "chapters", "exercises", "solutions", "tests")
ENDINGS = {".h", ".cc", ".cu", ".cuh"}

if not shutil.which("clang-format"):
    print("clang-format is not installed")
    sys.exit(77)
sources = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in ENDINGS)
if not sources:
    sys.exit(f"no sources under {ROOT}")
answer = subprocess.run(["clang-format", "--dry-run", "-Werror", *sources])
if answer.returncode:
    print("clang-format -i on the files above puts this right")
sys.exit(answer.returncode)
