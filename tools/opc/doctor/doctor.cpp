// `opc doctor`: checks what this machine has of the software that opc needs.
//
// Each finding is one line: what was checked, what was found, and what to do if it is missing. A missing part that a
// command requires gives exit status 6; parts that only the board needs are reported as notes.

#include "runtime/core/cache/CacheSettings.h"
#include "runtime/program/format/JsonText.h"
#include "runtime/target/Target.h"
#include "tools/opc/Command.h"
#include "tools/opc/Version.h"
#include "tools/opc/libraries/Libraries.h"
#include "tools/opc/process/Process.h"
#include "tools/opc/process/Python.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace opc::tool {

struct Finding {
  std::string name;   ///< "python", "module numpy"
  std::string status; ///< "ok", "missing", "note"
  std::string found;
  std::string fix;
};

static Finding checkCpu() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
            __builtin_cpu_supports("bmi2");
  bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl");
  if (v3)
    return {"cpu", "ok", v4 ? "x86-64-v4" : "x86-64-v3", ""};
  return {"cpu", "missing", "below x86-64-v3",
          "CPU kernels need AVX2, FMA and F16C: use --device=sim, or a machine from 2013 or later"};
#else
  return {"cpu", "missing", "not x86-64", "packaged CPU kernels are x86-64-v3: use --device=sim"};
#endif
}

static Finding checkCompiler() {
  try {
    return {"compiler", "ok", compiler().build(), ""};
  } catch (const MissingLibrary &error) {
    return {"compiler", "missing", printable(error.what(), 300),
            "install opc as a whole: its libraries lie beside each other in lib"};
  }
}

static Finding checkLinker() {
  std::error_code error;
  std::string path = OPC_LLD_PATH;
  if (path.empty() || !std::filesystem::exists(path, error))
    path = findInPath("ld.lld-22");
  if (path.empty())
    path = findInPath("ld.lld");
  if (path.empty())
    return {"ld.lld", "missing", "not in PATH", "install the package lld-22: 'opc compile' links CPU kernels with it"};
  ProcessResult version = runProcess({path, "--version"}, 20);
  std::string line = version.out.substr(0, version.out.find('\n'));
  if (!version.started || version.exitCode != 0)
    return {"ld.lld", "missing", path + " does not run", "install the package lld-22 again"};
  return {"ld.lld", "ok", path + " (" + line + ")", ""};
}

static void checkPython(const std::string &option, std::vector<Finding> &findings) {
  Python python = findPython(option, {"numpy", "ml_dtypes", "onnxruntime"}, OfModules::Versions);
  if (python.version.empty()) {
    findings.push_back({"python", "missing", python.path + " (" + python.origin + "): " + printable(python.error, 200),
                        "'./dev setup' makes build/venv; or name one with --python or OPC_PYTHON"});
    return;
  }
  findings.push_back({"python", "ok", python.path + " " + python.version + " (" + python.origin + ")", ""});
  for (const auto &[module, version] : python.modules) {
    bool optional = module == "onnxruntime";
    if (!version.empty())
      findings.push_back({"module " + module, "ok", version, ""});
    else
      findings.push_back(
          {"module " + module, optional ? "note" : "missing", "cannot be imported",
           "'./dev setup' installs it into build/venv; or " + python.path + " -m pip install " + module});
  }
}

static Finding checkPath() {
  std::error_code error;
  std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
  std::vector<std::string> all = findAllInPath("opc");
  if (all.empty())
    return {"opc in PATH", "note", "none; this one is " + self, ""};
  if (all.front() == self)
    return {"opc in PATH", "ok", self, ""};
  return {"opc in PATH", "note", all.front() + " comes first; this one is " + self,
          "another program of that name, the vendor's for instance, answers to 'opc': put this "
          "one's folder first in PATH"};
}

