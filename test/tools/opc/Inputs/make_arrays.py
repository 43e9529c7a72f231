"""Arrays for run-invalid.test: good ones, and .npy files that are wrong in one way each."""

import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
half = np.arange(16, dtype="f2")
np.save(folder / "a.npy", half)
np.save(folder / "longer.npy", np.arange(17, dtype="f2"))
np.save(folder / "f4.npy", half.astype("f4"))
np.save(folder / "columns.npy", np.asfortranarray(half.reshape(4, 4)))
np.save(folder / "big.npy", half.astype(">f2"))
np.save(folder / "objects.npy", half.astype(object), allow_pickle=True)
whole = (folder / "a.npy").read_bytes()
(folder / "short.npy").write_bytes(whole[:-7])
np.savez(folder / "archive.npz", x=half)
(folder / "text.npy").write_text("1 2 3\n")
