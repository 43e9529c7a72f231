"""RowReductions: rows of 224 elements, the last one filled up with ones; 220 of each are reduced, in float32."""

import numpy as np

ROW, COLUMNS, LANES, ROWS_OF_TILE = 224, 220, 64, 8


def tree(values):
    """Neighbours in pairs, level by level; an element without a neighbour moves up."""
    while len(values) > 1:
        pairs = [values[i] + values[i + 1] for i in range(0, len(values) - 1, 2)]
        values = pairs + ([values[-1]] if len(values) % 2 else [])
    return values[0]


def row_sum(row, rows):
    """Of six rows and more, one tree; of fewer, the whole repeats and then the rest."""
    row = [np.float32(element) for element in row[:COLUMNS]]
    whole = COLUMNS // LANES * LANES
    return tree(row) if rows >= 6 else tree(row[:whole]) + tree(row[whole:])


def reference(inputs, attributes):
    x = inputs["x"]
    flat = x.reshape(-1).astype(np.float32)
    rows = -(-flat.size // ROW)
    padded = np.ones(rows * ROW, np.float32)
    padded[:flat.size] = flat
    table = padded.reshape(rows, ROW)
    with np.errstate(all="ignore"):
        for r in range(rows):
            tile = r // ROWS_OF_TILE * ROWS_OF_TILE
            total = row_sum(table[r], min(rows - tile, ROWS_OF_TILE))
            head = table[r, :COLUMNS]
            table[r] = (table[r] - total) * np.max(head) + np.min(head)
    return {"y": table.reshape(-1)[:flat.size].astype(np.float64).reshape(x.shape)}
