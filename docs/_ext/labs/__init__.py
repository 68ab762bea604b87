"""Nothing in the book is pasted: this Sphinx extension weaves sources, runs and pictures into it.

    regions.py    named regions of a source file, and the difference between two of them
    runs.py       what the stories counted when they ran on the simulated GPU, read from JSON
    listings.py   directives that show source: snippet, change, annotated
    counted.py    role and directives that show a run: measured, measured-table, finding, output
    pictures.py   figures, drawn by hand (drawing) or from a run (lanes, sectors)
    accesses.py   pictures of single accesses: lane-banks, lane-sectors, lane-steps
    reach.py      a picture of an access that missed its array: reach
    roofline.py   kernels under the roofline of a device
    timeline.py   a picture of what a run did when: timeline
    timed.py      times from real GPUs, with where they come from: timed-table
    manual.py     tables of the manual, read from the simulated GPU's own: counters, devices, limits,
                  opcodes
    agreement.py  how the simulated GPU compares with a real one
    exercises.py  a chapter's exercises, found by their folders
    depfile.py    tells Ninja which files the book was made from

An unknown region, run, kernel, number or picture is a warning, and warnings stop the build.
"""

from . import (accesses, agreement, counted, depfile, exercises, listings, manual, pictures, reach,
               roofline, timed, timeline)


def setup(app):
    app.add_config_value("labs_counted", "", "env", [str])  # the folder with the runs' JSON files
    for part in (listings, counted, pictures, accesses, reach, roofline, timeline, timed, manual, agreement, exercises,
                 depfile):
        part.setup(app)
    return {"version": "1", "parallel_read_safe": True, "env_version": 1}
