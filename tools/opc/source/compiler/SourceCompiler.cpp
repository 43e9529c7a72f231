#include "tools/opc/source/compiler/SourceCompiler.h"

#include "runtime/target/Target.h"
#include "tools/opc/process/Process.h"
#include "tools/opc/source/compiler/CompilerMessages.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <unistd.h>

namespace opc::tool {

namespace fs = std::filesystem;

static constexpr unsigned kCompileSeconds = 120;
static constexpr uint64_t kCompileBytes = uint64_t(4) << 30;
static constexpr const char *kHeaderFolder = "/runtime/ascendc";

std::string kernelHeaderFolder(const std::string &headers) {
  return headers + kHeaderFolder;
}

std::string findKernelHeaders(Diagnostics &diagnostics) {
  std::string folder;
  if (const char *named = std::getenv("OPC_ASCENDC_HEADERS"); named && *named) {
    folder = named;
  } else {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    folder = (program.parent_path().parent_path() / "share" / "opc" / "ascendc").string();
  }
  std::error_code error;
  if (fs::is_regular_file(kernelHeaderFolder(folder) + "/kernel_operator.h", error))
    return folder;
  diagnostics.error(Code::E0803, {}, "expects kernel_operator.h below '" + printablePath(folder) + "', found none", {},
                    "OPC_ASCENDC_HEADERS names the folder share/opc/ascendc of an opc");
  return {};
}

std::string findCompiler(const std::string &named, Diagnostics &diagnostics) {
  const char *variable = std::getenv("CXX");
  const std::string chosen = !named.empty() ? named : variable ? variable : "";
  if (!chosen.empty()) {
    const bool isPath = chosen.find('/') != std::string::npos;
    if (isPath ? access(chosen.c_str(), X_OK) == 0 : !findInPath(chosen).empty())
      return chosen;
    diagnostics.error(Code::E0803, {}, "expects a C++ compiler, found none under the name '" + printable(chosen) + "'",
                      {}, named.empty() ? "CXX names it" : "--cxx names it");
    return {};
  }
  for (const char *name : {"clang++-22", "clang++", "c++", "g++"})
    if (!findInPath(name).empty())
      return name;
  diagnostics.error(Code::E0803, {}, "expects a C++ compiler, found none in PATH", {},
                    "install g++ or clang, or name one by --cxx");
  return {};
}

const std::string &compilerMacros(const std::string &compiler) {
  static std::map<std::string, std::string> known;
  const auto [found, isNew] = known.try_emplace(compiler);
  if (isNew)
    found->second = runProcess({compiler, "-dM", "-E", "-x", "c++", "/dev/null"}, kCompileSeconds, kCompileBytes).out;
  return found->second;
}

std::vector<std::string> scalarCodeOptions(const std::string &compiler) {
  const std::string &macros = compilerMacros(compiler);
  static const std::regex clang("#define __clang_major__ "), gcc("#define __GNUC__ (1[2-9]|[2-9]\\d)");
  // Every block and no edges. A branch that becomes a select would lose the source lines of its code.
  if (std::regex_search(macros, clang))
    return {"-DOPC_COUNT_SCALAR_CODE",
            "-DOPC_TRACE_POINTERS",
            "-fsanitize-coverage=bb,no-prune,trace-pc,trace-loads,trace-stores",
            "-fno-builtin-memset", // a loop that stores zeros stays one of traced stores
            "-fno-builtin-memcpy",
            "-fno-builtin-memmove",
            "-fno-strict-aliasing", // tensors have views of several types
            "-Wl,--emit-relocs",
            "-mllvm",
            "-phi-node-folding-threshold=0",
            "-mllvm",
            "-two-entry-phi-node-folding-threshold=0"};
  if (std::regex_search(macros, gcc))
    return {"-DOPC_COUNT_SCALAR_CODE", "-fsanitize-coverage=trace-pc", "-Wl,--emit-relocs"};
  return {};
}

std::vector<std::string> sharedLibraryOptions(const std::string &compiler) {
  std::vector<std::string> options = {"-shared", "-Wl,-z,defs", "-Wl,-Bsymbolic"};
  const std::string path = compiler.find('/') != std::string::npos ? compiler : findInPath(compiler);
  std::error_code error;
  const fs::path program = fs::canonical(path, error);
  if (!error && compilerMacros(compiler).find("#define __clang_major__ ") != std::string::npos &&
      access((program.parent_path() / "ld.lld").c_str(), X_OK) == 0)
    options.insert(options.end(), {"-fuse-ld=lld", "-Wl,--threads=1"});
  return options;
}

/// The names that a compiler calls ambiguous and the chip lacks as calls: classes of a kernel.
static std::vector<std::string> ambiguousNames(const std::string &messages) {
  static const std::regex form("reference to '([A-Za-z_]\\w*)' is ambiguous");
  std::vector<std::string> names;
  for (std::sregex_iterator i(messages.begin(), messages.end(), form), end; i != end; ++i)
    if (queryApi((*i)[1].str()).support != ApiSupport::Yes &&
        std::find(names.begin(), names.end(), (*i)[1].str()) == names.end())
      names.push_back((*i)[1]);
  return names;
}

std::optional<std::string> runCompiler(const std::vector<std::string> &arguments, const std::string &headers,
                                       const std::string &path, std::optional<Cann> cann, Diagnostics &diagnostics,
                                       std::vector<std::string> *own) {
  setenv("LC_ALL", "C", 1); // messages in one language
  const ProcessResult result = runProcess(arguments, kCompileSeconds, kCompileBytes);
  if (!result.started) {
    diagnostics.error(Code::E0803, {},
                      "the compiler '" + printable(arguments.front()) + "' cannot be started: " + result.error);
    return std::nullopt;
  }
  if (result.timedOut) {
    diagnostics.error(Code::E0800, {path},
                      "expects to compile within " + std::to_string(kCompileSeconds) +
                          " s, found the compiler running on");
    return std::nullopt;
  }
  if (result.exitCode == 0)
    return result.err;
  if (own && !(*own = ambiguousNames(result.err)).empty())
    return std::nullopt;
  tellErrors(result.err, headers, path, cann, diagnostics);
  return std::nullopt;
}

} // namespace opc::tool
