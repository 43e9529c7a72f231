"""Writes docs/performance.md from the records and the description of a run, and from explanations.toml, which is
written by hand and not changed by runs."""

import re
import tomllib

from peers import PEERS
from record import figure, title

COLUMNS = ("ceiling", "memory", "hand", *(peer.name for peer in PEERS))
UNEXPLAINED = "not explained yet"


def is_kernel(one):
    return one["unit"] == "us" and one["against"] in (*COLUMNS, "unfused pair", "one thread", "halves", "onednn, planes")


def table(head, right, rows):
    """A table in Markdown; the first `right` columns are text, the others are aligned to the right."""
    lines = ["| " + " | ".join(head) + " |", "|" + "".join("---|" if i < right else "---:|" for i in range(len(head)))]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def cell(one):
    """`1.31 / 1.20`: ratio and goal; bold when missed, with a question mark when unsure."""
    text = f"{one['ratio']:.2f}" + (f" / {one['goal']:.2f}" if one["status"] != "info" else "")
    if not one["sure"]:
        return f"{text} ?"
    return f"**{text}**" if one["status"] == "missed" else text


def kernel_table(records):
    """One line for each case."""
    cases = {}
    for one in filter(is_kernel, records):
        cases.setdefault((one["name"], tuple(one["shape"]), one["type"], one["threads"]), {})[one["against"]] = one
    rows = []
    for (name, shape, type_, threads), sides in cases.items():
        some = next(iter(sides.values()))
        rows.append([name, " x ".join(map(str, shape)), type_, str(threads), figure(some["value"]),
                     figure(some["gb_per_s"]), *(cell(sides[side]) if side in sides else "" for side in COLUMNS)])
    return table(["operator", "shape", "type", "threads", "us", "GB/s", *COLUMNS], 3, rows)


def own_table(records):
    """Kernels of opc compared with each other."""
    rows = [[title(one), one["against"], figure(one["value"]), cell(one)] for one in records
            if is_kernel(one) and one["against"] not in COLUMNS]
    return table(["case", "against", "us", "ratio / goal"], 2, rows)


def other_table(records):
    rows = [[one["name"], f"{figure(one['value'])} {one['unit']}",
             f"{one['against']} {figure(one['against_value'])}", cell(one), one["note"]]
            for one in records if not is_kernel(one) and one["against"] != "itself"]
    return table(["figure", "value", "against", "ratio / goal", "note"], 3, rows)


def ceiling_table(records):
    rows = [[one["name"], str(one["threads"]), figure(one["value"]) + ("" if one["sure"] else " ?")]
            for one in records if one["against"] == "itself"]
    return table(["loop", "threads", "GB/s"], 1, rows)


def explanations(path):
    """Pairs of a pattern for `title, against` and a text; an invalid file ends the bench."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))["missed"]
        return [(re.compile(entry["figures"]), " ".join(entry["because"].split())) for entry in entries]
    except (OSError, ValueError, re.error, KeyError, TypeError) as error:
        raise SystemExit(f"bench: {path} expects entries of [[missed]] with 'figures', a regular expression, and 'because'; "
                         f"found: {error}") from error


def missed(records, because):
    """(record, explanation) of every figure that missed its goal."""
    for one in records:
        if one["status"] == "missed":
            key = f"{title(one)}, {one['against']}"
            yield one, next((text for pattern, text in because if pattern.search(key)), UNEXPLAINED)


def unexplained(records, because):
    """The last text of ./dev bench: missed figures that no explanation matches, in the form that patterns match;
    empty when there are none."""
    lines = [f"  {title(one)}, {one['against']}" for one, text in missed(records, because) if text == UNEXPLAINED]
    if not lines:
        return ""
    return "\n".join([f"NOT EXPLAINED: {len(lines)} missed figures fit no pattern of tools/dev/bench/explanations.toml:", *lines])


def missed_list(records, because):
    """Explanations, each with the figures that it applies to."""
    by_text = {}
    for one, text in missed(records, because):
        by_text.setdefault(text, []).append(f"{title(one)} against {one['against']}: {cell(one).strip('*')}")
    if not by_text:
        return "None."
    return "\n\n".join(f"{text[0].upper()}{text[1:]}{'' if text.endswith('.') else '.'}\n\n"
                       + "\n".join(f"- {line}" for line in lines) for text, lines in by_text.items())


def counts(records):
    found = {status: sum(one["status"] == status for one in records) for status in ("met", "missed", "unsure", "info")}
    return (f"{len(records)} figures: {found['met']} goals met, {found['missed']} missed, {found['unsure']} not known since "
            f"too few samples had their cores for themselves, {found['info']} for information.")


def of_run(told):
    """The description of the run, line by line."""
    peers = ", ".join(f"{name} {version}" for name, version in told["peers"].items())
    lines = [
        f"- {told['date']}, {told['minutes']} minutes, commit {told['commit']}"
        + ("; a reduced run, no result to quote" if told["reduced"] else ""),
        f"- {told['cpu']}, {told['cores']} cores ({told['caches']}), {told['memory']} of memory, {told['system']}",
        f"- load average {told['load_before']} before and {told['load_after']} after (the bench itself makes 1 to 2)",
        f"- peers: {peers or 'none'}",
        f"- loops by hand and ceilings: {told.get('level') or 'none'}",
        f"- {told['samples']:,} samples of kernels, {told['dropped']:,} of them dropped since they had to share a core",
    ]
    lines += [f"- {name} is absent: {reason}" for name, reason in told["absent"].items()]
    return "\n".join(lines)


def summary(records, told, because):
    """The output of ./dev bench."""
    parts = [kernel_table(records), own_table(records), ceiling_table(records), other_table(records)]
    parts = [part for part in parts if part.count("\n") > 1]
    listed = [f"missed: {title(one)} against {one['against']}: {cell(one).strip('*')}"
              + (f" ({UNEXPLAINED})" if text == UNEXPLAINED else "") for one, text in missed(records, because)]
    return "\n\n".join([*parts, "\n".join(listed), of_run(told), counts(records)])


def write(docs, records, told, because, say):
    """Writes the page, atomically, and its plots."""
    try:
        import plots

        drawn = plots.draw(docs / "performance", records)
    except ImportError:
        say("plots are left out: build/venv has no matplotlib")
        drawn = []
    pictures = "\n\n".join(f"![{text}](performance/{name})" for name, text in drawn)
    page = PAGE.format(run=of_run(told), counts=counts(records), missed=missed_list(records, because),
                       ceilings=ceiling_table(records), kernels=kernel_table(records), own=own_table(records),
                       programs=other_table(records), pictures=pictures or "None.",
                       left_out="\n".join(f"- {what}: {why}" for what, why in sorted(told["left_out"].items())) or "Nothing.")
    partial = docs / "performance.md.partial"
    partial.write_text(page, encoding="utf-8")
    partial.replace(docs / "performance.md")
    say(f"wrote {docs / 'performance.md'}")


PAGE = """# Performance

