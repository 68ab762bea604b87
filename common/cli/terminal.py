"""How `lab` speaks: plain lines, a little colour where a person looks, and progress on long work.

Results go to standard output; progress, advice and errors to standard error.
"""

import os
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


class Failure(Exception):
    """Ends the command with a message for the user. Exit code 2: the request could not be carried out."""

    def __init__(self, message, code=2):
        super().__init__(message)
        self.code = code


def coloured(stream):
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def paint(text, colour, stream=None):
    codes = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "bold": "1", "dim": "2"}
    if not coloured(stream or sys.stdout):
        return text
    return f"\033[{codes[colour]}m{text}\033[0m"


def note(message):
    """One line about what `lab` is doing."""
    clear_progress()
    print(message, file=sys.stderr, flush=True)


_progress_shown = False
_progress_time = 0.0


def progress(message):
    """Long work: one line that is rewritten on a terminal; elsewhere a line every ten seconds."""
    global _progress_shown, _progress_time
    now = time.monotonic()
    if sys.stderr.isatty():
        width = os.get_terminal_size(sys.stderr.fileno()).columns
        print("\r\033[K" + message[:max(width - 1, 20)], end="", file=sys.stderr, flush=True)
        _progress_shown = True
    elif now - _progress_time >= 10:
        print(message[:120], file=sys.stderr, flush=True)
    else:
        return
    _progress_time = now


def start_progress():
    """Work begins: on a dumb stream, say nothing for the first ten seconds."""
    global _progress_time
    _progress_time = time.monotonic()


def clear_progress():
    global _progress_shown
    if _progress_shown:
        print("\r\033[K", end="", file=sys.stderr, flush=True)
        _progress_shown = False


def shown(path):
    """A path as the user would type it from where they are."""
    path = os.path.abspath(path)
    here = os.getcwd()
    if path == here or path.startswith(here + os.sep) or path.startswith(ROOT + os.sep):
        return os.path.relpath(path, here)
    return path


def plural(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")
