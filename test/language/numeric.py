"""Element types as NumPy sees them, and what te's operations mean in them: written from docs/reference/te.md alone.

Arrays are of float64, int64 (uint64 for uint64) or bool while they are computed with; `stored` and `loaded` lead to the
bytes of a tensor and back. Rounding is done here and not by a library's casts, which have one way to round.
"""

import math

import numpy as np

# Bits of the significand after the leading one, least exponent of normal numbers, largest exponent.
FLOATS = {"float16": (10, -14, 15), "bfloat16": (7, -126, 127), "float32": (23, -126, 127), "float64": (52, -1022, 1023)}
INTEGERS = {f"{sign}int{bits}": (sign == "", bits) for bits in (8, 16, 32, 64) for sign in ("", "u")}
TYPES = [*FLOATS, *INTEGERS, "bool"]
MLIR = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "bool": "i1",
        **{name: ("i" if signed else "ui") + str(bits) for name, (signed, bits) in INTEGERS.items()}}


def kind(name):
    return "float" if name in FLOATS else "truth" if name == "bool" else "integer"


def largest(name):
    digits, _, high = FLOATS[name]
    return (2.0 - 2.0**-digits) * 2.0**high


def limits(name):
    signed, bits = INTEGERS[name]
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


# Bytes -------------------------------------------------------------------------------------------------------------


def stored(values, name):
    """The bytes of exact values."""
    if name == "bfloat16":
        words = np.asarray(values, dtype=np.float32).view(np.uint32)
        return np.where(np.isnan(values), 0x7FC0, words >> 16).astype(np.uint16).tobytes()
    if name == "bool":
        return np.asarray(values, dtype=np.uint8).tobytes()
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(name).tobytes()


