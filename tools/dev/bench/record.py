"""A record: one figure with its goal. `./dev bench --json` writes a list of records; SCHEMA has their fields."""

import json
import pathlib

# Every record has these fields; `shape` is a list of int. Other fields of a record are information.
SCHEMA = {
    "schema_version": int,
    "name": str,  # the operator's folder in ops/library, or the name of a figure of a program
    "shape": list,
    "type": str,
    "threads": int,
    "value": float,  # in `unit`
    "unit": str,
    "against": str,  # "ceiling", "hand", a peer's name, or another reference of a program
    "against_value": float,  # in `unit`
    "ratio": float,  # above 1: faster than the reference
    "goal": float,  # of the ratio
    "status": str,  # of STATUS
    "sure": bool,  # whether enough samples had their cores to themselves
    "note": str,
}
STATUS = ("met", "missed", "unsure", "info")


def record(name, shape, type_, threads, value, unit, against, against_value, ratio, goal, *, sure=True, info=False,
           note="", **more):
    """Makes a record. `sure`: enough samples were kept. `info`: the figure has no goal; `goal` is 0 then."""
    status = "info" if info else "unsure" if not sure else "met" if ratio >= goal else "missed"
    return {"schema_version": 2, "name": name, "shape": list(shape), "type": type_, "threads": threads,
            "value": round(float(value), 4), "unit": unit, "against": against,
            "against_value": round(float(against_value), 4), "ratio": round(float(ratio), 4),
            "goal": round(float(goal), 4), "status": status, "sure": sure, "note": note, **more}


def broken(records):
    """The violations of SCHEMA in records, as lines."""
    lines = []
    for at, one in enumerate(records):
        for key, kind in SCHEMA.items():
            value = one.get(key)
            if not isinstance(value, (int, float) if kind is float else kind) or isinstance(value, bool) != (kind is bool):
                lines.append(f"record {at}: '{key}' expects {kind.__name__}, found {value!r}")
        if any(type(size) is not int for size in one.get("shape") or []):
            lines.append(f"record {at}: 'shape' expects integers, found {one['shape']}")
        if one.get("status") not in STATUS:
            lines.append(f"record {at}: 'status' expects one of {', '.join(STATUS)}, found {one.get('status')!r}")
    return lines


def read(path: pathlib.Path):
    """Reads a file that write() wrote; ends the bench with a message when it is missing or not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SystemExit(f"bench: expects records of a run in '{path}', found: {error}") from error


def write(path: pathlib.Path, records):
    """Writes records atomically."""
    partial = path.with_name(path.name + ".partial")
    partial.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    partial.replace(path)


def run(path):
    """The records and the description of a recorded run."""
    kept = read(path)
    if not isinstance(kept, dict) or not isinstance(kept.get("records"), list) or not isinstance(kept.get("story"), dict):
        raise SystemExit(f"bench: expects 'records' and 'story' of a run in '{path}', found something else")
    return kept["records"], kept["story"]


def title(one):
    """The title of a record: `add_relu 1048576 f32, 2 threads`."""
    shape = "x".join(map(str, one["shape"]))
    threads = f", {one['threads']} threads" if one["threads"] > 1 else ""
    return " ".join(filter(None, (one["name"], shape, one["type"]))) + threads


def figure(value):
    """A number with three digits; above a thousand its whole part."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def line(one):
    """The line about a record that is printed while the bench runs."""
    goal = f"goal {one['goal']:.2f}, {one['status']}" if one["status"] != "info" else "for information"
    text = (f"{title(one)}: {figure(one['value'])} {one['unit']}, {one['ratio']:.2f} of {one['against']} ({goal})")
    return text + (f"; {one['note']}" if one["note"] else "")
