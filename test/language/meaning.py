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


def softplus(x):
    return np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x)))


def power(t, x, y):
    """A power of floats; one of integers wraps, and is truncated where the exponent is negative."""
    if t not in INTEGERS:
        # A zero counts as positive. NumPy takes the root where one exponent is 0.5: NaN of -infinity.
        return np.power(np.where(x == 0.0, 0.0, x), np.broadcast_to(y, np.broadcast(x, y).shape).copy())
    lowest = 0 if t == "uint64" else -(2**63)
    exact = [(pow(a, b, 2**64) - lowest) % 2**64 + lowest if b >= 0 else (a if b % 2 else 1) if abs(a) == 1 else 0 for a, b in zip(*map(plain, np.broadcast_arrays(x, y)))]
    return whole(np.array(exact, dtype=object).reshape(np.broadcast(x, y).shape), t)


def quotient(x, y):
    """What the AI Core limits: 2^22 and more of it give NaN, unless both numbers are of float16."""
    return np.abs(x) / np.abs(y)


def maximum(x, y):
    return np.maximum(x, y)


def minimum(x, y):
    return np.minimum(x, y)


def whole(values, type):
    return wrap(values, type) if type in INTEGERS else values


def divided(t, x, y):
    """A quotient of floats; one of integers is truncated, and 0 where the divisor is."""
    if t not in INTEGERS:
        return x / y
    # As Python's integers: the quotient of the least one is beyond any type.
    exact = [0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) for a, b in zip(*map(plain, np.broadcast_arrays(x, y)))]
    return whole(np.array(exact, dtype=object).reshape(np.broadcast(x, y).shape), t)


def plain(x):
    return [int(number) for number in x.ravel()]


def rest(of, t, x, y):
    return np.where(y == 0, 0, of(x, np.where(y == 0, 1, y))) if t in INTEGERS else of(x, y)


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
    "div": divided,
    "maximum": lambda t, x, y: maximum(x, y),
    "minimum": lambda t, x, y: minimum(x, y),
    "neg": lambda t, x: whole(-x, t),
    "abs": lambda t, x: whole(np.abs(x), t),
    "relu": lambda t, x: maximum(x, x.dtype.type(0)),
    "sign": lambda t, x: np.sign(x),
    "floor": lambda t, x: np.floor(x),
    "ceil": lambda t, x: np.ceil(x),
    "round": lambda t, x: np.rint(x),
    "trunc": lambda t, x: np.trunc(x),
    "mod floor": lambda t, x, y: rest(np.mod, t, x, y),
    "mod trunc": lambda t, x, y: rest(np.fmod, t, x, y),
    "pow": power,
    "expm1": lambda t, x: np.expm1(x),
    "log1p": lambda t, x: np.log1p(x),
    "sin": lambda t, x: np.sin(x),
    "cos": lambda t, x: np.cos(x),
    "softplus": lambda t, x: softplus(x),
    "isnan": lambda t, x: np.isnan(x),
    "isinf": lambda t, x: np.isinf(x),
    "and": lambda t, x, y: (x != 0) & (y != 0),
    "or": lambda t, x, y: (x != 0) | (y != 0),
    "xor": lambda t, x, y: (x != 0) ^ (y != 0),
    "not": lambda t, x: x == 0,
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
    "expm1": (3, 1, 0.0), "log1p": (3, 1, 0.0), "softplus": (4, 1, 0.0), "pow": (2, 1, 0.0),
    # Where a sine is nearly zero, a multiple of pi that float32 can reduce exactly is short of digits.
    "sin": (3, 1, 6e-11), "cos": (3, 1, 6e-11),
    "sigmoid": (4, 1, 1e-36), "swish": (4, 1, 1e-36), "gelu erf": (4, 1, 2.4e-7), "gelu tanh": (4, 1, 2.4e-7),
}


FARTHEST_ANGLE = 2.0**17  # of the AI Core
LARGEST_QUOTIENT = 2.0**22


def on_simulator(case, exact, values):
    """What the AI Core promises in place of an exact result, and where it promises nothing but the range of a sine."""
    if case.word in ("sin", "cos"):
        return exact, (np.abs(values[0]) > FARTHEST_ANGLE) & np.isfinite(values[0])
    if case.operation == "mod" and case.type not in INTEGERS and not (case.type == "float16" and (case.computed == "storage" or set(case.operands) == {"tensor"})):
        # A dividend below the divisor is the remainder, an infinite divisor has no quotient.
        beyond = quotient(*values) >= LARGEST_QUOTIENT
        return np.where(beyond, np.nan, exact), np.zeros(np.shape(exact), dtype=bool)
    return exact, np.zeros(np.shape(exact), dtype=bool)


def leaky_relu(computed, x, slope):
    return np.where(x >= 0, x, to_float(slope * x, computed))


def place_of(index, count, beyond):
    """Which of `count` places an index of te.gather means; `beyond` is its word for those that are none."""
    if beyond == "wrap":
        return index % count
    if beyond == "reflect":
        return np.pad(np.arange(count), (abs(int(np.min(index))), max(int(np.max(index)) - count + 1, 0)), mode="reflect")[index + abs(int(np.min(index)))]
    return np.clip(np.where(index < 0, index + count, index) if beyond == "from_end" else index, 0, count - 1)


def scan(x, word, type, axis):
    """te.scan of numbers whose results are exact, or wrap."""
    whole = kind(type) == "integer"
    combine, first = {"sum": (np.add, 0), "product": (np.multiply, 1), "max": (np.maximum, limits(type)[0] if whole else -np.inf)}[word.split()[1]]
    x = np.flip(x, axis) if "reverse" in word else x
    result = combine.accumulate(x, axis=axis)
    if "exclusive" in word:
        result = np.roll(result, 1, axis=axis)
        np.moveaxis(result, axis, 0)[0] = first
    result = np.flip(result, axis) if "reverse" in word else result
    return wrap(result, type) if whole else result


def sort(x, word, count, axis):
    """te.sort: NaN is greater than any number, and equal elements lie in the order of their places."""
    ranks = np.unique(np.where(np.isnan(x), 0, x) if x.dtype.kind == "f" else x, return_inverse=True)[1].reshape(x.shape)
    ranks = np.where(np.isnan(x), x.size, ranks) if x.dtype.kind == "f" else ranks
    places = np.argsort(-ranks if "descending" in word else ranks, axis=axis, kind="stable")
    places = np.take(places, np.arange(min(count, x.shape[axis])), axis=axis)
    return places if "places" in word else np.take_along_axis(x, places, axis=axis)


def scatter(updates, data, places, word, type):
    """te.scatter of rows, in order; sums and products are exact, or wrap."""
    combine = {"set": None, "add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}[word.split()[1]]
    result = np.array(data)
    for place, update in zip(places, updates):
        result[place] = combine(result[place], update) if combine else update
        if kind(type) == "integer":
            result[place] = wrap(result[place], type)
    return result


def tolerance_of(word, type):
    ulps32, ulps16, absolute = TOLERANCE.get(word, (0, 0, 0.0))
    return (ulps32 if type in ("float32", "float64") else ulps16), absolute