def loaded(data, name):
    """float64 of floats, int64 or uint64 of integers, the bytes of truth values."""
    if name == "bfloat16":
        return (np.frombuffer(data, dtype=np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if name in FLOATS:
        return np.frombuffer(data, dtype=name).astype(np.float64)
    if name == "bool":
        return np.frombuffer(data, dtype=np.uint8)
    return np.frombuffer(data, dtype=name).astype(np.uint64 if name == "uint64" else np.int64)


# Rounding ----------------------------------------------------------------------------------------------------------


def to_whole(values, rounding):
    if rounding == "nearest_even":
        return np.rint(values)
    if rounding == "nearest_away":
        # Half of a unit added in float64 could round up what lies below the half.
        cut = np.trunc(values)
        return cut + np.where(np.abs(values - cut) >= 0.5, np.sign(values), 0.0)
    return {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc}[rounding](values)


def to_float(values, name, rounding="nearest_even", saturate=False):
    """float64 to the numbers of a float type, as float64."""
    digits, low, _ = FLOATS[name]
    values = np.asarray(values, dtype=np.float64)
    with np.errstate(all="ignore"):
        finite = np.isfinite(values) & (values != 0.0)
        safe = np.where(finite, values, 1.0)
        quantum = np.maximum(np.frexp(safe)[1] - 1, low) - digits
        whole = to_whole(np.ldexp(safe, -quantum), rounding)
        # A sum that lies beyond float64's range of exponents is beyond every type's.
        result = np.copysign(np.ldexp(whole, quantum), safe)
        top = largest(name)
        beyond = np.abs(result) > top
        inward = (rounding == "trunc") | ((rounding == "floor") & (result > 0)) | ((rounding == "ceil") & (result < 0))
        result = np.where(beyond, np.copysign(np.where(inward, top, np.inf), result), result)
        result = np.where(finite, result, values)
        if saturate:
            result = np.where(np.isnan(result), result, np.clip(result, -top, top))
    return result


def wrap(values, name):
    """Whole numbers (Python's, or int64) modulo 2^bits."""
    signed, bits = INTEGERS[name]
    values = np.asarray(values)
    if bits == 64:
        return values.astype(np.int64 if signed else np.uint64)
    rest = values.astype(np.int64) & (2**bits - 1)
    return np.where(rest >= 2 ** (bits - 1), rest - 2**bits, rest) if signed else rest


def cast(values, source, destination, rounding="nearest_even", saturate=False):
    """te.cast of values of `source`."""
    if source == destination:
        return to_float(values, source, saturate=True) if saturate and kind(source) == "float" else values
    if destination == "bool":
        return values != 0  # NaN is not zero
    if kind(source) == "truth":
        values = values.astype(np.int64)
    if kind(destination) == "float":
        return to_float(values.astype(np.float64), destination, rounding, saturate)
    low, high = limits(destination)
    if kind(source) == "float":
        whole = to_whole(np.where(np.isnan(values), 0.0, values), rounding)
        clipped = np.clip(whole, float(low), float(high))
        if high >= 2**53:  # float(high) is one more
            return np.array([min(max(int(v), low), high) for v in clipped], dtype=np.uint64 if low == 0 else np.int64)
        return clipped.astype(np.int64)
    if saturate:
        values = np.array([min(max(int(v), low), high) for v in values.ravel()], dtype=object).reshape(values.shape)
        return values.astype(np.uint64 if destination == "uint64" else np.int64)
    return wrap(values, destination)


# Values that tests are made of -------------------------------------------------------------------------------------


def special_values(name):
    """Where arithmetic has corners: zeros, infinities, NaN, subnormals, ends of the range, ties, ends of integer types."""
    if name == "bool":
        return np.array([0, 1, 2, 128, 255], dtype=np.uint8)
    if name in INTEGERS:
        low, high = limits(name)
        inner = [low, low + 1, high, high - 1, high // 2, 0, 1, 2, 7, 127, 128, 255, 256, 32767, 32768, 65535, 65536]
        inner += [-1, -128, -129, -32768, -32769, 2049, 2051, 4097, 65519, 65520, 2**24 + 1, 2**24 + 3, 2**31 - 64]
        return np.array(sorted({v for v in inner if low <= v <= high}), dtype=np.uint64 if name == "uint64" else np.int64)
    digits, low, high = FLOATS[name]
    least = 2.0 ** (low - digits)
    inner = [0.0, 1.0, 2.0**low, least, 2.0**low - least, largest(name), largest(name) / 2, 1.0 + 2.0**-digits,
             1.0 - 2.0 ** -(digits + 1), 2.0**digits, 2.0 ** (digits + 1) + 2.0, 0.5, 1.5, 2.5, 3.0, 10.5, 88.5, math.inf]
    inner = [v for value in inner for v in (value, -value)] + [math.nan]
    return to_float(np.array(inner), name)


def tie_values(name):
    """Halves and the ends of integer and narrower float types, with their neighbours."""
    if name not in FLOATS:
        return special_values(name)
    ends = [127.0, 128.0, 255.0, 256.0, 32767.0, 32768.0, 65535.0, 65536.0, 2.0**31, 2.0**32, 2.0**63, 2.0**64]
    halves = [k + 0.5 for k in (*range(8), 126, 127, 128, 254, 255, 256, 2047, 32766, 32767, 65534)]
    narrow = [65504.0, 65519.0, 65519.99, 65520.0, 65536.0, 2.0**-24, 2.0**-25, 1.5 * 2.0**-24, 2.5 * 2.0**-24, 2.0**-26,
              3.389e38, 3.3961775e38, 3.4e38, 2.0**-133, 2.0**-134, 1.5 * 2.0**-133]
    narrow += [1.0 + (2 * k + 1) * 2.0**-11 for k in range(4)] + [1.0 + (2 * k + 1) * 2.0**-8 for k in range(4)]
    values = []
    for value in ends + halves + narrow:
        at = float(to_float(np.array([value]), name)[0])
        step = 2.0 ** (max(math.frexp(at)[1] - 1, FLOATS[name][1]) - FLOATS[name][0]) if math.isfinite(at) and at else 0.0
        values += [v for near in (at, at + step, at - step) for v in (near, -near)]
    return to_float(np.array(values), name)


def random_values(name, count, random):
    if name == "bool":
        return random.integers(0, 2, count).astype(np.uint8)
    if name in INTEGERS:
        low, high = limits(name)
        wide = random.integers(low, high, count, dtype=name, endpoint=True)
        small = random.integers(max(low, -300), min(high, 300), count, endpoint=True).astype(name)
        return np.where(random.random(count) < 0.5, wide, small).astype(np.uint64 if name == "uint64" else np.int64)
    digits, low, high = FLOATS[name]
    values = random.standard_normal(count) * 2.0
    wide = np.ldexp(values, random.integers(low - digits, high - 3, count))
    with np.errstate(over="ignore"):
        return to_float(np.where(random.random(count) < 0.3, wide, values), name)


# Comparing ---------------------------------------------------------------------------------------------------------


def wrong_places(got, expected, name, ulps=0.0, absolute=0.0):
    """Where `got` is none of the numbers that are admitted for the exact `expected`: with 0 ulps those of the type alone,
    any NaN for any NaN, zeros alike."""
    if name not in FLOATS:
        return got != np.asarray(expected).astype(got.dtype)
    exact = np.asarray(expected, dtype=np.float64)
    nearest = to_float(exact, name)
    same = (got == nearest) | (np.isnan(got) & np.isnan(exact))
    if np.any(ulps) or absolute:
        digits, low, _ = FLOATS[name]
        with np.errstate(all="ignore"):
            size = np.where(np.isfinite(nearest), np.abs(nearest), largest(name))
            ulp = np.ldexp(1.0, np.maximum(np.frexp(np.where(size == 0, 1e-300, size))[1] - 1, low) - digits)
            reach = np.maximum(ulps * ulp, absolute)
            # Beyond the largest number the next one would be infinity's place.
            place = np.where(np.isinf(got), np.copysign(largest(name) + ulp, got), got)
            near = np.abs(place - np.where(np.isinf(exact), np.copysign(largest(name) + ulp, exact), exact)) <= reach
            same |= near & ~np.isnan(got) & ~np.isnan(exact) & ~(np.isinf(exact) & np.isfinite(got))
    return ~same