Written by `./dev bench --write-docs`; do not edit. Explanations of missed figures are in
`tools/dev/bench/explanations.toml` and stay from run to run.

## How to read it

Every figure is a speed as a multiple of the other side's speed in the same run (above 1 is faster), then its goal.
**Bold** figures missed their goal. A question mark means that too few samples had their cores for themselves, so the
figure supports no claim. The sides of a race run in one process over the same memory with the same number of threads
and alternate in turns; a ratio is the median over turns of the ratio within the turn. A sample on one thread is dropped
if its thread had less than 0.97 of a core. A sample on several threads is dropped if other programs wanted their cores
before or after it, or if its threads had less than 0.97 of the cores that they wanted. On one thread each side
runs eight times before its sample, or for some milliseconds, until caches hold its data; on several threads for some
milliseconds, until its threads are awake.

- *ceiling*: a loop of the same run that only moves the same number of tensors. For elementwise kernels beyond the
  second-level cache it uses streaming stores and prefetches; the goal is 0.95. For elementwise kernels within that
  cache, and for rows, it uses ordinary stores. Goals of rows: LayerNorm and RmsNorm 0.92 at 1024 x 1000 and 4096,
  Softmax 0.90 there and 0.70 at 32 x 50257.
  Movements (permutations, slice, concat, pad, tile, gather) and running sums have a copy of as many bytes as their
  result has, from other memory: the goal is 0.90, for running sums 0.80, for gathered rows of 2 KiB 0.85, for those of
  256 bytes 0.50. Pools have goals as a geometric mean: 1.2 against ONNX Runtime, 1.0 against oneDNN.
  Sums over one axis and positions (arg_max) have a loop that only reads; the goal is 0.85. For halves there is a second
  one, *halves*, which reads, converts and adds them: the goal is 0.85, too.
- *memory*: rows against the run's copy of 128 MB with ordinary stores ("move1 ordinary" below), for information. The
  ceiling of a race copies the same memory repeatedly, so data that fits a shared cache is copied from that cache.
- *hand*: a loop by hand with intrinsics of the machine's best level, AVX-512 or AVX2 (`test/perf/HandLoops.cpp`); the
  goal is 0.85 within the second-level cache, 0.8 for rows of 128.
- peers: the goal is 1.2, or the ratio that 0.95 of the ceiling gives if the peer leaves less room; for rows 1.0. ONNX
  Runtime runs with bound memory (IOBinding), OpenVINO with bound tensors; both are called from Python, which costs them
  a few microseconds per call. oneDNN is called from C++, NumPy with `out=` step by step. Our kernels are called through
  `opc_launch_run`, with all costs of a launch.

## The run

{run}

{counts}

## Missed figures

{missed}

## Plots

{pictures}

## Bandwidths of the run

{ceilings}

## Kernels

{kernels}

Kernels of ours against each other:

{own}

## Programs and runtime

For a figure with an upper limit, the ratio is limit / value; for a share with a lower limit, it is value / limit. The
goal is 1.

{programs}

Whole models (`model_...`) have the structure of the real ones and weights by seed (`test/model/models.py`), batch 1,
float32. ONNX Runtime has all optimisations and bound memory. Goals: 0.88 of its time and 0.8 of OpenVINO's, 300 tiny
nodes a fifth of ONNX Runtime's. `model_load_...` is the CPU time from the folder to a model that is ready, in new
processes, with the file cache warm and constants packed by an earlier load, against that of ONNX Runtime's session: a
fifth. `model_compile_...` is the CPU time from nothing, and with its kernels in the cache.

## Left out

{left_out}
"""
