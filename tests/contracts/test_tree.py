"""The tree keeps its shape: folders include in one direction, lists match what lies on disk, and no
file knows the machine it was written on."""

import re
import unittest

from cli import labs

ROOT = labs.ROOT

# common/sim, lowest first: a folder includes from itself and from those before it.
SIM = ["ptx", "ir", "memory", "exec", "check", "count", "report", "runtime"]

SOURCES = (".h", ".cc", ".cu", ".cuh", ".def")
TEXTS = SOURCES + (".py", ".md", ".build", ".txt", ".yml", ".json", ".css", ".in")


def files(*folders, endings=SOURCES):
    found = sorted(path for folder in folders for path in (ROOT / folder).rglob("*")
                   if path.is_file() and path.name.endswith(endings) and "__pycache__" not in path.parts)
    assert found, f"no files under {folders}"
    return found


def includes(path):
    return re.findall(r'^\s*#\s*include\s*"([^"]+)"', path.read_text(), re.M)


class Includes(unittest.TestCase):
    def test_the_simulated_gpu_includes_downwards_only(self):
        for place, folder in enumerate(SIM):
            for path in files(f"common/sim/{folder}"):
                for name in includes(path):
                    used = re.match(r"sim/(\w+)/", name)
                    if used:
                        with self.subTest(file=path.name, include=name):
                            self.assertIn(used.group(1), SIM[:place + 1])

    def test_lab_and_the_simulated_gpu_do_not_know_each_other(self):
        for path in files("common/lab"):
            self.assertEqual([], [name for name in includes(path) if name.startswith("sim/")], path.name)
        for path in files("common/sim"):
            self.assertEqual([], [name for name in includes(path) if name.startswith(("lab/", "profile/"))],
                             path.name)

    def test_the_profile_uses_only_the_public_header_of_the_simulated_gpu(self):
        used = {name for path in files("common/profile") for name in includes(path)
                if name.startswith("sim/")}
        self.assertEqual({"sim/runtime/session.h"}, used)

    def test_labs_do_not_know_the_device_they_run_on(self):
        for lab in labs.all_labs():
            for path in (lab.folder / "checks.cc", lab.starter):
                self.assertEqual([], [name for name in includes(path) if name.startswith("sim/")], path)


class Lists(unittest.TestCase):
    def test_every_lab_on_disk_is_built(self):
        built = {"chapters": (ROOT / "chapters/meson.build").read_text(),
                 "exercises": (ROOT / "exercises/meson.build").read_text()}
        found = labs.all_labs()
        self.assertTrue(found)
        for lab in found:
            listed = re.findall(r"'([\w-]+)'", built["exercises" if lab.is_exercise else "chapters"])
            self.assertIn(lab.topic, listed, f"{lab.name} is in no meson.build")
            self.assertIn(lab.chapter, listed, f"{lab.name} is in no meson.build")


class Files(unittest.TestCase):
    def test_no_file_names_a_path_of_one_machine(self):
        machine = re.compile(r"(?<![\w.\])}>*-])/(?:home|Users|work)/\w+")
        # The user of every development container, and those whose paths the tests shorten.
        allowed = {"/home/vscode", "/home/ada", "/home/ada2", "/home/bob"}
        for path in files("common", "chapters", "exercises", "tests", "docs", endings=TEXTS):
            found = set(machine.findall(path.read_text(errors="replace"))) - allowed
            with self.subTest(file=str(path.relative_to(ROOT))):
                self.assertEqual(set(), found)

    def test_sources_open_with_their_idea(self):
        for path in files("common/lab", "common/profile", "common/sim", "chapters", "exercises",
                          endings=(".h", ".cu")):
            with self.subTest(file=str(path.relative_to(ROOT))):
                self.assertTrue(path.read_text().startswith(("//", "/*")), "its first line is no comment")


if __name__ == "__main__":
    unittest.main()
