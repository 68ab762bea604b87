"""The runner with programs that misbehave: each end is told apart, and nothing is left behind."""

import os
import signal
import sys
import tempfile
import time
import unittest

from cli import runner


def run(code, seconds=10.0, **limits):
    with tempfile.TemporaryDirectory() as folder:
        return runner.run([sys.executable, "-c", code], dict(os.environ), seconds, cwd=folder, **limits)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Runner(unittest.TestCase):
    def test_a_program_that_ends(self):
        outcome = run("print('hello'); raise SystemExit(3)")
        self.assertEqual(("exited", 3, "hello\n"), (outcome.end, outcome.code, outcome.output))

    def test_all_output_before_the_end_is_kept(self):
        outcome = run("import sys; sys.stdout.write('x' * 200_000)")
        self.assertEqual(200_000, len(outcome.output))

    def test_a_program_that_hangs_is_stopped(self):
        start = time.monotonic()
        outcome = run("while True: pass", seconds=0.5)
        self.assertEqual("time-out", outcome.end)
        self.assertLess(time.monotonic() - start, 3)

    def test_a_program_that_hangs_and_prints_is_stopped(self):
        outcome = run("import time\nwhile True: print('busy', flush=True); time.sleep(0.001)", seconds=0.5)
        self.assertEqual("time-out", outcome.end)

    def test_a_crash_is_told_by_its_signal(self):
        outcome = run("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
        self.assertEqual(("crashed", "SIGSEGV"), (outcome.end, outcome.signal_name))

    def test_a_flood_of_output_is_stopped(self):
        outcome = run("import sys\nwhile True: sys.stdout.write('y' * 65536)", flood=4 << 20)
        self.assertEqual("flood", outcome.end)
        self.assertLessEqual(len(outcome.output), runner.KEPT_OUTPUT)

    def test_a_program_that_eats_memory_is_stopped(self):
        outcome = run("keep = []\nwhile True: keep.append(bytearray(b'x') * (8 << 20))", memory=200 << 20)
        self.assertEqual("memory", outcome.end)

    def test_a_program_cannot_fill_the_disk(self):
        outcome = run("import os, signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
                      "os.truncate(os.open('big', os.O_CREAT | os.O_RDWR), 2 << 30)")
        self.assertEqual(("crashed", "SIGXFSZ"), (outcome.end, outcome.signal_name))

    def test_children_are_gone_afterwards(self):
        outcome = run("import subprocess; print(subprocess.Popen(['sleep', '60']).pid)")
        self.assertEqual("exited", outcome.end)
        self.assertFalse(alive(int(outcome.output)))

    def test_children_in_a_session_of_their_own_are_gone_too(self):
        outcome = run("import subprocess; print(subprocess.Popen(['sleep', '60'], start_new_session=True).pid)")
        self.assertFalse(alive(int(outcome.output)))

    def test_a_child_that_holds_the_output_open_does_not_delay_the_end(self):
        start = time.monotonic()
        run("import subprocess; subprocess.Popen(['sleep', '60'])")
        self.assertLess(time.monotonic() - start, 3)

    def test_there_is_no_input(self):
        self.assertEqual("''\n", run("import sys; print(repr(sys.stdin.read()))").output)

    def test_a_missing_program_is_no_crash(self):
        outcome = runner.run(["/nonexistent/program"], dict(os.environ), 1, cwd="/")
        self.assertEqual("missing", outcome.end)

    def test_an_interrupt_ends_the_program_too(self):
        with tempfile.TemporaryDirectory() as folder:
            pid_file = os.path.join(folder, "pid")
            code = f"import os, time\nopen({pid_file!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)"
            signal.setitimer(signal.ITIMER_REAL, 1.0)
            old = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
            try:
                with self.assertRaises(KeyboardInterrupt):
                    runner.run([sys.executable, "-c", code], dict(os.environ), 30, cwd=folder)
            finally:
                signal.signal(signal.SIGALRM, old)
            with open(pid_file) as file:
                self.assertFalse(alive(int(file.read())))


if __name__ == "__main__":
    unittest.main()
