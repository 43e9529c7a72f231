"""Writes a matrix of float16: float_rows.py ROWS COLUMNS FILE."""

import sys

import numpy as np

ROWS, COLUMNS = map(int, sys.argv[1:3])
np.save(sys.argv[3], np.random.default_rng(1).standard_normal((ROWS, COLUMNS)).astype(np.float16))
