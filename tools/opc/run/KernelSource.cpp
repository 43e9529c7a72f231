// Runs the compiler and reports its messages at the lines of the kernel.

#include "tools/opc/run/KernelSource.h"

#include "runtime/core/File.h"
#include "runtime/target/Target.h"
#include "tools/opc/process/Process.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <unistd.h>

namespace opc::tool {

namespace fs = std::filesystem;

static constexpr unsigned kCompileSeconds = 120;
static constexpr uint64_t kCompileBytes = uint64_t(4) << 30;
static constexpr int64_t kLongestSource = int64_t(16) << 20;
static constexpr const char *kHeaderFolder = "/runtime/ascendc";
static constexpr size_t kMostErrors = 20;

ScratchFolder::ScratchFolder() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "opc-kernel-XXXXXX").string();
  if (mkdtemp(name.data()))
    folder = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  if (!folder.empty())
    fs::remove_all(folder, error);
}

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

static std::string findCompiler(const std::string &named, Diagnostics &diagnostics) {
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

//===----------------------------------------------------------------------===//
// Messages of the compiler
//===----------------------------------------------------------------------===//

namespace {
/// A message in the form of all C++ compilers: "file:line:column: kind: text".
struct CompilerLine {
  Location location;
  std::string kind, text;
};
} // namespace

static std::vector<CompilerLine> readLines(const std::string &output) {
  static const std::regex form("^([^:]+):([0-9]+):(?:([0-9]+):)? +(fatal error|error|note|warning): "
                               "(.*)$"),
      required("^([^:]+):([0-9]+):([0-9]+): +required from here$");
  std::vector<CompilerLine> lines;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    if (line.size() > 4096)
      line.resize(4096);
    std::smatch match;
    auto place = [&] {
      return Location{match[1], unsigned(std::strtoul(match[2].str().c_str(), nullptr, 10)),
                      unsigned(std::strtoul(match[3].str().c_str(), nullptr, 10))};
    };
    if (std::regex_match(line, match, required))
      lines.push_back({place(), "required", ""});
    else if (std::regex_match(line, match, form))
      lines.push_back({place(), match[4], match[5]});
  }
  return lines;
}

static std::vector<std::string> callsOfThisChip() {
  std::vector<std::string> names = apiCallNames();
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string &name) { return queryApi(name).support != ApiSupport::Yes; }),
              names.end());
  return names;
}

/// The replacement of a name that a message quotes and that the chip lacks.
static std::string adviceFor(const std::string &text, bool isCode = false) {
  static const std::regex quoted("['\xe2\x80\x98]+([A-Za-z_]\\w*)"), called("\\b([A-Za-z_]\\w*)\\s*[(<]");
  const std::regex &names = isCode ? called : quoted;
  for (std::sregex_iterator i(text.begin(), text.end(), names), end; i != end; ++i) {
    const std::string name = (*i)[1];
    const ApiAnswer answer = queryApi(name);
    if (answer.support != ApiSupport::No)
      continue;
    const bool isSaid = text.find("Ascend 310B") != std::string::npos; // by opc's header
    const std::string advice = isSaid ? "" : "Ascend 310B has no '" + name + "'; ";
    if (!answer.substitute.empty())
      return isSaid ? "" : advice + "use " + answer.substitute;
    // A call of other chips may be a misspelt call of this chip.
    const std::string nearest = nearestName(name, callsOfThisChip());
    return nearest.empty() ? advice.substr(0, advice.find(';')) : advice + "did you mean '" + nearest + "'?";
  }
  return {};
}

