"""The names of labs: what a user may type, and what an unknown name answers."""

import unittest
from pathlib import Path
from unittest import mock

from cli import labs
from cli.labs import Lab
from cli.terminal import Failure

TREE = [Lab(chapter, topic, Path("/tree", kind, chapter, *([topic] if kind == "exercises" else [])),
            kind == "exercises")
        for chapter, topic, kind in [("01-programming-model", "saxpy", "chapters"),
                                     ("01-programming-model", "thread-map", "exercises"),
                                     ("04-shared-memory", "transpose", "chapters"),
                                     ("04-shared-memory", "stencil", "exercises")]]


class Names(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.object(labs, "all_labs", lambda: TREE)
        patch.start()
        self.addCleanup(patch.stop)

    def found(self, *names):
        return [lab.topic for lab in labs.find(names)]

    def test_a_chapter_by_number_title_or_folder(self):
        for name in ("4", "04", "04-shared-memory", "shared-memory", "04-shared-memory/", "chapters/04-shared-memory"):
            self.assertEqual(["transpose", "stencil"], self.found(name), name)

    def test_a_lab_by_full_name_or_topic(self):
        for name in ("04-shared-memory/stencil", "4/stencil", "stencil", "exercises/04-shared-memory/stencil"):
            self.assertEqual(["stencil"], self.found(name), name)

    def test_no_name_means_all(self):
        self.assertEqual(4, len(self.found()))

    def test_several_names_without_repeats(self):
        self.assertEqual(["stencil", "saxpy", "transpose"], self.found("stencil", "saxpy", "4"))

    def test_one_lab_of_a_chapter_is_its_own(self):
        self.assertEqual("transpose", labs.find_one("4").topic)

    def test_an_unknown_name_gets_a_suggestion(self):
        for typed, meant in (("saxpi", "saxpy"), ("4/stensil", "stencil"),
                             ("04-shared-mem", "04-shared-memory")):
            with self.assertRaises(Failure) as caught:
                self.found(typed)
            self.assertIn(f"Did you mean {meant}?", str(caught.exception))
            self.assertEqual(2, caught.exception.code)

    def test_a_name_like_nothing_gets_the_chapters(self):
        with self.assertRaises(Failure) as caught:
            self.found("zzzzzz")
        self.assertIn("01-programming-model, 04-shared-memory", str(caught.exception))

    def test_a_chapter_that_does_not_exist(self):
        with self.assertRaises(Failure):
            self.found("9")


if __name__ == "__main__":
    unittest.main()
