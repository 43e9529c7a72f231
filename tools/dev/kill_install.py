#!/usr/bin/env python3
"""Kills `opc pkg install`, or an installer, and `opc pkg remove` at random moments and looks at what they leave.

Two versions of a package are installed alternately at a place with another vendor. After each kill the place must
have a complete old or new package: `opc pkg verify` passes, the version is one of the two, the other vendor and its
line in config.ini are present, and the next install works without manual repair. A killed removal leaves the complete
package or none, and a valid config.ini.

Exits 1 at the first failure and keeps the place; prints the number of kills before, during and after the work.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time


class Lost(Exception):
    pass


class Place:
    """A place with two vendors, one of which is replaced repeatedly."""

    def __init__(self, opc, contract, work, by_installer):
        self.opc, self.work, self.place, self.by_installer = opc, work, work / "opp", by_installer
        # Files that a killed installer unpacked are removed with the work folder.
        self.environment = {**os.environ, "TMPDIR": str(work)}
        self.packages = {}
        for version in ("1.0.0", "1.1.0"):
            self.packages[version] = work / version
            self.call("build", contract, "--vendor=mine", f"--version={version}", "--run", "-o", self.packages[version])
        self.call("build", contract, "--vendor=neighbour", "--prefix=Next", "--version=1.0.0", "-o", work / "neighbour")
        self.call("install", work / "neighbour", f"--install-path={self.place}")
        self.install("1.0.0")

    def install_command(self, version):
        """The command that installs a version: this opc, or the installer that it built."""
        if self.by_installer:
            installer = next(self.packages[version].glob("*.run"))
            return [str(installer), "--quiet", f"--install-path={self.place}"]
        return self.command("install", self.packages[version], f"--install-path={self.place}")

    def install(self, version):
        self.run(self.install_command(version))

    def command(self, *arguments):
        return [str(self.opc), "pkg", *map(str, arguments)]

    def call(self, *arguments):
        return self.run(self.command(*arguments))

    def run(self, command):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=self.environment)
        except subprocess.TimeoutExpired:
            raise Lost(f"'{' '.join(command)}' did not end within 600 s") from None
        if done.returncode != 0:
            raise Lost(f"'{' '.join(command)}' ended with {done.returncode}:\n{done.stderr}")
        return done.stdout

    def version(self):
        """The installed version after checking its checksums; None when nothing is installed."""
        folder = self.place / "vendors" / "mine"
        if not folder.exists():
            return None
        self.call("verify", folder)
        return json.loads((folder / "package.json").read_text())["version"]

    def check_neighbour(self):
        self.call("verify", self.place / "vendors" / "neighbour")
        lists = re.findall(r"^load_priority=(.*)$", (self.place / "vendors" / "config.ini").read_text(), re.MULTILINE)
        if len(lists) != 1 or "neighbour" not in lists[0].split(","):
            raise Lost(f"config.ini lost the other vendor: {lists}")
        return lists[0].split(",")

    def killed(self, delay, command):
        """Runs a command and kills it and its child processes after a delay; returns whether it was still running."""
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment,
                                   start_new_session=True)
        time.sleep(delay)
        # The process was not waited for yet, so the group id is still valid.
        os.killpg(process.pid, signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


def duration(place, version):
    """The longest of a few durations of an install, in seconds."""
    longest = 0.0
    for _ in range(3):
        began = time.perf_counter()
        place.install(version)
        longest = max(longest, time.perf_counter() - began)
    return longest


def one_install(place, chance, longest, tally):
    before = place.version()
    wanted = chance.choice(sorted(place.packages))
    hit = place.killed(chance.uniform(0, longest), place.install_command(wanted))
    after = place.version()
    place.check_neighbour()
    if after not in (before, wanted) or (after is None and before is not None):
        raise Lost(f"had {before}, installed {wanted}, found {after}")
    tally["install: " + ("ended by itself" if not hit else "new" if after == wanted != before else "old or same")] += 1


def one_remove(place, chance, longest, tally):
    hit = place.killed(chance.uniform(0, longest), place.command("remove", "mine", f"--install-path={place.place}"))
    after = place.version()
    listed = "mine" in place.check_neighbour()
    if after is None and listed:
        raise Lost("config.ini names a vendor that is gone")
    tally["remove: " + ("ended by itself" if not hit else "gone" if after is None else "still there")] += 1
    # The next install must work in any case.
    place.install("1.0.0")
    if place.version() != "1.0.0" or "mine" not in place.check_neighbour():
        raise Lost("the install after a killed removal did not work")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", type=pathlib.Path, required=True)
    parser.add_argument("--contract", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=1000, help="kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--installer", action="store_true", help="install by the self-extracting installer, without opc")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    work = pathlib.Path(tempfile.mkdtemp(prefix="opc-kill-"))
    tally = collections.Counter()
    try:
        place = Place(arguments.opc.resolve(), arguments.contract.resolve(), work, arguments.installer)
        longest = duration(place, "1.0.0") * 1.1
        for i in range(arguments.count):
            (one_remove if i % 5 == 4 else one_install)(place, chance, longest, tally)
            if arguments.count >= 200 and (i + 1) % 100 == 0:
                print(f"  {i + 1} of {arguments.count} kills, none lost", file=sys.stderr, flush=True)
        leftovers = [p.name for p in (place.place / "vendors").iterdir() if p.name.startswith(".opc-stage")]
        place.install("1.1.0")
        kept = [p.name for p in (place.place / "vendors").iterdir() if p.name.startswith((".opc-stage", ".opc-old"))]
        if kept or place.version() != "1.1.0":
            raise Lost(f"the last install left {kept}")
    except Lost as lost:
        print(f"kill_install: seed {arguments.seed}, after {sum(tally.values())} kills: {lost}\nkept: {work}", file=sys.stderr)
        return 1
    shutil.rmtree(work)
    print(f"{arguments.count} kills: 0 lost packages; {len(leftovers)} staging folders swept at the end")
    for what, count in sorted(tally.items()):
        print(f"  {what}: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
