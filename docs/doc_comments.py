"""Doxygen's input filter: the comments of our headers are plain; here they become documentation.

A comment before a declaration documents it, a comment behind one as well. The comment that opens a
file gives the file's idea, and belongs to no declaration.
"""

import re
import sys

code_seen = False
for line in open(sys.argv[1], encoding="utf-8"):
    if not re.match(r"\s*(//|$)", line):
        code_seen = True
    if not code_seen:
        line = "\n"
    elif re.match(r"\s*//(?!/)", line):
        line = re.sub(r"//", "///", line, count=1)
    elif re.search(r"[;,]\s+// ", line):
        line = re.sub(r"([;,]\s+)// ", r"\1///< ", line, count=1)
    sys.stdout.write(line)
