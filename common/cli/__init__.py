"""The Python behind `lab`: set-up, building, grading. Needs nothing but Python 3.9 itself."""
