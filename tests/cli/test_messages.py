"""What a learner sees of a compiler: its message, a path to click, and none of our flags."""

import os
import unittest

from cli import build, check, run
from cli.labs import ROOT
from cli.terminal import Failure

NINJA = """ninja: Entering directory `build'
[1/3] Compiling Cuda object tests/lib01-m-saxpy-starter-kernels.a.p/.._chapters_01-m_starter.cu.o
FAILED: [code=2] tests/lib01-m-saxpy-starter-kernels.a.p/.._chapters_01-m_starter.cu.o 
nvcc -Itests -gencode arch=compute_80,code=[compute_80,sm_80] -c ../chapters/01-m/starter.cu
../chapters/01-m/starter.cu(5): error: expected a ";"
    y[i] = a * x[i] + y[i]
                          ^

1 error detected in the compilation of "../chapters/01-m/starter.cu".
[2/3] Compiling Cuda object tests/lib01-m-other-starter-kernels.a.p/.._exercises_01-m_other_starter.cu.o
../exercises/01-m/other/starter.cu(9): warning #177-D: variable "j" was declared but never referenced
    int j;
        ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

[3/3] Linking target tests/01-m-third-starter-sim
FAILED: [code=1] tests/01-m-third-starter-sim 
c++ -o tests/01-m-third-starter-sim tests/x.o
/usr/bin/ld: tests/x.o: in function `main':
checks.cc:(.text+0x2f): undefined reference to `third(int, float*)'
collect2: error: ld returned 1 exit status
ninja: build stopped: cannot make progress due to previous errors.
"""


class Messages(unittest.TestCase):
    def setUp(self):
        here = os.getcwd()
        os.chdir(ROOT)
        self.addCleanup(os.chdir, here)
        self.result = build.parse(NINJA)

    def test_an_error_has_a_path_to_click_and_the_source_line(self):
        message = self.result.of("tests/01-m-saxpy-starter-sim")
        self.assertTrue(message.startswith('chapters/01-m/starter.cu:5: error: expected a ";"\n    y[i] ='), message)

    def test_our_flags_and_files_stay_out(self):
        message = self.result.of("tests/01-m-saxpy-starter-sim")
        for ours in ("gencode", "FAILED", "../chapters", "tests/", "detected in the compilation"):
            self.assertNotIn(ours, message)

    def test_paths_follow_the_users_folder(self):
        os.chdir(ROOT / "common")
        message = build.clean("../chapters/01-m/starter.cu(5): error: no")
        self.assertEqual("../chapters/01-m/starter.cu:5: error: no", message)

    def test_a_warning_is_no_failure(self):
        self.assertIsNone(self.result.of("tests/01-m-other-starter-sim"))
        warning = self.result.warnings_of("tests/01-m-other-starter-sim")
        self.assertIn("exercises/01-m/other/starter.cu:9: warning: variable", warning)
        self.assertNotIn("Remark", warning)

    def test_a_function_that_is_not_defined_is_named(self):
        message = self.result.of("tests/01-m-third-starter-sim")
        self.assertIn("third(int, float*) is declared", message)
        self.assertNotIn("collect2", message)

    def test_one_labs_failure_is_not_anothers(self):
        self.assertIsNone(self.result.of("tests/01-m-sax-starter-sim"))
        self.assertEqual(2, len(self.result.failed))

    def test_a_full_disk_is_not_the_learners_fault(self):
        with self.assertRaises(OSError):
            build.check_disk("/usr/bin/as: write error: No space left on device")


class Refusals(unittest.TestCase):
    def test_separate_compilation_is_refused_before_anything_is_built(self):
        for flag in ("-rdc=true", "--relocatable-device-code=true", "-dc"):
            with self.subTest(flag=flag), self.assertRaisesRegex(Failure, "Launch from the host"):
                run.compile_program(__file__, [flag], None)

    def test_a_function_of_the_driver_is_not_simulated_and_has_a_relative_in_the_runtime(self):
        message = run.link_problem("\n".join(f"x.cu:3: undefined reference to `{name}'"
                                             for name in ("cuMemAlloc_v2", "cuInit")))
        self.assertIn("The driver API (cuInit) is not simulated", message)
        self.assertEqual(message.count("driver API"), 1)

    def test_a_library_for_real_gpus_is_named_as_such(self):
        self.assertIn("CUB, Thrust", run.link_problem("x.cu:3: undefined reference to `cublasSgemm_v2'"))

    def test_any_other_function_is_not_said_to_be_the_checks(self):
        message = run.link_problem("x.cu:3: undefined reference to `helper(int)'")
        self.assertEqual(message, "helper(int) is used, and no file or library that is linked defines it.")

    def test_each_function_that_nothing_defines_is_named(self):
        message = run.link_problem("".join(f"x.cu:3: undefined reference to `{name}'\n" for name in ("first", "second")))
        self.assertEqual([line.split()[0] for line in message.splitlines()], ["first", "second"])


class Folding(unittest.TestCase):
    def test_long_sentences_are_folded_between_words(self):
        text = "word " * 50 + "end"
        folded = check.folded(text)
        self.assertLessEqual(max(map(len, folded.splitlines())), 120)
        self.assertEqual(folded.split(), text.split())

    def test_short_and_indented_lines_stay_as_they_are(self):
        text = "Two lines,\nas they were written.\n  at " + "a/long/path " * 20 + "\n\n  | " + "x " * 80
        self.assertEqual(check.folded(text), text)


if __name__ == "__main__":
    unittest.main()
