"""./dev bench: measures what the project promises and prints each figure beside its goal.

Kernels are measured against ceilings, handwritten loops and peers (ONNX Runtime, OpenVINO, oneDNN, NumPy) in one
process, in turns, on the same memory and the same number of threads; programs are timed from outside. Figures are
ratios within one run, since machines and their load differ. Exits with 0 also when goals are missed, and with 1 when
a program or kernel fails. `--compare` exits with 1 when the second build has lost.
"""

import argparse
import os
import pathlib
import re
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
SOURCE = pathlib.Path(__file__).resolve().parents[3]


def say(text, began=time.monotonic()):
    print(f"[{time.monotonic() - began:4.0f}s] {text}", file=sys.stderr, flush=True)


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"expects a regular expression, found '{text}': {error}") from error


def arguments():
    parser = argparse.ArgumentParser(prog="./dev bench", description=__doc__.splitlines()[0],
                                     formatter_class=argparse.ArgumentDefaultsHelpFormatter, allow_abbrev=False)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build", help="the build that is measured")
    parser.add_argument("--work", type=pathlib.Path, help="folder for files, made anew (default BUILD/bench)")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the records to this file")
    parser.add_argument("--quick", action="store_true", help="few cases and turns, a minute: a look, no result")
    parser.add_argument("--only", type=pattern, metavar="REGEX",
                        help="cases and figures whose line begins with a match: 'softmax', '.* f16', 'cached'")
    parser.add_argument("--without", action="append", default=[], metavar="PEER", help="leave a peer out")
    parser.add_argument("--level", choices=["v3"], help="kernels, loops by hand and oneDNN of AVX2 where the machine has AVX-512; "
                        "peers that have no such setting, and models, are left out")
    parser.add_argument("--write-docs", action="store_true", help="write docs/performance.md and its plots")
    parser.add_argument("--docs", type=pathlib.Path, default=SOURCE / "docs", help="where --write-docs writes")
    parser.add_argument("--explanations", type=pathlib.Path, default=pathlib.Path(__file__).with_name("explanations.toml"),
                        help="why figures are missed")
    parser.add_argument("--from", type=pathlib.Path, metavar="FILE", dest="recorded",
                        help="measure nothing: take WORK/run.json of a run, or WORK/samples.json of a comparison")
    parser.add_argument("--compare", nargs=2, type=pathlib.Path, metavar=("A", "B"),
                        help="two builds in turns; reports where B takes over 5%% more time than A")
    parser.add_argument("--arguments-only", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.arguments_only:  # ./dev checks arguments before it builds
        sys.exit()
    measured = [] if options.recorded else [options.build, *(options.compare or [])]
    for build in measured:
        parts = ("bin/opc", "lib/libopc_runtime.so", *(["lib/libopc_bench.so", "lib/libopc_bench_model.so"] if build == options.build else []))
        for part in parts:
            if not (build / part).exists():
                parser.error(f"expects the folder of a build, '{build / part}' is not there")
    return options


def measure(options):
    """The records of a run and its description."""
    # NumPy's products are OpenBLAS's: of this machine's level, independent of the caller's shell, and on one thread.
    os.environ.pop("OPENBLAS_CORETYPE", None)
    try:
        if " avx512bw " in pathlib.Path("/proc/cpuinfo").read_text():
            # It uses AVX-512 only on CPUs that it knows by name, and is half as fast on newer ones.
            os.environ["OPENBLAS_CORETYPE"] = "SkylakeX"
    except OSError:
        pass
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    if options.level:
        os.environ.update(OPC_BENCH_LEVEL=options.level, DNNL_MAX_CPU_ISA="AVX2", OPENBLAS_CORETYPE="Haswell")
        options.without += ["onnxruntime", "openvino"]
    import kernels
    import models
    import native
    import peers
    import programs
    import race
    import story
    import workload

    work = options.work or options.build / "bench"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    opc = (options.build / "bin" / "opc").resolve()
    effort = race.QUICK if options.quick else race.Effort()
    library = options.build / "lib" / "libopc_bench.so"
    bench = native.Bench(library.resolve())
    found, absent = peers.present(bench, options.without)
    for name, reason in absent.items():
        say(f"{name} is left out: {reason}")
    if not bench.level:
        say("loops by hand and ceilings are left out: this machine has no AVX2")

    def wanted(text):
        return not options.only or options.only.match(text)

    begin = story.begin(SOURCE)
    runner = kernels.Kernels(opc, work, bench, found, effort, say)
    records = []
    if bench.level and wanted("ceilings"):
        records += kernels.ceilings(runner, bench, effort, say)
    runner.level = options.level
    cases = workload.quick_cases() if options.quick else workload.cases()
    cases = [case for case in cases if not (options.level and case.operator.constants)]
    records += kernels.measured(runner, [case for case in cases if wanted(str(case))], say)
    if not options.level:
        records += models.measured(runner, SOURCE, options.quick, wanted)
    for one in programs.figures(opc, SOURCE, work, options.quick, wanted):
        if wanted(one["name"]):
            records.append(one)
            say(f"{one['name']}: {one['value']:.4g} {one['unit']}, {one['status']}")
    return records, story.end(begin, options, found, absent, runner)


def main():
    options = arguments()
    if options.compare:
        import compare

        return compare.main(options, say)
    import record

    if options.recorded:
        records, told = record.run(options.recorded)
    else:
        records, told = measure(options)
        if not records:
            raise SystemExit("bench: --only matches no case and no figure")
        record.write((options.work or options.build / "bench") / "run.json", {"story": told, "records": records})
    rules = record.broken(records)
    if rules:
        raise SystemExit("bench: " + "\n".join(rules))
    if options.json:
        record.write(options.json, records)
    import page

    because = page.explanations(options.explanations)
    print(page.summary(records, told, because))
    if options.write_docs:
        page.write(options.docs, records, told, because, say)
    if left := page.unexplained(records, because):
        print(f"\n{left}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
