"""What the directives share: files beside the page, runs of the page's chapter, errors that stop."""

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from .regions import UnknownRegion
from .runs import Run, UnknownNumber


class Woven(SphinxDirective):
    """A directive whose mistakes are warnings at its own line; `weave` returns the nodes."""

    def run(self):
        try:
            return self.weave()
        except (UnknownRegion, UnknownNumber, OSError) as error:
            return [self.state.document.reporter.warning(f"{self.name}: {error}", line=self.lineno)]

    def source(self, name):
        """(text, path as the repository sees it) of a file named relative to the page."""
        shown, absolute = self.env.relfn2path(name)
        self.env.note_dependency(absolute)
        return Path(absolute).read_text(encoding="utf-8"), shown

    def the_run(self, name):
        return run_of_page(self.env, name)

    def html(self, text):
        return nodes.raw("", text, format="html")


def run_of_page(env, name):
    """`story` of the page's own chapter, or `chapter:story`."""
    chapter, _, story = name.rpartition(":")
    if not chapter:
        chapter = Path(env.docname).parts[1] if len(Path(env.docname).parts) > 1 else ""
    path = Path(env.config.labs_counted) / f"{chapter}.{story}.json"
    env.note_dependency(str(path))
    remember(env, path.name)
    return Run(path)


def remember(env, name):
    """Which runs are shown where, so that a run nobody shows is noticed."""
    if not hasattr(env, "labs_runs_shown"):
        env.labs_runs_shown = {}
    env.labs_runs_shown.setdefault(env.docname, set()).add(name)
