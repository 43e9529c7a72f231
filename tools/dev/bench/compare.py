"""`./dev bench --compare A B`: compares the kernels of two builds, in turns, on the same memory.

Each build has its own process, since a process cannot load two libraries of the same name; both map the same memory,
so that neither has better pages. Each compiles the operators of its own tree with its own opc, and a case that one of
them does not have is left out. While one measures, the other sleeps.

A case has lost when B takes more than 5 % longer than A, by a Wilcoxon signed-rank test (SciPy) of the turns' ratios
against 1.05. The p-values of all cases are corrected for multiple tests (Benjamini and Hochberg), and a bootstrap
(SciPy) gives the interval of the median. A case with fewer than eight kept turns is unsure.
"""

import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import record
from scipy import stats

THRESHOLD = 1.05
CONFIDENCE = 0.95
ENOUGH = 8
SEED = 310


def judge(samples):
    """Judges `samples`, {case: [[seconds of A, seconds of B], ...]} with kept turns only. Returns for each case the
    ratio of times (B over A; above 1: B is slower), its interval, the confidence that B lost more than 5 % (and that
    it gained as much), and the verdict: "loss", "gain", "same" or "unsure"."""
    found = {}
    for case, turns in samples.items():
        if len(turns) < ENOUGH:
            found[case] = {"turns": len(turns), "verdict": "unsure"}
            continue
        a, b = np.asarray(turns, dtype=float).T
        logs = np.log(b / a)
        low, high = stats.bootstrap((logs,), np.median, confidence_level=CONFIDENCE, method="percentile",
                                    rng=np.random.default_rng(SEED)).confidence_interval
        worse = stats.wilcoxon(logs - np.log(THRESHOLD), alternative="greater").pvalue
        better = stats.wilcoxon(logs + np.log(THRESHOLD), alternative="less").pvalue
        found[case] = {"turns": len(turns), "ratio": float(np.exp(np.median(logs))), "low": float(np.exp(low)),
                       "high": float(np.exp(high)), "loss": float(worse), "gain": float(better)}
    judged = [one for one in found.values() if "verdict" not in one]
    for side in ("loss", "gain"):
        values = stats.false_discovery_control([one[side] for one in judged]) if judged else []
        for one, p in zip(judged, values):
            one[side] = 1 - float(p)
    for one in judged:
        lost = one["loss"] >= CONFIDENCE and one["ratio"] > THRESHOLD
        gained = one["gain"] >= CONFIDENCE and one["ratio"] < 1 / THRESHOLD
        one["verdict"] = "loss" if lost else "gain" if gained else "same"
    return found


def told(verdicts):
    """A table in Markdown: losses first, then gains, then the rest."""
    order = {"loss": 0, "gain": 1, "unsure": 2, "same": 3}
    lines = ["| case | B / A, time | 95 % interval | confidence | verdict |", "|---|---:|---:|---:|---|"]
    for case, one in sorted(verdicts.items(), key=lambda item: order[item[1]["verdict"]]):
        if one["verdict"] == "unsure":
            lines.append(f"| {case} | | | | unsure: {one['turns']} turns had a core for themselves |")
            continue
        confidence = f"{one[one['verdict']]:.3f}" if one["verdict"] in ("loss", "gain") else ""
        mark = {"loss": "**LOSS** of more than 5 %", "gain": "gain of more than 5 %", "same": ""}[one["verdict"]]
        lines.append(f"| {case} | {one['ratio']:.3f} | {one['low']:.3f} to {one['high']:.3f} | {confidence} | {mark} |")
    count = {verdict: sum(one["verdict"] == verdict for one in verdicts.values()) for verdict in order}
    lines.append(f"\n{len(verdicts)} cases: {count['loss']} lost, {count['gain']} gained, {count['unsure']} unsure")
    ratios = [one["ratio"] for one in verdicts.values() if one["verdict"] != "unsure"]
    if ratios:
        lines.append(f"geometric mean of {len(ratios)} ratios: {np.exp(np.mean(np.log(ratios))):.3f}")
    return "\n".join(lines)


class Build:
    """A process that measures with the libraries of one build."""

    def __init__(self, folder, work, library, quick):
        self.process = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("worker.py")), str(folder), str(work), str(library)]
            + (["--quick"] if quick else []),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise SystemExit("bench: the process of a build has ended; its message is above")
        return json.loads(answer)

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


def measure(options, say):
    """{case: kept turns} of both builds."""
    import race
    import workload

    work = options.work or options.build / "bench-compare"
    shutil.rmtree(work, ignore_errors=True)
    builds = []
    for name, folder in zip("ab", options.compare):
        (work / name).mkdir(parents=True)
        # Both use the same library of loops and clocks, so that only the build differs.
        builds.append(Build(folder.resolve(), (work / name).resolve(), options.build.resolve() / "lib", options.quick))
    effort = race.QUICK if options.quick else race.Effort()
    wanted = max(2 * effort.turns, ENOUGH + 2)
    cases = workload.quick_cases() if options.quick else [case for case in workload.cases() if case.elements() <= 16 << 20]
    cases = [case for case in cases if not options.only or options.only.match(str(case))]
    if not cases:
        raise SystemExit("bench: --only matches no case")
    samples = {}
    for number, case in enumerate(cases, 1):
        memory = str(work / "memory")
        prepared = [build.ask(prepare=str(case), memory=memory) for build in builds]
        if missing := [f"{name}: {one['absent']}" for name, one in zip("AB", prepared) if "absent" in one]:
            say(f"{number}/{len(cases)} {case} is left out; {'; '.join(missing)}")
            continue
        repeats = max(one["repeats"] for one in prepared)
        turns = samples.setdefault(str(case), [])
        for turn in range(4 * wanted):
            pair = [None, None]
            for which in ((0, 1), (1, 0))[turn % 2]:
                pair[which] = builds[which].ask(sample=repeats)
            if all(one["kept"] for one in pair):
                turns.append([one["seconds"] for one in pair])
            if len(turns) >= wanted:
                break
        say(f"{number}/{len(cases)} {case}: {len(turns)} turns")
    for build in builds:
        build.close()
    return samples


def main(options, say):
    if options.recorded:
        samples = record.read(options.recorded)
    else:
        samples = measure(options, say)
        record.write((options.work or options.build / "bench-compare") / "samples.json", samples)
    verdicts = judge(samples)
    if options.json:
        record.write(options.json, verdicts)
    print(told(verdicts))
    return 1 if any(one["verdict"] == "loss" for one in verdicts.values()) else 0
