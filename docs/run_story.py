"""Runs one story on the simulated GPU and keeps what it counted, found and printed, as JSON.

    run_story.py ROOT OUTPUT DEVICE PROGRAM [ARGUMENTS]

A story that crashes or ends with a code other than 0 stops the build of the book. Paths in the JSON
are the repository's, so that the book is the same wherever it is built.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main(root, output, device, program, *arguments):
    root = Path(root).resolve()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        env = {name: value for name, value in os.environ.items() if not name.startswith("WARP_WEFT_")}
        env |= {"WARP_WEFT_JSON": str(report), "WARP_WEFT_TEXT": "0", "WARP_WEFT_TRACE": "1", "WARP_WEFT_ROOT": str(root),
                "WARP_WEFT_DEVICE": device}
        answer = subprocess.run([os.path.abspath(program), *arguments], env=env, cwd=root, text=True,
                                capture_output=True, timeout=120)
        if answer.returncode:
            sys.exit(f"{program} ended with {answer.returncode}.\n{answer.stdout}{answer.stderr}")
        try:
            run = json.loads(report.read_text())
        except (OSError, ValueError) as error:
            sys.exit(f"{program} left no report: {error}\n{answer.stderr}")
    run["stdout"] = answer.stdout
    text = json.dumps(run, indent=1, ensure_ascii=False).replace(f"{root}/", "")
    Path(output).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