/// Why a call matches no overload: the compiler's note about the nearest one.
static std::string reasonFor(const std::vector<CompilerLine> &lines, size_t index) {
  static const std::regex candidate("^ *(?:candidate (?:template ignored|function template not "
                                    "viable|function not viable): )?(.*(?:conflicting types|"
                                    "no known conversion|could not match|could not infer|couldn't "
                                    "deduce|argument|provided).*)$");
  std::string first;
  for (size_t i = index + 1; i < lines.size() && lines[i].kind == "note"; ++i) {
    std::smatch match;
    if (!std::regex_match(lines[i].text, match, candidate) ||
        lines[i].text.find("deduction/substitution failed") != std::string::npos)
      continue;
    const std::string text = match[1];
    if (text.find("conflicting types") != std::string::npos)
      return text;
    first = first.empty() ? text : first;
  }
  return first;
}

/// The source line of an error, for names that the compiler does not quote.
static std::string sourceLine(const Location &place) {
  Diagnostics unheard;
  const std::optional<std::string> text = readFile(place.file, kLongestSource, unheard);
  std::istringstream stream(text.value_or(""));
  std::string line;
  for (unsigned i = 0; i < place.line && std::getline(stream, line); ++i) {
  }
  return line.substr(0, 1000);
}

/// The location in the kernel of an error inside opc's headers: clang reports it after the error, g++ before it.
static Location userPlace(const std::vector<CompilerLine> &lines, size_t index, const std::string &headers) {
  auto isOurs = [&headers](const Location &place) { return place.file.compare(0, headers.size(), headers) == 0; };
  if (!isOurs(lines[index].location))
    return lines[index].location;
  for (size_t i = index; i-- > 0 && lines[i].kind == "required";)
    if (!isOurs(lines[i].location))
      return lines[i].location;
  for (size_t i = index + 1; i < lines.size() && lines[i].kind == "note"; ++i)
    if (!isOurs(lines[i].location))
      return lines[i].location;
  return lines[index].location;
}

/// The call that a message of the headers names after a keyword: OPC_CALL for a call of one version only, OPC_TYPES
/// for element types that no version has. Empty for other messages.
static std::string versionedCall(const std::string &text, const std::string &word = "OPC_CALL") {
  const std::regex form(word + " (\\w+)");
  std::smatch match;
  return std::regex_search(text, match, form) ? match[1].str() : std::string();
}

/// "CANN 8.1 has no 'Compares'"; empty for a version that has the call.
static std::string whyRefused(Cann version, const std::string &call) {
  const std::string name = "CANN " + std::string(cannName(version));
  return !hasCall(version, call)     ? name + " has no '" + call + "'"
         : !emitsCall(version, call) ? name + " compiles '" + call + "' and emits nothing"
                                     : "";
}

static std::string fixForBoth(const std::string &call) {
  const std::string_view both = callOfBoth(call);
  return both.empty() ? "" : std::string(both) + ": both versions have it";
}

/// Reports calls that only one version has, in a kernel that compiles, as remarks in the order of the source.
static void tellVersions(const ProcessResult &result, const std::string &headers, Diagnostics &diagnostics) {
  const std::vector<CompilerLine> lines = readLines(result.err);
  std::set<std::pair<unsigned, std::string>> told;
  for (size_t i = 0; i < lines.size() && told.size() < kMostErrors; ++i) {
    const std::string call = lines[i].kind == "warning" ? versionedCall(lines[i].text) : "";
    const Location place = userPlace(lines, i, headers);
    if (call.empty() || !told.insert({place.line, call}).second)
      continue;
    for (Cann version : kCannVersions)
      if (const std::string why = whyRefused(version, call); !why.empty()) {
        Diagnostic remark;
        remark.severity = Severity::Remark;
        remark.code = Code::E0800;
        remark.location = place;
        remark.rule = "ascendc_c21";
        remark.message = why + ", and --cann=" + std::string(cannName(version)) + " refuses it";
        remark.fix = fixForBoth(call);
        diagnostics.add(std::move(remark));
      }
  }
}