static Finding checkVendor() {
  const char *home = std::getenv("ASCEND_HOME_PATH");
  if (home && *home)
    return {"vendor toolkit", "note", std::string("ASCEND_HOME_PATH is ") + printablePath(home), ""};
  return {"vendor toolkit", "note", "ASCEND_HOME_PATH is not set; only kernels on a board need it", ""};
}

/// Finds environment variables that look like settings of opc or the vendor, but that nothing reads.
static void checkVariables(std::vector<Finding> &findings) {
  std::vector<std::string> known = cacheVariables();
  known.insert(known.end(),
               {"OPC_PYTHON", "OPC_LLD", "OPC_ASCENDC_HEADERS", "OPC_JOBS", "OPC_TEST_SEED", "OPC_TEST_FULL",
                "OPC_TEST_CPU_LEVELS", "ASCEND_CUSTOM_OPP_PATH", "ASCEND_OPP_PATH", "ASCEND_HOME_PATH"});
  for (char **variable = environ; *variable; ++variable) {
    std::string name(*variable, std::strcspn(*variable, "="));
    bool ours = name.rfind("OPC_", 0) == 0;
    bool vendors = name.rfind("ASCEND_", 0) == 0 || name.rfind("ACL", 0) == 0;
    if ((!ours && !vendors) || std::find(known.begin(), known.end(), name) != known.end())
      continue;
    std::string nearest = nearestName(name, known);
    if (ours || !nearest.empty())
      findings.push_back({"environment", "note", "opc reads no variable " + printable(name, 60),
                          nearest.empty() ? "" : "did you mean " + nearest + "?"});
  }
}

static ExitCode report(const std::vector<Finding> &findings, Context &context) {
  size_t missing = 0;
  nlohmann::ordered_json records = nlohmann::ordered_json::array();
  for (const Finding &finding : findings) {
    missing += finding.status == "missing";
    if (context.json()) {
      nlohmann::ordered_json record = {{"name", finding.name}, {"status", finding.status}, {"found", finding.found}};
      if (!finding.fix.empty())
        record["fix"] = finding.fix;
      records.push_back(std::move(record));
      continue;
    }
    std::string name = finding.name;
    name.resize(std::max<size_t>(name.size(), 20), ' ');
    std::string status = finding.status;
    status.resize(8, ' ');
    std::cout << status << name << finding.found << '\n';
    if (!finding.fix.empty())
      std::cout << std::string(28, ' ') << finding.fix << '\n';
  }
  if (context.json()) {
    nlohmann::ordered_json all = {{"schema_version", 1}, {"opc", OPC_VERSION}, {"missing", missing}};
    all["findings"] = std::move(records);
    std::cout << writeJson(all) << '\n';
  }
  if (missing == 0)
    return ExitCode::Done;
  return context.fail(Code::E0606, std::to_string(missing) + " of the parts that opc needs cannot be used here",
                      "each line marked 'missing' says what to do");
}

static ExitCode diagnose(const std::string &python, Context &context) {
  std::vector<Finding> findings;
  findings.push_back({"opc", "ok", OPC_VERSION, ""});
  findings.push_back({"llvm", "ok", OPC_LLVM_VERSION, ""});
  findings.push_back(checkCompiler());
  findings.push_back(checkCpu());
  findings.push_back(checkLinker());
  checkPython(python, findings);
  std::string chips;
  for (const std::string &name : targetNames())
    chips += (chips.empty() ? "" : ", ") + name;
  findings.push_back({"chips", "ok", chips, ""});
  findings.push_back(checkPath());
  findings.push_back(checkVendor());
  checkVariables(findings);
  return report(findings, context);
}

static Action declare(Declaration &declaration) {
  auto python = std::make_shared<std::string>();
  addPython(declaration.arguments, *python);
  return [python](Context &context) { return diagnose(*python, context); };
}

const Command &doctorCommand() {
  static const Command command = {"doctor", "check whether this machine has what opc needs",
                                  "  opc doctor\n"
                                  "  opc doctor --format=json",
                                  declare};
  return command;
}

} // namespace opc::tool
