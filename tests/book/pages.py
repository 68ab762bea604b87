"""The pages as built: no path of the machine they were built on, every chapter there, every picture
described in words."""

import re
import sys
import unittest
from pathlib import Path


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = {path: path.read_text() for path in HTML.rglob("*.html")}

    def test_every_chapter_has_its_page(self):
        chapters = [path.parent.name for path in (ROOT / "chapters").glob("*/index.md")]
        self.assertTrue(chapters)
        for chapter in chapters:
            self.assertIn(HTML / "chapters" / chapter / "index.html", self.pages)

    def test_no_page_knows_where_it_was_built(self):
        for path, text in self.pages.items():
            for folder in (ROOT, BUILD, "/tmp/"):  # nvcc compiles in /tmp
                self.assertNotIn(str(folder), text, path)

    def test_every_picture_is_described(self):
        pictures = [(path, svg) for path, text in self.pages.items()
                    for svg in re.findall(r'<div class="picture"><svg [^>]*>', text)]
        self.assertTrue(pictures)
        for path, svg in pictures:
            self.assertRegex(svg, r'aria-label="[^"]{20,}"', path)


if __name__ == "__main__":
    HTML, ROOT, BUILD = (Path(argument).resolve() for argument in sys.argv[1:4])
    unittest.main(argv=sys.argv[:1])
