"""What each operation of te computes, in NumPy: one function for each name, over exact values.

float64 holds sums, differences, products and quotients of the other float types so that rounding them again is rounding
once; functions are as exact as NumPy's of float64. Tolerances are those that the library's contracts have for the same
function, and stand here with the form of the type that a row computes in.
"""

import math

import numpy as np
from numeric import FLOATS, INTEGERS, kind, limits, to_float, wrap

COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}


def erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x)


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def swish(x, beta):
    return x / (1.0 + np.exp(-beta * x))


def gelu_erf(x):
    return np.where(np.isneginf(x), 0.0, 0.5 * x * np.vectorize(math.erfc, otypes=[np.float64])(-x / math.sqrt(2.0)))


def gelu_tanh(x):
    # (1 + tanh(u)) / 2 is 1 / (1 + exp(-2 u)). The formula is NaN at minus infinity, unlike that of erf, whose limit counts.
    u = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x**3)
    return x / (1.0 + np.exp(-2.0 * u))


def maximum(x, y):
    return np.maximum(x, y)


def minimum(x, y):
    return np.minimum(x, y)


def whole(values, type):
    return wrap(values, type) if type in INTEGERS else values


def sum_of(x, type, axis):
    return whole(np.sum(x, axis=axis, dtype=x.dtype), type)


def prod_of(x, type, axis):
    # Powers of two, or a wrapping product of whole numbers.
    return whole(np.prod(x, axis=axis, dtype=x.dtype), type)


def position_of(pick, last):
    """NumPy's first position of the extreme, or of a NaN; the last one is the first from the end."""
    def position(x, type, axis):
        if not last:
            return pick(x, axis=axis)
        return x.shape[axis] - 1 - pick(np.flip(x, axis), axis=axis)

    return position


def extreme(pick, x, type, axis):
    return pick(x, axis=axis)


# name: the exact result of operands, type. Results of integers wrap.
ELEMENTWISE = {
    "add": lambda t, x, y: whole(x + y, t),
    "sub": lambda t, x, y: whole(x - y, t),
    "mul": lambda t, x, y: whole(x * y, t),
    "div": lambda t, x, y: x / y,
    "maximum": lambda t, x, y: maximum(x, y),
    "minimum": lambda t, x, y: minimum(x, y),
    "neg": lambda t, x: whole(-x, t),
    "abs": lambda t, x: whole(np.abs(x), t),
    "relu": lambda t, x: maximum(x, x.dtype.type(0)),
    "exp": lambda t, x: np.exp(x),
    "log": lambda t, x: np.log(x),
    "sqrt": lambda t, x: np.sqrt(x),
    "rsqrt": lambda t, x: 1.0 / np.sqrt(x),
    "reciprocal": lambda t, x: 1.0 / x,
    "sigmoid": lambda t, x: sigmoid(x),
    "tanh": lambda t, x: np.tanh(x),
    "erf": lambda t, x: erf(x),
    "swish": lambda t, x, y: swish(x, y),
    "gelu erf": lambda t, x: gelu_erf(x),
    "gelu tanh": lambda t, x: gelu_tanh(x),
    **{f"compare {name}": (lambda t, x, y, of=of: of(x, y)) for name, of in COMPARE.items()},
    "select": lambda t, c, x, y: np.where(c != 0, x, y),
}
REDUCTIONS = {
    "reduce_sum": sum_of,
    "reduce_any": lambda x, type, axis: np.max(x, axis=axis),
    "reduce_all": lambda x, type, axis: np.min(x, axis=axis),
    "reduce_prod": prod_of,
    "reduce_mean": lambda x, type, axis: np.mean(x, axis=axis),
    "reduce_max": lambda x, type, axis: extreme(np.max, x, type, axis),
    "reduce_min": lambda x, type, axis: extreme(np.min, x, type, axis),
    "arg_max": position_of(np.argmax, last=False),
    "arg_max last": position_of(np.argmax, last=True),
    "arg_min": position_of(np.argmin, last=False),
    "arg_min last": position_of(np.argmin, last=True),
}

# Units in the last place of the stored type: float32, then the types of 16 bits; what else is admitted.
TOLERANCE = {
    "exp": (2, 1, 0.0), "log": (2, 1, 0.0), "rsqrt": (2, 1, 0.0), "tanh": (2, 1, 0.0), "erf": (2, 1, 0.0),
    "sigmoid": (4, 1, 1e-36), "swish": (4, 1, 1e-36), "gelu erf": (4, 1, 2.4e-7), "gelu tanh": (4, 1, 2.4e-7),
}


def leaky_relu(computed, x, slope):
    return np.where(x >= 0, x, to_float(slope * x, computed))


def tolerance_of(word, type):
    ulps32, ulps16, absolute = TOLERANCE.get(word, (0, 0, 0.0))
    return (ulps32 if type in ("float32", "float64") else ulps16), absolute