static void tellErrors(const ProcessResult &result, const std::string &headers, const SourceOptions &options,
                       Diagnostics &diagnostics) {
  const std::vector<CompilerLine> lines = readLines(result.err);
  std::set<std::pair<unsigned, std::string>> told;
  for (size_t i = 0; i < lines.size() && told.size() < kMostErrors; ++i) {
    if (lines[i].kind != "error" && lines[i].kind != "fatal error")
      continue;
    const Location place = userPlace(lines, i, headers);
    std::string text = lines[i].text;
    if (const std::string call = versionedCall(text); !call.empty() && options.cann) {
      if (told.insert({place.line, call}).second)
        diagnostics.error(Code::E0800, place, whyRefused(*options.cann, call), "ascendc_c21", fixForBoth(call));
      continue;
    }
    if (const std::string call = versionedCall(text, "OPC_TYPES"); !call.empty()) {
      const std::string who = options.cann ? "CANN " + std::string(cannName(*options.cann)) + " makes nothing of '"
                                           : "no version of CANN makes anything of '";
      if (told.insert({place.line, call}).second)
        diagnostics.error(Code::E0800, place, who + call + "' for these element types", "ascendc_c21",
                          "types that it has: " + callRows(options.cann.value_or(Cann::V9_1), call));
      continue;
    }
    const size_t ours = text.find("Ascend 310B has no ");
    if (ours != std::string::npos)
      text = text.substr(ours);
    std::string advice = adviceFor(text);
    // The alias by which opc's header finds the structure; projects of the toolkit include it automatically.
    if (text.find("TilingDataOfRegisterTilingDefault") != std::string::npos) {
      text = "GET_TILING_DATA expects a tiling structure, found none in the source";
      advice = "include the header that declares it, op_host/<operator>_tiling.h, or name it: "
               "REGISTER_TILING_DEFAULT(TilingData)";
    }
    if (text.find("no matching") != std::string::npos) {
      const std::string reason = reasonFor(lines, i);
      text += reason.empty() ? "" : ": " + reason;
      if (advice.empty() && reason.find("conflicting types") != std::string::npos)
        advice = "a scalar has the very type of the tensor's elements: float(2), half(2)";
    }
    if (advice.empty() && text.find("initializer list") != std::string::npos)
      advice = adviceFor(sourceLine(place), /*isCode=*/true);
    if (told.insert({place.line, text}).second)
      diagnostics.error(Code::E0800, place, printable(text, 600), {}, advice);
  }
  if (!diagnostics.hasErrors())
    diagnostics.error(Code::E0800, {options.path}, "the compiler says: " + printable(result.err, 600));
}

/// Replaces the absolute path of debug information by the path that the user typed.
static Location asTyped(Location location, const std::string &path) {
  std::error_code error;
  if (fs::weakly_canonical(location.file, error) == fs::weakly_canonical(path, error))
    location.file = path;
  return location;
}

Location KernelSource::lineOf(uint64_t offset) const {
  const Location found = debug->lineOf(offset, headers);
  return found.line != 0 ? asTyped(found, path) : kernel.location;
}

//===----------------------------------------------------------------------===//
// Compile
//===----------------------------------------------------------------------===//

