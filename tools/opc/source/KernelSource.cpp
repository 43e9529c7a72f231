// Compiles a kernel source and finds its kernel.

#include "tools/opc/source/KernelSource.h"

#include "runtime/core/File.h"
#include "tools/opc/source/compiler/CompilerMessages.h"
#include "tools/opc/source/compiler/HeaderFirst.h"
#include "tools/opc/source/compiler/PrecompiledHeader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

namespace opc::tool {

namespace fs = std::filesystem;

static constexpr int64_t kLongestSource = int64_t(16) << 20;

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

/// The name of the first kernel in a text that is a template; empty when there is none.
static std::string templateIn(const std::string &text) {
  static const std::regex form(R"(__global__[^;{}()]*\bvoid\s+(\w+)\s*\()"), head(R"(\btemplate\s*<)");
  for (std::sregex_iterator i(text.begin(), text.end(), form), end; i != end; ++i) {
    // The declaration starts after the end of the one before it.
    const size_t at = size_t(i->position()), before = text.find_last_of(";}", at);
    const size_t begin = before == std::string::npos ? 0 : before + 1;
    if (std::regex_search(text.begin() + std::ptrdiff_t(begin), text.begin() + std::ptrdiff_t(at), head))
      return (*i)[1];
  }
  return {};
}

static bool chooseKernel(const SourceOptions &options, const std::string &kernelTemplate, KernelSource &source,
                         Diagnostics &diagnostics) {
  std::string why;
  source.debug = DebugInfo::open(source.object, why);
  if (!source.debug) {
    diagnostics.error(Code::E0800, {options.path},
                      "the compiler wrote an object that cannot be read: " + printable(why, 200));
    return false;
  }
  const std::vector<SourceFunction> kernels = source.debug->functionsIn("opc_kernels", kernelTemplate);
  std::vector<std::string> names;
  for (const SourceFunction &kernel : kernels)
    names.push_back(kernel.name);
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "'" : ", '") + printable(name) + "'";
  if (kernels.empty() && !kernelTemplate.empty()) {
    diagnostics.error(Code::E0801, {options.path},
                      "expects arguments for '" + printable(kernelTemplate) + "', which is a template, found none", {},
                      "host files whose TilingFunc sets a tiling key of GET_TPL_TILING_KEY; --host names their folder");
    return false;
  }
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

/// The options that say how a kernel, and so the headers that it includes, is compiled.
static std::vector<std::string> compilerOptions(const SourceOptions &options, const KernelSource &source) {
  std::vector<std::string> compiling = {"-std=c++17",
                                        "-O1",
                                        "-g",
                                        "-fPIC",
                                        "-fno-omit-frame-pointer",
                                        "-ffp-contract=off",
                                        "-fdiagnostics-color=never",
                                        "-DASCENDC_CPU_DEBUG=1",
                                        "-D__CCE_KT_TEST__=1",
                                        "-I" + kernelHeaderFolder(source.headers),
                                        "-I" + source.headers};
  if (options.cann)
    compiling.push_back(*options.cann == Cann::V8_1 ? "-DOPC_CANN=81" : "-DOPC_CANN=91");
  const std::vector<std::string> counting = scalarCodeOptions(source.compiler);
  compiling.insert(compiling.end(), counting.begin(), counting.end());
  return compiling;
}

/// Compiles with a precompiled header if that cannot change the result; otherwise, or if it fails, without one. `files`
/// are the options that name the included and compiled files. Returns the compiler's messages.
static std::optional<std::string> compileKernel(const SourceOptions &options, const KernelSource &source,
                                                const std::vector<std::string> &compiling,
                                                const std::vector<std::string> &files, Diagnostics &diagnostics) {
  std::vector<std::string> arguments = sharedLibraryOptions(source.compiler);
  arguments.insert(arguments.begin(), source.compiler);
  arguments.insert(arguments.end(), compiling.begin(), compiling.end());
  const size_t including = arguments.size();
  arguments.insert(arguments.end(), files.begin(), files.end());
  const bool isFirst = includesFirst(options.path, source.text, "kernel_operator.h") &&
                       std::all_of(options.defines.begin(), options.defines.end(), [&](const std::string &definition) {
                         return isApartFromHeaders(definition, source.headers);
                       });
  const HeaderUse use = {source.compiler, compiling, source.headers,
                         kernelHeaderFolder(source.headers) + "/Interface.h"};
  const std::optional<PrecompiledHeader> precompiled = isFirst ? precompileHeader(use) : std::nullopt;
  std::vector<std::string> own; // names of headers that the source defines itself
  if (precompiled) {
    std::vector<std::string> shorter = arguments;
    const std::vector<std::string> header = precompiled->includeOptions();
    shorter.insert(shorter.begin() + std::ptrdiff_t(including), header.begin(), header.end());
    Diagnostics attempt;
    if (auto messages = runCompiler(shorter, source.headers, options.path, options.cann, attempt, &own))
      return messages;
  }
  std::optional<std::string> messages;
  if (own.empty()) {
    messages = runCompiler(arguments, source.headers, options.path, options.cann, diagnostics, &own);
    if (precompiled && messages)
      discard(*precompiled);
  }
  if (own.empty())
    return messages;
  for (const std::string &name : own)
    arguments.push_back("-DOPC_OWN_" + name);
  return runCompiler(arguments, source.headers, options.path, options.cann, diagnostics);
}

std::unique_ptr<KernelSource> compileKernelSource(const SourceOptions &options, Diagnostics &diagnostics) {
  auto source = std::make_unique<KernelSource>();
  std::optional<std::string> text = readFile(options.path, kLongestSource, diagnostics);
  if (!text)
    return nullptr;
  source->text = std::move(*text);
  source->headers = findKernelHeaders(diagnostics);
  source->compiler = findCompiler(options.compiler, diagnostics);
  if (!source->folder.isThere(diagnostics) || diagnostics.hasErrors())
    return nullptr;
  source->path = options.path;
  source->object = source->folder.path() + "/kernel.so";
  // A path that begins with '-' must not look like an option.
  const std::string path = options.path[0] == '-' ? "./" + options.path : options.path;
  std::vector<std::string> arguments = {"-x", "c++"};
  for (const std::string &folder : options.includes)
    arguments.push_back("-I" + folder);
  for (const std::string &define : options.defines)
    arguments.push_back("-D" + define);
  if (!options.preface.empty()) {
    const std::string preface = source->folder.path() + "/preface.h";
    std::ofstream(preface) << options.preface;
    arguments.insert(arguments.end(), {"-include", preface});
  }
  const std::string kernelTemplate = templateIn(source->text);
  if (kernelTemplate.empty() || options.templateArguments.empty()) {
    arguments.push_back(path);
  } else {
    // Taking its address makes an instance.
    const std::string instance = source->folder.path() + "/instance.cpp";
    std::ofstream(instance)
        << "extern \"C\" __attribute__((visibility(\"default\"), used)) void *opc_kernel_instance;\n"
        << "void *opc_kernel_instance = reinterpret_cast<void *>(&" << kernelTemplate << "<"
        << options.templateArguments << ">);\n";
    arguments.insert(arguments.end(), {"-include", path, instance});
  }
  arguments.insert(arguments.end(), {"-o", source->object});
  const std::optional<std::string> messages =
      compileKernel(options, *source, compilerOptions(options, *source), arguments, diagnostics);
  if (!messages)
    return nullptr;
  if (!options.cann)
    tellVersions(*messages, source->headers, diagnostics);
  if (!chooseKernel(options, kernelTemplate, *source, diagnostics))
    return nullptr;
  source->blocks = source->debug->codeBlocks(source->headers);
  for (CodeBlock &block : source->blocks)
    for (CodeBlock::Line &line : block.lines)
      line.place = asTyped(line.place, source->path);
  return source;
}

} // namespace opc::tool
