"""What `./lab bench` makes of times: rates, shares, and the table; and a program that does not work."""

import io
import json
import os
import stat
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

from cli import bench, build, labs, measure, terminal, verdict


def time(variant, milliseconds, **work):
    return {"chapter": "06-matmul", "lab": "matmul", "variant": variant, "row": "", "of": "matrices",
            "milliseconds": milliseconds, "lowest": milliseconds, "highest": milliseconds, "bytes": 0, "operations": 0,
            "link": 0, "loads": 0, "copied": 4e8, "copy_milliseconds": 1.0, "copy_lowest": 0.9,
            "copy_highest": 1.2, "repetitions": 21, **work}


WHERE = {"device": "D", "driver": "1", "toolkit": "13", "date": "today", "commit": "abc"}


class Rates(unittest.TestCase):
    def test_memory_bound_work_is_bytes(self):
        self.assertEqual(bench.rate(time("solution", 2.0, bytes=4e8, operations=1e9)), (200.0, "GB/s"))

    def test_much_arithmetic_is_operations(self):
        self.assertEqual(bench.rate(time("solution", 4.0, operations=8e9, bytes=1e6)), (2.0, "TFLOP/s"))

    def test_a_pipeline_is_measured_by_its_link(self):
        self.assertEqual(bench.rate(time("solution", 10.0, link=5e8)), (50.0, "GB/s"))

    def test_the_table_has_shares_of_the_copy_and_of_the_library(self):
        times = [time("solution", 4.0, bytes=8e8), time("library", 2.0, bytes=8e8)]
        out = io.StringIO()
        with redirect_stdout(out):
            bench.report({**WHERE, "checks": [], "drives": [], "times": times, "failed": []})
        self.assertIn("50% of the copy    50% of the library", out.getvalue())

    def test_what_is_kept_has_a_row_for_each_version_and_the_copy(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(bench, "ROOT", Path(folder)):
            Path(folder, "docs").mkdir()
            bench.keep({**WHERE, "times": [time("naive", 4.0, bytes=8e8), time("solution", 2.0, bytes=8e8)]})
            kept = json.loads(Path(folder, "docs/measurements/matmul.json").read_text())
        self.assertEqual(kept["rows"]["naive"], {"milliseconds": 4.0, "lowest": 4.0, "highest": 4.0, "bytes": 800000000})
        self.assertEqual(kept["rows"]["copy"], {"milliseconds": 2.0, "lowest": 1.8, "highest": 2.4, "bytes": 800000000})
        self.assertEqual((kept["commit"], kept["of"]), ("abc", "matrices"))
        self.assertEqual(kept["rate"], {"of": "bytes", "unit": "GB/s", "scale": 1e9})


class Programs(unittest.TestCase):
    """What Meson says it builds, sorted by what it is for."""

    def programs(self, tests=(), targets=()):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(build, "BUILD", Path(folder)), \
                mock.patch.object(labs, "find", return_value=[mock.Mock(chapter="06-matmul")]):
            Path(folder, "meson-info").mkdir()
            Path(folder, "meson-info/intro-tests.json").write_text(json.dumps(
                [{"suite": ["warp-and-weft:" + suite for suite in suites],
                  "cmd": ["python", "--lab", "06-matmul/tiled", "--variant", variant, "--suite", suites[0], "--",
                          f"{folder}/tests/{variant}"]} for variant, suites in tests]))
            Path(folder, "meson-info/intro-targets.json").write_text(json.dumps(
                [{"name": name, "type": kind, "filename": [f"{folder}/chapters/{name}"]} for name, kind in targets]))
            with mock.patch.object(bench, "_commit"), mock.patch.object(bench, "_toolkit"):
                return bench.programs({})

    def test_solutions_and_steps_of_a_real_gpu_are_graded_and_nothing_else(self):
        checks = self.programs(tests=[("solution", ["reference", "gpu"]), ("row", ["steps", "gpu"]),
                                      ("starter", ["submission", "gpu"]), ("mistake", ["mutants", "gpu"]),
                                      ("here", ["reference"]), ("silent", ["steps", "plain"])])["checks"]
        self.assertEqual([("solution", "reference", "tests/solution"), ("row", "steps", "tests/row")],
                         [(check["variant"], check["suite"], check["program"]) for check in checks])

    def test_drives_and_times_are_told_apart_by_their_names(self):
        found = self.programs(targets=[("drive-06-matmul-wmma", "executable"),
                                       ("time-06-matmul-matmul-half-mma", "executable"),
                                       ("time-06-matmul-matmul-row", "static library"),
                                       ("story-06-matmul-row", "executable"), ("drive-09-other-x", "executable")])
        self.assertEqual([("06-matmul", "wmma")], [(drive["chapter"], drive["name"]) for drive in found["drives"]])
        self.assertEqual([("matmul-half", "mma", "chapters/time-06-matmul-matmul-half-mma")],
                         [(time["lab"], time["variant"], time["program"]) for time in found["times"]])


class Carrying(unittest.TestCase):
    """`--on HOST`, with a stand-in for ssh that is this machine."""

    def on(self, program, ssh="#!/bin/sh\ncd \"$THERE\" && exec sh -c \"$2\"\n"):
        with tempfile.TemporaryDirectory() as outer:
            built, there, tools = (Path(outer, name) for name in ("build", "there", "bin"))
            for folder in (built, there, tools):
                folder.mkdir()
            for path, text in ((built / "time", program), (tools / "ssh", ssh)):
                path.write_text(text)
                path.chmod(0o755)
            manifest = {**WHERE, "checks": [], "drives": [],
                        "times": [{"chapter": "a", "lab": "b", "variant": "solution", "program": "time"}]}
            path = f"{tools}:{os.environ['PATH']}"
            with mock.patch.object(bench.build, "BUILD", built), \
                    mock.patch.dict(os.environ, {"PATH": path, "THERE": str(there)}):
                return bench._on("somewhere", manifest)

    def test_what_was_measured_there_comes_back(self):
        measured = self.on("#!/bin/sh\necho '" + json.dumps({"row": "", "milliseconds": 2.5}) + "'\n")
        self.assertEqual([time["milliseconds"] for time in measured["times"]], [2.5])

    def test_a_host_that_does_not_answer_is_told(self):
        with self.assertRaisesRegex(terminal.Failure, "Measuring on somewhere failed"):
            self.on("#!/bin/sh\n", "#!/bin/sh\nexit 255\n")


class Measuring(unittest.TestCase):
    """Programs that stand in for the real ones."""

    def measured(self, time_program, drive_program="#!/bin/sh\nexit 0\n", suite="reference",
                 judged=verdict.Verdict("passed", "all well")):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("time", time_program), ("drive", drive_program)):
                path = Path(folder, name)
                path.write_text(text)
                path.chmod(path.stat().st_mode | stat.S_IXUSR)
            manifest = {"commit": "abc", "toolkit": "13.0", "checks": [{"lab": "a/b", "variant": "v", "suite": suite, "program": "x"}],
                        "drives": [{"chapter": "a", "name": "d", "program": "drive"}],
                        "times": [{"chapter": "a", "lab": "b", "variant": "solution", "program": "time"}]}
            self.said = []
            with mock.patch.object(verdict, "grade", return_value=judged), \
                    mock.patch.object(measure, "_where", return_value=WHERE):
                return measure.measure(Path(folder), manifest, self.said.append)

    def test_what_a_program_prints_is_kept_with_its_name(self):
        line = json.dumps({"row": "", "milliseconds": 1.5})
        results = self.measured(f"#!/bin/sh\necho '{line}'\n")
        self.assertEqual(results["times"], [{"chapter": "a", "lab": "b", "variant": "solution", "row": "", "milliseconds": 1.5}])
        self.assertTrue(bench.all_right(results))

    def test_a_program_that_fails_is_told_and_leaves_no_time(self):
        results = self.measured("#!/bin/sh\necho no device >&2\nexit 1\n")
        self.assertEqual(results["times"], [])
        self.assertFalse(bench.all_right(results))
        self.assertTrue(any("FAILED" in line and "no device" in line for line in self.said))

    def test_a_gate_that_is_not_met_is_wrong_for_a_solution_and_not_for_a_step(self):
        judged = verdict.Verdict("failed", "a gate", record={"status": "failed", "cases": [{"name": "c", "passed": True}],
                                                             "gates": [{"name": "g", "passed": False}]})
        for suite, right in (("reference", False), ("steps", True)):
            self.assertEqual(right, bench.all_right(self.measured("#!/bin/sh\n", suite=suite, judged=judged)))

    def test_a_wrong_result_is_not_all_right(self):
        results = self.measured("#!/bin/sh\n", "#!/bin/sh\necho largest error: 3\nexit 1\n")
        self.assertFalse(bench.all_right(results))
        out = io.StringIO()
        with redirect_stdout(out):
            bench.report(results)
        self.assertIn("a/d: largest error: 3", out.getvalue())


if __name__ == "__main__":
    unittest.main()
