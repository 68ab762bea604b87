"""Tells Ninja which files the book was made from, so that touching any of them makes it anew."""

from pathlib import Path


def setup(app):
    app.add_config_value("labs_depfile", "", "", [str])
    app.add_config_value("labs_stamp", "", "", [str])
    app.connect("build-finished", write)


def write(app, exception):
    if exception or not app.config.labs_depfile:
        return
    env, source, conf = app.env, Path(app.srcdir), Path(app.confdir)
    files = {Path(env.doc2path(name)) for name in env.found_docs}
    files |= {page.parent.parent for page in files}  # a new page is a change of its folder's folder
    for needed in env.dependencies.values():
        files |= {source / name for name in needed}
    for folder in ("_ext", "_static", "figures"):
        files |= {path for path in (conf / folder).rglob("*") if path.is_file() and path.suffix != ".pyc"}
    files.add(conf / "conf.py")
    names = sorted(str(path.resolve()).replace(" ", "\\ ") for path in files)
    Path(app.config.labs_depfile).write_text(f"{app.config.labs_stamp}: {' '.join(names)}\n")
    Path(app.config.labs_stamp).touch()
