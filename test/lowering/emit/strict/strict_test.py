#!/usr/bin/env python3
"""Every emitted file of a package against the strict stand-ins of the vendor's headers.

  --kernels   kernel sources: all rows of a third of the operators and one of each other, by one compiler, with or without
              REGISTER_TILING_DEFAULT, for static or dynamic shapes, as OPC_TEST_SEED says; all of them with OPC_TEST_FULL=1
  --host      sources of the host: operator class, inference, tiling or plugin of a third of the operators, as the seed says,
              and the two-phase headers of all as C and C++, those with the same includes one after the other in one source; each
              alone with OPC_TEST_FULL=1
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import strict


def check_kernels(package, stand, seed, full):
    jobs = []
    (beside,) = package.glob("op_impl/ai_core/tbe/*_impl/dynamic")
    for kernels in strict.find_kernels(package):
        for path in (kernels.source(), kernels.header()):
            if path.read_bytes() != (beside / path.name).read_bytes():
                jobs.append((kernels, -1, None))  # the package has one text twice; another would go unseen
        rows = kernels.rows()
        if not full and strict.chosen(seed, kernels.name) % 3:
            rows = [rows[strict.chosen(seed, kernels.name, "row") % len(rows)]]
        for row in rows:
            builds = stand.builds()
            picked = builds if full else [builds[strict.chosen(seed, kernels.name, row) % len(builds)]]
            jobs += [(kernels, row, build) for build in picked]

    def work(job):
        kernels, row, build = job
        return stand.refusal(kernels, row, build) if build else "expects the same text in both places of the package"

    wrong = 0
    for (kernels, row, build), refusal in zip(jobs, strict.in_parallel(jobs, work)):
        if refusal:
            wrong += 1
            print(f"FAILED: {kernels.name}, row {row} ({build}):\n{refusal}")
    print(f"{len(jobs)} kernel sources compiled, {wrong} refused")
    return len(jobs), wrong


def headers_together(package, folder):
    """Sources in `folder` that include the two-phase headers, a source for each set of headers with the same #include lines: a
    header declares functions only, so one before it gives it nothing that its own includes do not."""
    alike = {}
    for path in sorted(package.glob("op_api/include/*.h")):
        includes = re.findall(r"^\s*#\s*include\b.*$", path.read_text(encoding="utf-8"), re.MULTILINE)
        alike.setdefault(tuple(includes), []).append(path)
    sources = []
    for number, paths in enumerate(alike.values()):
        sources.append(folder / f"headers{number}.h")
        sources[-1].write_text("".join(f'#include "{path}"\n' for path in paths), encoding="utf-8")
    return sources


def host_jobs(package):
    """Sources with the folders that they find their headers in."""
    jobs = []
    for path in sorted(package.glob("op_pkg/*/*/op_proto/op_host/*.cpp")):
        jobs.append((path, "c++"))
    for pattern in ("op_proto/src/*_proto.cpp", "op_impl/ai_core/tbe/op_tiling/src/*.cpp", "framework/onnx/*.cpp"):
        jobs += [(path, "c++") for path in sorted(package.glob(pattern))]
    return jobs


def check_host(package, stand, seed, full):
    """One source by one compiler of each third operator, all headers of the two-phase call; with full, all by all. The sources of
    an operator have the same functions, each with another registration, and take a compiler half a second each. What all share
    comes from one printer, of which host.launches compiles and calls other results."""
    by_operator = {}
    for path, language in host_jobs(package):
        name = re.sub(r"_(proto|tiling|plugin)$", "", path.stem)
        by_operator.setdefault(name, []).append((path, language))
    headers = sorted(package.glob("op_api/include/*.h")) if full else headers_together(package, stand.folder)
    jobs = [(path, language) for path in headers for language in ("c++", "c")]
    by_seed = sorted(by_operator, key=lambda name: strict.chosen(seed, name))
    for name in by_seed if full else by_seed[:-(-len(by_seed) // 3)]:
        mine = by_operator[name]
        jobs += mine if full else [mine[strict.chosen(seed, name, "host") % len(mine)]]
    jobs = [(path, language, cxx) for path, language in jobs
            for cxx in (stand.compilers if full else [stand.compilers[strict.chosen(seed, path.name, language) % len(stand.compilers)]])]
    vendor = strict.SOURCE / "test/lowering/emit/host/Inputs/vendor"

    def work(job):
        path, language, cxx = job
        includes = [f"-I{vendor}", f"-I{package / 'op_proto/inc'}", f"-I{path.parent}"]
        if language == "c":
            command = [cxx, "-x", "c", "-std=c11", "-Wall", "-Wextra", "-Werror"]
        else:
            command = [cxx, *strict.HOST_FLAGS, "-x", "c++"]
        done = subprocess.run([*command, "-fsyntax-only", *includes, str(path)], capture_output=True, text=True, check=False)
        return "" if done.returncode == 0 else done.stderr[:600]

    wrong = 0
    for (path, language, cxx), refusal in zip(jobs, strict.in_parallel(jobs, work)):
        if refusal:
            wrong += 1
            print(f"FAILED: {path.relative_to(package) if package in path.parents else path.name} as {language} by {cxx}:\n{refusal}")
    print(f"{len(jobs)} sources of the host compiled, {wrong} refused")
    return len(jobs), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", type=pathlib.Path, required=True, help="folder of a vendor's package")
    parser.add_argument("--contracts", nargs="+", required=True, help="op_contract.yaml of each operator of the library")
    parser.add_argument("--cxx", nargs="+", required=True, help="compilers")
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--host", action="store_true")
    options = parser.parse_args()
    seed, full = os.environ.get("OPC_TEST_SEED", "1"), os.environ.get("OPC_TEST_FULL") == "1"
    expected = len(strict.packed(options.contracts))
    if len(strict.find_kernels(options.package)) != expected:
        print(f"FAILED: expects {expected} operators, found {len(strict.find_kernels(options.package))}")
        return 1
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        stand = strict.Stand.make(pathlib.Path(folder), options.cxx)
        if options.kernels:
            wrong += check_kernels(options.package, stand, seed, full)[1]
        if options.host:
            wrong += check_host(options.package, stand, seed, full)[1]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
