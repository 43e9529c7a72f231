"""Plots of docs/performance.md. Equal records give equal bytes."""

import matplotlib
import matplotlib.patches
import matplotlib.ticker

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "opc", "svg.fonttype": "none", "font.size": 9, "axes.spines.top": False,
                            "axes.spines.right": False})

import matplotlib.pyplot as plt  # noqa: E402  (after the backend is chosen)
from workload import ELEMENTWISE, OF_ROWS  # noqa: E402

PEERS = {"onnxruntime": "tab:blue", "openvino": "tab:orange", "onednn": "tab:green", "numpy": "tab:gray"}
MARKS = "osv^D<>Px*"


def pick(records, names, against, threads=1):
    """{name: {shape: ratio}} of float32 figures."""
    found = {}
    for one in records:
        if (one["name"] in names and one["against"] in against and one["type"] == "f32" and one["threads"] == threads
                and one["status"] != "unsure"):
            found.setdefault(one["name"], {}).setdefault(tuple(one["shape"]), []).append(one["ratio"])
    return found


def of_size(n):
    return f"{n >> 20}M" if n >= 1 << 20 else f"{n >> 10}k"


def lines(axes, data, title):
    """Draws a line for each operator over its sizes."""
    sizes = sorted({shape[0] for shapes in data.values() for shape in shapes})
    for mark, (name, shapes) in zip(MARKS, data.items()):
        points = sorted((sizes.index(shape[0]), min(ratios)) for shape, ratios in shapes.items())
        axes.plot(*zip(*points), marker=mark, markersize=4, linewidth=1, label=name)
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xticks(range(len(sizes)), [of_size(n) for n in sizes])
    axes.set_xlabel("elements")
    axes.set_title(title)
    axes.set_ylim(bottom=0)


def elementwise(records):
    names = [op.name for op in ELEMENTWISE]
    by_ceiling, by_peer = pick(records, names, ("ceiling",)), pick(records, names, tuple(PEERS))
    if not by_ceiling and not by_peer:
        return None
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    lines(left, by_ceiling, "share of the ceiling")
    lines(right, by_peer, "against the best peer")
    right.set_yscale("log", base=2)
    right.set_ylim(bottom=0.25)
    right.yaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    handles = (left if by_ceiling else right).get_legend_handles_labels()
    figure.legend(*handles, loc="outside right center", frameon=False)
    return figure, "Elementwise operators, float32, one thread: share of the ceiling, and against the best peer"


def rows(records):
    names = [op.name for op in OF_ROWS]
    sides = {"ceiling": "black", "hand": "tab:red", **PEERS}
    data = {side: pick(records, names, (side,)) for side in sides}
    shapes = sorted({shape for found in data.values() for values in found.values() for shape in values},
                    key=lambda shape: (shape[1], shape))
    if not shapes:
        return None
    figure, all_axes = plt.subplots(2, 2, figsize=(9, 5), layout="constrained", sharey=True)
    width = 0.8 / len(sides)
    for axes, name in zip(all_axes.flat, names):
        for index, (side, colour) in enumerate(sides.items()):
            found = data[side].get(name, {})
            for at, shape in enumerate(shapes):
                if shape in found:
                    height = min(found[shape][0], 4)
                    bar = axes.bar(at + (index - len(sides) / 2 + 0.5) * width, height, width, color=colour)
                    if found[shape][0] > 4:
                        axes.bar_label(bar, [f"{found[shape][0]:.0f}"], fontsize=6)
        axes.axhline(1, color="black", linewidth=0.6)
        axes.set_xticks(range(len(shapes)), [f"{m} x {n}" for m, n in shapes])
        axes.set_title(name)
        axes.set_ylim(0, 4.4)
    patches = [matplotlib.patches.Patch(color=colour, label=side) for side, colour in sides.items()]
    figure.legend(handles=patches, loc="outside right center", frameon=False)
    return figure, "Rows, float32, one thread: times as fast as the ceiling, loops by hand and peers; bars end at 4"


def draw(folder, records):
    """Writes the plots that the records have data for; returns pairs of file name and text."""
    folder.mkdir(exist_ok=True)
    written = []
    for name, plot in (("elementwise.svg", elementwise), ("rows.svg", rows)):
        drawn = plot(records)
        if drawn:
            figure, text = drawn
            figure.savefig(folder / name, metadata={"Date": None})
            plt.close(figure)
            written.append((name, text))
        else:
            (folder / name).unlink(missing_ok=True)
    return written
