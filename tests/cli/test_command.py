"""`lab` as a learner types it, in a small tree of its own: the real rule and command, a stand-in for
the simulated GPU, one lab that does what a variable in its starter says. The folder's name has spaces
and letters beyond ASCII."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

STAND_IN_RUNTIME = """
#include <cuda_runtime_api.h>
extern "C" {
void** __cudaRegisterFatBinary(void*) { static void* handle; return &handle; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*, void*, int*) {}
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t, void*) { return 1; }
cudaError_t __cudaPopCallConfiguration(dim3*, dim3*, size_t*, void*) { return cudaSuccess; }
cudaError_t __cudaGetKernel(cudaKernel_t*, const void*) { return cudaSuccess; }
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t) { return cudaSuccess; }
}
"""
STARTER = """#include "answer.h"
__global__ void kernel() {}
// [solution]
int answer() {
  kernel<<<1, 1>>>();
  return 0;  // LAB_TODO("the answer")
}
// [solution]
"""
CHECKS = """
#include <cstdio>
#include <cstdlib>
#include <string>
#include "answer.h"
int main() {
  const std::string nonce = std::getenv("WARP_WEFT_NONCE");
  const int value = answer();
  const char* status = value == 42 ? "passed" : value == 0 ? "not started" : "failed";
  FILE* record = std::fopen(std::getenv("WARP_WEFT_RECORD"), "w");
  std::fprintf(record, R"({"complete": true, "nonce": "%s", "status": "%s", "points": 2, "gates": [],
    "cases": [{"name": "the answer", "passed": %s, "message": "answer() is %d; expected 42"}]})",
               nonce.c_str(), status, value == 42 ? "true" : "false", value);
  std::fclose(record);
  return value == 42 ? 0 : value == 0 ? 77 : 1;
}
"""
FILES = {
    "common/sim/meson.build": "sim = shared_library('warpweft_sim', 'runtime.cc', dependencies: cuda_headers, "
                              "override_options: ['werror=false'])\n"
                              "sim_dep = declare_dependency(link_with: sim)\n",
    "common/sim/runtime.cc": STAND_IN_RUNTIME,
    "common/lab/meson.build": "lab_dep = declare_dependency(include_directories: common_inc)\n",
    "common/profile/meson.build": "profile_sim_dep = declare_dependency()\n"
                                  "profile_cupti_dep = declare_dependency()\n",
    "common/bench/meson.build": "bench_dep = lab_dep\n",
    "chapters/meson.build": None,
    "chapters/01-programming-model/answer.h": "#pragma once\nint answer();\n",
    "chapters/01-programming-model/starter.cu": STARTER,
    "chapters/01-programming-model/solution.cu": STARTER.replace("return 0;", "return 42;").replace("LAB_TODO", ""),
    "chapters/01-programming-model/checks.cc": CHECKS,
    "chapters/01-programming-model/hints.md": "# Hints\n\n## First\n\nThink.\n\n## Second\n\nIt is 42.\n",
    "tests/mutants/01-programming-model/answer/off_by_one.cu":
        "// expect: the answer\n" + STARTER.replace("return 0;", "return 43;"),
}


@unittest.skipUnless((ROOT / ".venv/lab.json").exists(), "needs the .venv that ./lab makes")
class Command(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.outer = tempfile.mkdtemp(prefix="warp weft wörk ")
        cls.tree = Path(cls.outer, "a tree, größer")
        for path in ("lab", "meson.build", "meson_options.txt", "requirements.txt", "requirements-nvcc.txt",
                     "common/meson.build", "exercises/meson.build", "tests/meson.build"):
            (cls.tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, cls.tree / path)
        shutil.copytree(ROOT / "common/cli", cls.tree / "common/cli")
        for path, text in FILES.items():
            (cls.tree / path).parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                text = (ROOT / path).read_text().replace("saxpy", "answer")
            (cls.tree / path).write_text(text)
        # The tools that are installed already, as if they had been installed here.
        (cls.tree / ".venv").mkdir()
        for entry in (ROOT / ".venv").iterdir():
            if entry.name != "lab.json":
                (cls.tree / ".venv" / entry.name).symlink_to(entry)
        stamp = json.loads((ROOT / ".venv/lab.json").read_text())
        (cls.tree / ".venv/lab.json").write_text(json.dumps(stamp | {"place": str(cls.tree / ".venv")}))
        cls.starter = cls.tree / "chapters/01-programming-model/starter.cu"
        first = cls.lab("check")
        assert "not started" in first.stdout, first.stdout + first.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.outer)

    def setUp(self):
        self.starter.write_text(STARTER)

    @classmethod
    def lab(cls, *arguments, folder=None, env=None):
        return subprocess.run([cls.tree / "lab", *arguments], cwd=folder or cls.tree, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL, env=env)

    def with_answer(self, code):
        self.starter.write_text(STARTER.replace("return 0;", code))
        return self.lab("check", "1")

    def test_an_untouched_starter_is_neither_passed_nor_failed(self):
        answer = self.lab("check")
        self.assertEqual(77, answer.returncode)
        self.assertIn("0 passed, 0 failed, 1 not started", answer.stdout)

    def test_a_right_answer_passes(self):
        answer = self.with_answer("return 42;")
        self.assertEqual((0, True), (answer.returncode, "1 passed, 0 failed" in answer.stdout), answer.stdout)
        self.assertIn("passed", self.lab("list").stdout)

    def test_a_wrong_answer_fails_and_says_why(self):
        answer = self.with_answer("return 41;")
        self.assertEqual(1, answer.returncode)
        self.assertTrue(answer.stdout.startswith('01-programming-model/answer: case "the answer" failed'))
        self.assertIn("answer() is 41; expected 42", answer.stdout)
        self.assertIn("chapters/01-programming-model/starter.cu", answer.stdout)

    def test_a_starter_that_does_not_compile(self):
        answer = self.with_answer("return 42")
        self.assertEqual(1, answer.returncode)
        self.assertIn('chapters/01-programming-model/starter.cu:7: error: expected a ";"', answer.stdout)
        self.assertNotIn("gencode", answer.stdout + answer.stderr)

    def test_a_starter_that_exits_with_0(self):
        answer = self.with_answer('__builtin_printf("1 passed, 0 failed\\n"), exit(0);')
        self.assertEqual(1, answer.returncode)
        self.assertIn("without a verdict", answer.stdout)

    def test_the_learners_file_is_untouched(self):
        self.with_answer("while (true) __builtin_trap();")
        self.assertIn("__builtin_trap", self.starter.read_text())

    def test_it_works_from_any_folder(self):
        answer = self.lab("check", "1", folder="/")
        self.assertEqual(77, answer.returncode, answer.stderr)

    def test_the_reference_passes(self):
        answer = self.lab("check", "--reference", "--json", "verdicts.json")
        self.assertEqual(0, answer.returncode, answer.stdout)
        verdicts = json.loads((self.tree / "verdicts.json").read_text())
        self.assertEqual(("passed", 2), (verdicts["labs"][0]["status"], verdicts["labs"][0]["points"]))

    def test_an_unknown_lab(self):
        answer = self.lab("check", "1/anser")
        self.assertEqual(2, answer.returncode)
        self.assertIn("Did you mean answer?", answer.stderr)

    def test_the_second_time_is_fast_and_quiet(self):
        self.lab("check")
        start = time.monotonic()
        answer = self.lab("check")
        self.assertEqual("", answer.stderr)
        self.assertLess(time.monotonic() - start, 3)  # 0.2 s on an idle machine

    def test_two_at_once_wait_for_each_other(self):
        holder = subprocess.Popen([sys.executable, "-c", "import fcntl, sys, time\n"
                                   f"file = open({str(self.tree / '.cache/lab/lock')!r}, 'w')\n"
                                   "fcntl.flock(file, fcntl.LOCK_EX); print('held', flush=True); time.sleep(1)"],
                                  stdout=subprocess.PIPE)
        holder.stdout.readline()
        answer = self.lab("check")
        holder.communicate()
        self.assertIn("Another ./lab is building here; waiting", answer.stderr)
        self.assertEqual(77, answer.returncode)

    def test_an_interrupt_ends_cleanly(self):
        self.starter.write_text(STARTER.replace("return 0;", "while (*(volatile int*)&answer) {} return 1;"))
        process = subprocess.Popen([self.tree / "lab", "check"], cwd=self.tree, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        program = f"{self.tree}/build/tests/01-programming-model-answer-starter-sim".encode()
        for _ in range(300):
            if running(program):
                break
            time.sleep(0.05)
        self.assertTrue(running(program))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
        self.assertEqual(130, process.returncode)
        self.assertIn("Interrupted", errors)
        self.assertNotIn("Traceback", errors)
        self.assertFalse(running(program))

    def test_an_interrupt_while_compiling_ends_the_compiler(self):
        self.starter.write_text(STARTER + "// " + str(time.time()))
        process = subprocess.Popen([self.tree / "lab", "check"], cwd=self.tree, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
        self.assertEqual(130, process.returncode, errors)
        self.assertNotIn("Traceback", errors)

    def test_hints_come_one_by_one(self):
        first, second = self.lab("hint", "1").stdout, self.lab("hint", "1").stdout
        self.assertTrue("Think." in first and "42" not in first, first)
        self.assertIn("It is 42.", second)

    def test_reset_keeps_the_old_text(self):
        (self.tree / ".shipped/chapters/01-programming-model").mkdir(parents=True)
        (self.tree / ".shipped/chapters/01-programming-model/starter.cu").write_text(STARTER)
        self.starter.write_text("// mine")
        answer = self.lab("reset", "1")
        self.assertEqual(0, answer.returncode, answer.stderr)
        self.assertEqual(STARTER, self.starter.read_text())
        kept = list(self.starter.parent.glob("starter.cu.*.orig"))
        self.assertEqual(["// mine"], [path.read_text() for path in kept])
        kept[0].unlink()
        shutil.rmtree(self.tree / ".shipped")

    def test_run_compiles_any_program(self):
        Path(self.outer, "mein programm.cu").write_text(
            "#include <cstdio>\nint main(int, char** v) { std::puts(v[1]); return 3; }\n")
        answer = self.lab("run", "mein programm.cu", "--", "--flag", folder=self.outer)
        self.assertEqual((3, "--flag\n"), (answer.returncode, answer.stdout), answer.stderr)

    def test_run_shows_the_compilers_message(self):
        Path(self.outer, "broken.cu").write_text("int main() { return x; }\n")
        answer = self.lab("run", "broken.cu", folder=self.outer)
        self.assertEqual(1, answer.returncode)
        self.assertIn('broken.cu:1: error: identifier "x" is undefined', answer.stderr)

    def test_a_class_is_graded_whatever_is_handed_in(self):
        hand_in = {"anna/chapters/01-programming-model/starter.cu": "return 42;", "ben/answer.cu": "return 7;",
                   "cem/answer.cu": "exit(0);", "dora/answer.cu": "return", "änne/answer.cu": "return 42;"}
        for path, code in hand_in.items():
            path = Path(self.outer, "class", path)
            path.parent.mkdir(parents=True)
            path.write_text(STARTER.replace("return 0;", code))
        Path(self.outer, "class/emil").mkdir()
        Path(self.outer, "class/finn").mkdir()
        Path(self.outer, "class/finn/answer.cu").write_text(f'#include "{self.tree}/chapters/01-programming-model/solution.cu"\n')
        answer = self.lab("grade", str(Path(self.outer, "class")), "--json", "grades.json")
        self.assertEqual(0, answer.returncode, answer.stderr)
        grades = {entry["student"]: entry for entry in json.loads((self.tree / "grades.json").read_text())["grades"]}
        self.assertEqual({"anna": "passed", "ben": "failed", "cem": "failed", "dora": "failed", "emil": "missing",
                          "finn": "failed", "änne": "passed"},
                         {student: entry["status"] for student, entry in grades.items()})
        self.assertEqual([2, 0], [grades["anna"]["points"], grades["ben"]["points"]])
        self.assertEqual("includes a solution", grades["finn"]["reason"])

    def test_a_handout_has_no_solutions_and_still_grades(self):
        (self.tree / ".shipped/chapters/01-programming-model").mkdir(parents=True)
        (self.tree / ".shipped/chapters/01-programming-model/starter.cu").write_text(STARTER)
        handout = Path(self.outer, "handout")
        answer = self.lab("handout", str(handout))
        shutil.rmtree(self.tree / ".shipped")
        self.assertEqual(0, answer.returncode, answer.stderr)
        texts = [path.read_text(errors="replace") for path in handout.rglob("*.cu")]
        self.assertTrue(texts)
        self.assertFalse([text for text in texts if "return 42" in text or "return 43" in text])
        shutil.copytree(self.tree / ".venv", handout / ".venv", symlinks=True)
        stamp = json.loads((handout / ".venv/lab.json").read_text())
        (handout / ".venv/lab.json").write_text(json.dumps(stamp | {"place": str(handout / ".venv")}))
        answer = subprocess.run([handout / "lab", "check"], text=True, capture_output=True)
        self.assertEqual(77, answer.returncode, answer.stdout + answer.stderr)
        answer = subprocess.run([handout / "lab", "check", "--reference"], text=True, capture_output=True)
        self.assertIn("this tree is a handout", answer.stderr)

    def test_all_suites_are_summed_up(self):
        answer = self.lab("test")
        self.assertEqual("4 passed, 0 failed, 1 skipped", answer.stdout.splitlines()[-1], answer.stdout + answer.stderr)
        self.assertEqual(0, answer.returncode)

    def test_kernels_are_never_compiled_for_debugging(self):
        for build_type in ("debug", "plain"):
            folder = Path(self.outer, build_type)
            subprocess.run([sys.executable, "-m", "mesonbuild.mesonmain", "setup", "--buildtype", build_type,
                            folder, self.tree], check=True, capture_output=True)
            commands = json.loads((folder / "compile_commands.json").read_text())
            kernels = [entry["command"].split() for entry in commands if entry["file"].endswith(".cu")]
            self.assertEqual(3, len(kernels))
            for words in kernels:
                self.assertFalse({"-G", "--device-debug"} & set(words))
                self.assertTrue({"-O3", "-lineinfo", "--no-compress"} <= set(words))

    def test_a_new_mutant_is_found_by_itself(self):
        mutant = self.tree / "tests/mutants/01-programming-model/answer/always_one.cu"
        mutant.write_text("// expect: the answer\n" + STARTER.replace("return 0;", "return 1;"))
        try:
            answer = self.lab("test", "mutants")
            self.assertEqual("3 passed, 0 failed, 0 skipped", answer.stdout.splitlines()[-1])
        finally:
            mutant.unlink()
        answer = self.lab("test", "mutants")
        self.assertEqual("2 passed, 0 failed, 0 skipped", answer.stdout.splitlines()[-1])

    def test_a_full_disk(self):
        small = Path(self.outer, "small disk")
        small.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", small],
                          capture_output=True).returncode:
            self.skipTest("mounting a small disk needs root")
        try:
            shutil.rmtree(small / "x", ignore_errors=True)
            self.starter.write_text(STARTER + "// full")
            answer = self.lab("check", env={**os.environ, "TMPDIR": str(small)})
            self.assertEqual(2, answer.returncode, answer.stdout + answer.stderr)
            self.assertIn("The disk is full", answer.stderr)
        finally:
            subprocess.run(["umount", small], check=True)


def running(program):
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "cmdline").read_bytes().startswith(program):
                return True
        except OSError:
            continue
    return False


if __name__ == "__main__":
    unittest.main()
