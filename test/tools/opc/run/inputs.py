"""What the tables of cases are made of: tensors of reproducible numbers, and how near a result has to be."""

import hashlib

import numpy as np


def case(attributes=None, outputs=None, **tensors):
    """One launch: attributes by name, input tensors by name. `outputs` names the types of outputs where the inputs do
    not determine the type row."""
    return {"attributes": attributes or {}, "outputs": outputs or {}, "tensors": tensors}


def generator(*what):
    """The same numbers on every machine and in every run."""
    return np.random.default_rng(int.from_bytes(hashlib.sha256(repr(what).encode()).digest()[:8], "little"))


def normal(dtype, *shape, scale=1.0, seed=0):
    return (generator(dtype, shape, seed).normal(size=shape) * scale).astype(dtype)


def uniform(dtype, low, high, *shape, seed=0):
    return generator(dtype, shape, low, high, seed).uniform(low, high, size=shape).astype(dtype)


def integers(dtype, low, high, *shape, seed=0):
    """Whole numbers from low to high, both included."""
    return generator(dtype, shape, low, high, seed).integers(low, high, size=shape, endpoint=True).astype(dtype)


def distinct(dtype, *shape, seed=0):
    """Each number once, in no order: nothing that a sort may exchange."""
    count = int(np.prod(shape))
    return generator(dtype, shape, seed).permutation(count).astype(dtype).reshape(shape)


def near(found, expected, tolerance):
    """Whether each element is within `tolerance`, (relative, absolute), of the reference; NaN is near NaN only. Without
    a tolerance: equal, where -0 equals 0."""
    if found.shape != expected.shape:
        return False
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    relative, absolute = tolerance or (0.0, 0.0)
    with np.errstate(invalid="ignore"):
        close = np.abs(found - expected) <= absolute + relative * np.abs(expected)
    return bool(np.all(close | (found == expected) | (np.isnan(found) & np.isnan(expected))))