static bool chooseKernel(const SourceOptions &options, KernelSource &source, Diagnostics &diagnostics) {
  std::string why;
  source.debug = DebugInfo::open(source.object, why);
  if (!source.debug) {
    diagnostics.error(Code::E0800, {options.path},
                      "the compiler wrote an object that cannot be read: " + printable(why, 200));
    return false;
  }
  const std::vector<SourceFunction> kernels = source.debug->functionsIn("opc_kernels");
  std::vector<std::string> names;
  for (const SourceFunction &kernel : kernels)
    names.push_back(kernel.name);
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "'" : ", '") + printable(name) + "'";
  if (kernels.empty()) {
    diagnostics.error(Code::E0801, {options.path}, "expects a function that is __global__, found none", {},
                      "extern \"C\" __global__ __aicore__ void name(GM_ADDR x, GM_ADDR y)");
    return false;
  }
  if (options.kernel.empty() && kernels.size() > 1) {
    diagnostics.error(Code::E0801, {options.path}, "expects one kernel, found " + list, {},
                      "--kernel names the one to run");
    return false;
  }
  auto found = kernels.begin();
  if (!options.kernel.empty())
    found = std::find_if(kernels.begin(), kernels.end(),
                         [&options](const SourceFunction &kernel) { return kernel.name == options.kernel; });
  if (found == kernels.end()) {
    const std::string near = nearestName(options.kernel, names);
    diagnostics.error(Code::E0801, {options.path},
                      "expects a kernel '" + printable(options.kernel) + "', found " + list, {},
                      near.empty() ? "" : "did you mean '" + near + "'?");
    return false;
  }
  source.kernel = *found;
  source.kernel.location = asTyped(found->location, source.path);
  if (!source.kernel.wrongParameter.empty()) {
    diagnostics.error(Code::E0801, source.kernel.location,
                      "expects parameters that are GM_ADDR, found '" + printable(source.kernel.wrongParameter) +
                          "' of another type");
    return false;
  }
  return true;
}

std::unique_ptr<KernelSource> compileKernelSource(const SourceOptions &options, Diagnostics &diagnostics) {
  auto source = std::make_unique<KernelSource>();
  if (!readFile(options.path, kLongestSource, diagnostics))
    return nullptr;
  source->headers = findKernelHeaders(diagnostics);
  source->compiler = findCompiler(options.compiler, diagnostics);
  if (diagnostics.hasErrors())
    return nullptr;
  if (source->folder.path().empty()) {
    diagnostics.error(Code::E0601, {}, "expects a folder for temporary files, found none");
    return nullptr;
  }
  source->path = options.path;
  source->object = source->folder.path() + "/kernel.so";
  // A path that begins with '-' must not look like an option.
  const std::string path = options.path[0] == '-' ? "./" + options.path : options.path;
  std::vector<std::string> arguments = {source->compiler,
                                        "-std=c++17",
                                        "-O1",
                                        "-g",
                                        "-fPIC",
                                        "-shared",
                                        "-fno-omit-frame-pointer",
                                        "-ffp-contract=off",
                                        "-fdiagnostics-color=never",
                                        "-Wl,-z,defs",
                                        "-Wl,-Bsymbolic",
                                        "-DASCENDC_CPU_DEBUG=1",
                                        "-D__CCE_KT_TEST__=1",
                                        "-x",
                                        "c++",
                                        "-I" + kernelHeaderFolder(source->headers),
                                        "-I" + source->headers};
  if (options.cann)
    arguments.push_back(*options.cann == Cann::V8_1 ? "-DOPC_CANN=81" : "-DOPC_CANN=91");
  for (const std::string &folder : options.includes)
    arguments.push_back("-I" + folder);
  for (const std::string &define : options.defines)
    arguments.push_back("-D" + define);
  arguments.insert(arguments.end(), {path, "-o", source->object});
  setenv("LC_ALL", "C", 1); // messages in one language
  const ProcessResult result = runProcess(arguments, kCompileSeconds, kCompileBytes);
  if (!result.started) {
    diagnostics.error(Code::E0803, {},
                      "the compiler '" + printable(source->compiler) + "' cannot be started: " + result.error);
    return nullptr;
  }
  if (result.timedOut) {
    diagnostics.error(Code::E0800, {options.path},
                      "expects to compile within " + std::to_string(kCompileSeconds) +
                          " s, found the compiler running on");
    return nullptr;
  }
  if (result.exitCode != 0) {
    tellErrors(result, source->headers, options, diagnostics);
    return nullptr;
  }
  if (!options.cann)
    tellVersions(result, source->headers, diagnostics);
  if (!chooseKernel(options, *source, diagnostics))
    return nullptr;
  return source;
}

} // namespace opc::tool
