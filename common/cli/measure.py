"""Measures packed programs on a real GPU: needs Python and a driver, and nothing else of this project.

    measure.py [RESULTS.json]

Reads manifest.json beside it (made by `./lab bench`), grades what is to be graded, times what is to be
timed, and writes one JSON file with where and when. Clocks and settings of the GPU stay as they are.
"""

import datetime
import json
import subprocess
import sys
from pathlib import Path

if __package__:
    from . import verdict
else:  # unpacked on another machine
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from cli import verdict

SECONDS = 120


def measure(folder, manifest, progress=print):
    results = {**_where(), "commit": manifest["commit"], "toolkit": manifest["toolkit"], "checks": [], "drives": [],
               "times": [], "failed": []}
    for entry in manifest["checks"]:
        judged = verdict.grade(folder / entry["program"], entry["lab"], entry["variant"], seconds=SECONDS)
        if entry.get("suite") == "steps":
            judged = verdict.of_step(judged)
        results["checks"].append({"lab": entry["lab"], "variant": entry["variant"], "status": judged.status,
                                  "headline": judged.headline})
        progress(f"{judged.status:12} {entry['lab']} ({entry['variant']})")
    for entry in manifest["drives"]:
        done = _run(folder / entry["program"])
        results["drives"].append({"chapter": entry["chapter"], "name": entry["name"], "passed": done.returncode == 0,
                                  "said": (done.stdout + done.stderr).strip()})
        progress(f"{'right' if done.returncode == 0 else 'WRONG':12} {entry['chapter']}/{entry['name']}")
    for entry in manifest["times"]:
        done = _run(folder / entry["program"])
        if done.returncode != 0:
            failed = {"program": f"{entry['chapter']}/{entry['lab']} ({entry['variant']})", "said": done.stderr.strip()}
            results["failed"].append(failed)
            progress(f"{'FAILED':12} {failed['program']}: {failed['said']}")
        for line in done.stdout.splitlines():
            time = {key: entry[key] for key in ("chapter", "lab", "variant")} | json.loads(line)
            results["times"].append(time)
            progress(f"{time['milliseconds']:9.3f} ms {time['chapter']}/{time['lab']} {time['row'] or time['variant']}")
    return results


def _run(program):
    try:
        return subprocess.run([program], capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess([program], 124, "", f"not done after {SECONDS} s")


def _where():
    try:
        asked = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"],
                               capture_output=True, text=True).stdout
    except FileNotFoundError:
        asked = ""
    name, driver, capability = (asked.splitlines() or ["unknown, unknown, unknown"])[0].split(", ")
    return {"device": name, "driver": driver, "compute_capability": capability,
            "date": datetime.date.today().isoformat()}


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "results.json")
    target.write_text(json.dumps(measure(here, json.loads((here / "manifest.json").read_text())), indent=1) + "\n")
    print(f"Written to {target}.")
