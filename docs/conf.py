"""The book's configuration. Sphinx reads the whole repository (a chapter's text lies beside its
code); Meson passes what depends on the build: the counted numbers and Doxygen's XML."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "_ext"))

project = "Warp & Weft"
author = "The Warp & Weft authors"
copyright = author
language = "en"

extensions = ["myst_parser", "breathe", "labs"]
root_doc = "docs/index"
include_patterns = ["docs/*.md", "docs/reference/*.md", "chapters/*/index.md", "exercises/*/index.md",
                    "exercises/*/*/index.md"]

myst_enable_extensions = ["colon_fence", "deflist", "smartquotes", "attrs_inline"]
myst_heading_anchors = 3

# Doxygen's part: headers only, because starter and solution define the same symbols.
breathe_default_project = "labs"
breathe_default_members = ("members",)
primary_domain = "cpp"
highlight_language = "cuda"

# Names of the language and of the CUDA runtime are documented elsewhere. Everything else that the
# text links to must exist.
nitpicky = True
nitpick_ignore_regex = [
    (r"cpp:.*", r"std(::.*)?|lab|profile"),
    (r"cpp:.*", r"(std::)?u?int(8|16|32|64|ptr)_t|size_t|uchar4|float[234]|int[234]|dim3"),
    (r"cpp:.*", r"cuda[A-Z]\w*"),
    (r"cpp:.*", r"doctest(::.*)?"),
]

html_theme = "furo"
html_title = "Warp & Weft"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
pygments_style = "tango"
pygments_dark_style = "github-dark"
html_theme_options = {
    "sidebar_hide_name": False,
    "light_css_variables": {
        "color-brand-primary": "#0b6e4f",
        "color-brand-content": "#0b6e4f",
        "color-brand-visited": "#5b5b8c",
        "font-stack": "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', sans-serif",
        "font-stack--monospace": "ui-monospace, 'Cascadia Code', 'JetBrains Mono', 'DejaVu Sans Mono', monospace",
    },
    "dark_css_variables": {
        "color-brand-primary": "#6fd3ae",
        "color-brand-content": "#6fd3ae",
        "color-brand-visited": "#b3b3e6",
    },
}
