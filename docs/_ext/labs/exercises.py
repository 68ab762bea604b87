"""The exercises of a chapter, as a table of contents: a folder with an index.md is one.

    ```{exercises}
    ```
Sphinx's own toctree calls a pattern that matches nothing a mistake; a chapter without exercises is none.
"""

from pathlib import PurePosixPath

from sphinx.directives.other import TocTree


def setup(app):
    app.add_directive("exercises", Exercises)


class Exercises(TocTree):
    has_content = False

    def run(self):
        here = PurePosixPath(self.env.docname).parent
        pages = sorted(name for name in self.env.found_docs if PurePosixPath(name).match(f"{here}/*/index"))
        self.env.glob_toctrees.add(self.env.docname)  # read this page anew when pages come or go
        if not pages:
            return []
        self.options["titlesonly"] = True
        for page in pages:
            self.content.append("/" + page, self.env.docname)
        return super().run()
