"""RowReductions: rows of 256 elements, the last one filled up with ones; 220 or all of each are reduced, in float32."""

import numpy as np

ROW, PART, LANES, ROWS_OF_TILE = 256, 220, 64, 8


def tree(values):
    """Neighbours in pairs, level by level; an element without a neighbour moves up."""
    while len(values) > 1:
        pairs = [values[i] + values[i + 1] for i in range(0, len(values) - 1, 2)]
        values = pairs + ([values[-1]] if len(values) % 2 else [])
    return values[0]


def sum_of_part(row, rows):
    """Of six rows and more, one tree; of fewer, the whole repeats and then the rest."""
    whole = PART // LANES * LANES
    return tree(row[:PART]) if rows >= 6 else tree(row[:whole]) + tree(row[whole:PART])


def sum_of_row(row, rows):
    """Of three rows and more, repeats are added lane by lane, two by two; of fewer, one tree."""
    if rows < 3:
        return tree(row)
    repeats = [row[at:at + LANES] for at in range(0, ROW, LANES)]
    return tree([tree(list(lane)) for lane in zip(*repeats)])


def reference(inputs, attributes):
    x = inputs["x"]
    flat = x.reshape(-1).astype(np.float32)
    rows = -(-flat.size // ROW)
    table = np.ones(rows * ROW, np.float32)
    table[:flat.size] = flat
    table = table.reshape(rows, ROW)
    with np.errstate(all="ignore"):
        for r in range(rows):
            of_tile = min(rows - r // ROWS_OF_TILE * ROWS_OF_TILE, ROWS_OF_TILE)
            row = [np.float32(element) for element in table[r]]
            y = (table[r] - sum_of_part(row, of_tile)) * sum_of_row(row, of_tile)
            table[r] = np.maximum(y + np.max(row[:PART]), np.min(row))
    return {"y": table.reshape(-1)[:flat.size].astype(np.float64).reshape(x.shape)}
