"""The description of a run: machine, versions, date, load, and the number of dropped samples. Written with
the records."""

import datetime
import os
import pathlib
import platform
import subprocess
import time


def cpu():
    """The processor's name with family and model, as Linux reports them."""
    fields = {}
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            fields.setdefault(key.strip(), value.strip())
    except OSError:
        pass
    name = fields.get("model name", platform.machine())
    return f"{name} (family {fields['cpu family']}, model {fields['model']})" if "cpu family" in fields else name


def caches():
    found = []
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            kind, level, size = ((index / name).read_text().strip() for name in ("type", "level", "size"))
        except OSError:
            continue
        if kind != "Instruction":
            found.append(f"L{level} {size}")
    return ", ".join(found) or "unknown"


def memory():
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"


def system():
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        name = platform.system()
    return f"{name}, Linux {platform.release().split('-')[0]}"


def commit(source):
    """The commit of the tree, and whether files were changed since."""
    def git(*words):
        return subprocess.run(["git", "-C", str(source), *words], capture_output=True, text=True).stdout.strip()

    try:
        name = git("rev-parse", "--short=12", "HEAD")
        return (name + (", with changes" if git("status", "--porcelain") else "")) if name else "unknown"
    except OSError:
        return "unknown"


def begin(source):
    return {"at": time.time(), "load": os.getloadavg()[0], "commit": commit(source)}


def end(begin, options, peers, absent, runner):
    return {
        "date": datetime.datetime.fromtimestamp(begin["at"], datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "minutes": round((time.time() - begin["at"]) / 60, 1),
        "reduced": bool(options.quick or options.only),
        "commit": begin["commit"],
        "cpu": cpu(),
        "cores": os.cpu_count(),
        "caches": caches(),
        "memory": memory(),
        "system": system(),
        "load_before": round(begin["load"], 2),
        "load_after": round(os.getloadavg()[0], 2),
        "level": runner.bench.level,
        "peers": {peer.name: peer.version for peer in peers},
        "absent": absent,
        "left_out": runner.absent,
        "samples": runner.samples,
        "dropped": runner.dropped,
    }
