// Host files are arbitrary native code, so a child process loads them (GuardedChild.h) and sends their definition back
// as JSON, which is checked like any file.

#include "tools/opc/source/host/HostSource.h"

#include "tools/opc/process/Process.h"
#include "tools/opc/source/compiler/HeaderFirst.h"
#include "tools/opc/source/compiler/PrecompiledHeader.h"
#include "tools/opc/source/host/HostLaunch.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <iterator>

namespace opc::tool {

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

ascendc::HostObject *loadHostObject(ChildSide &side, const std::string &path) {
  std::string why;
  void *handle = side.load(path, why);
  using Entry = ascendc::HostObject *(*)();
  auto entry = handle ? reinterpret_cast<Entry>(dlsym(handle, "opc_host_object")) : nullptr;
  ascendc::HostObject *object = entry ? entry() : nullptr;
  if (object && object->version() == ascendc::kHostVersion)
    return object;
  side.answer({!handle  ? why
               : object ? "it was compiled with headers of another opc"
                        : "it does not use opc's headers"});
}

Location HostSource::placeOf(const ChildFault &fault, const Location &other) const {
  std::vector<int64_t> offsets(std::begin(fault.callers), std::end(fault.callers));
  offsets.insert(offsets.begin(), fault.codeOffset);
  for (int64_t offset : offsets) {
    Location found = fault.signal != 0 && offset > 0 ? debug->lineOf(uint64_t(offset), headers) : Location();
    std::error_code error;
    for (const std::string &file : files)
      if (std::filesystem::weakly_canonical(found.file, error) == std::filesystem::weakly_canonical(file, error))
        found.file = file;
    if (found.line != 0)
      return found;
  }
  return other;
}

//===----------------------------------------------------------------------===//
// Compile
//===----------------------------------------------------------------------===//

/// Whether a compiler's error is about an undeclared name of the standard library: "no member named 'cout' in namespace
/// 'std'" (clang), "'cout' is not a member of 'std'" (GNU).
static bool missesStandardName(const Diagnostics &diagnostics) {
  const std::vector<Diagnostic> &all = diagnostics.all();
  return std::any_of(all.begin(), all.end(), [](const Diagnostic &diagnostic) {
    return diagnostic.message.find("in namespace 'std'") != std::string::npos ||
           diagnostic.message.find("is not a member of 'std'") != std::string::npos;
  });
}

/// One way to compile all files into one object: with the options `first` before them, and `object` linked in. Files
/// that use undeclared names of the standard library are compiled again with its headers, which the toolkit's headers
/// include. Only such files get them, since they take longer to compile than our own.
static bool compileFirst(std::vector<std::string> first, const std::string &object, const HostOptions &options,
                         const HostSource &source, const std::vector<std::string> &compiling,
                         Diagnostics &diagnostics) {
  auto compiles = [&](Diagnostics &told) {
    std::vector<std::string> arguments = sharedLibraryOptions(source.compiler);
    arguments.insert(arguments.begin(), {source.compiler, "-g"});
    arguments.insert(arguments.end(), compiling.begin(), compiling.end());
    for (const std::string &folder : options.includes)
      arguments.push_back("-I" + folder);
    for (const std::string &define : options.defines)
      arguments.push_back("-D" + define);
    arguments.insert(arguments.end(), first.begin(), first.end());
    arguments.insert(arguments.end(), {"-x", "c++"});
    for (const std::string &file : options.files)
      arguments.push_back(file[0] == '-' ? "./" + file : file);
    if (!object.empty())
      arguments.insert(arguments.end(), {"-x", "none", object});
    arguments.insert(arguments.end(), {"-o", source.object});
    return runCompiler(arguments, source.headers, options.files.front(), std::nullopt, told).has_value();
  };
  Diagnostics attempt;
  if (compiles(attempt))
    return true;
  if (!missesStandardName(attempt)) {
    diagnostics.add(attempt);
    return false;
  }
  for (const char *header : {"cmath", "functional", "iostream", "numeric", "set", "sstream", "unordered_map"})
    first.insert(first.end(), {"-include", header});
  return compiles(diagnostics);
}

/// Compiles all files into one object, with a precompiled header of ours where there may be one.
static bool compileFiles(const HostOptions &options, HostSource &source, Diagnostics &diagnostics) {
  const std::vector<std::string> compiling = {"-std=c++17",
                                              "-O0",
                                              "-fPIC",
                                              "-fno-omit-frame-pointer",
                                              "-fdiagnostics-color=never",
                                              "-DOPC_HOST_FILES=1",
                                              "-I" + kernelHeaderFolder(source.headers) + "/host/include",
                                              "-I" + source.headers};
  const std::string entry = kernelHeaderFolder(source.headers) + "/host/Entry.h";
  const bool isApart = std::all_of(options.defines.begin(), options.defines.end(), [&](const std::string &definition) {
    return isApartFromHeaders(definition, source.headers);
  });
  const std::optional<PrecompiledHeader> precompiled =
      isApart ? precompileHeader({source.compiler, compiling, source.headers, entry, true}) : std::nullopt;
  if (Diagnostics unsaid; precompiled && compileFirst(precompiled->includeOptions(), precompiled->functions, options,
                                                      source, compiling, unsaid))
    return true;
  if (!compileFirst({"-include", entry}, {}, options, source, compiling, diagnostics))
    return false;
  if (precompiled)
    discard(*precompiled);
  return true;
}

/// Compiles all files; the toolkit compiles host files with g++, which accepts forms that clang refuses.
static bool compileAsToolkit(const HostOptions &options, HostSource &source, Diagnostics &diagnostics) {
  Diagnostics attempt;
  if (compileFiles(options, source, attempt))
    return true;
  const std::vector<Diagnostic> &told = attempt.all();
  const bool isOfClang = std::any_of(told.begin(), told.end(), [](const Diagnostic &diagnostic) {
    return diagnostic.message.find("variable-sized object may not be initialized") != std::string::npos;
  });
  if (isOfClang && options.compiler.empty() && !std::getenv("CXX") && !findInPath("g++").empty()) {
    source.compiler = "g++";
    return compileFiles(options, source, diagnostics);
  }
  diagnostics.add(attempt);
  return false;
}

std::unique_ptr<HostSource> compileHostSource(const HostOptions &options, unsigned seconds, Diagnostics &diagnostics) {
  auto source = std::make_unique<HostSource>();
  source->headers = findKernelHeaders(diagnostics);
  source->compiler = findCompiler(options.compiler, diagnostics);
  if (!source->folder.isThere(diagnostics) || diagnostics.hasErrors())
    return nullptr;
  source->files = options.files;
  source->object = source->folder.path() + "/host.so";
  std::string why;
  if (!compileAsToolkit(options, *source, diagnostics))
    return nullptr;
  source->debug = DebugInfo::open(source->object, why);
  if (!source->debug) {
    diagnostics.error(Code::E0800, {options.files.front()},
                      "the compiler wrote an object that cannot be read: " + printable(why, 200));
    return nullptr;
  }
  const ChildRun run = ChildRun::run(
      seconds,
      [&source, seconds](ChildSide &side) {
        side.guard(seconds, nullptr);
        side.answer({"", definitionText(*loadHostObject(side, source->object))});
      },
      diagnostics);
  if (!run.started)
    return nullptr;
  if (!run.answered || run.parts.empty()) {
    tellFault(run, "the operator's definition", source->placeOf(run.fault, {options.files.front()}), seconds, "",
              diagnostics);
    return nullptr;
  }
  if (run.parts.size() != 2) {
    diagnostics.error(Code::E0800, {options.files.front()},
                      "the object of the host files cannot be loaded: " + printable(run.parts.front(), 300));
    return nullptr;
  }
  return readDefinition(run.parts[1], *source, diagnostics) ? std::move(source) : nullptr;
}

std::string HostSource::kernelHeader(const std::string &op, uint64_t key) const {
  std::string text = "#include <cstdint>\n";
  const bool usesSoftMax = std::any_of(tilings.begin(), tilings.end(), [](const TilingStructure &tiling) {
    return std::any_of(tiling.fields.begin(), tiling.fields.end(),
                       [](const TilingField &field) { return field.type == "SoftMaxTiling"; });
  });
  if (usesSoftMax)
    text += "#include \"runtime/ascendc/lib/SoftMaxTiling.h\"\nusing AscendC::tiling::SoftMaxTiling;\n";
  std::vector<std::string> declared;
  const TilingStructure *chosen = nullptr, *ofKey = nullptr;
  for (const TilingStructure &tiling : tilings) {
    if (tiling.registeredFor == op)
      chosen = &tiling;
    if (tiling.registeredFor == op + "_" + std::to_string(key))
      ofKey = &tiling;
    if (std::find(declared.begin(), declared.end(), tiling.name) != declared.end())
      continue;
    declared.push_back(tiling.name);
    text += "struct " + tiling.name + " {\n";
    for (const TilingField &field : tiling.fields)
      text +=
          "  " + field.type + " " + field.name + (field.count ? "[" + std::to_string(field.count) + "]" : "") + ";\n";
    text += "};\nnamespace optiling { using ::" + tiling.name + "; }\n";
  }
  chosen = ofKey ? ofKey : chosen;
  if (chosen)
    text += "#define OPC_TILING_IS_GENERATED 1\nusing TilingDataOfRegisterTilingDefault = " + chosen->name + ";\n";
  return text;
}

} // namespace opc::tool
