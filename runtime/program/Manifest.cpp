// Whether a manifest makes sense: the check that its reader ends with and its writer's callers
// start with.
//
// In order: names of the operator, tensors and attributes; type rows; symbols and their equations;
// kernels with their tiling functions; paths. Each check returns the first rule that broke and what
// was found.

#include "runtime/program/Manifest.h"

#include "runtime/diagnostic/Diagnostic.h"

#include <algorithm>
#include <set>

using namespace opc;

static std::string inQuotes(std::string_view text) {
  return "'" + printable(text) + "'";
}

/// A letter or '_', then letters, digits and '_': what names of operators, tensors, kernels and
/// symbols look like.
static bool isIdentifier(std::string_view name) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (name.empty() || name.size() > 256 || !letter(name.front()))
    return false;
  return std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Whether a path stays inside the folder it is relative to: "sim/add_relu_float16.opcsim".
static bool staysInside(std::string_view path) {
  if (path.empty() || path.size() > 1024 || path.front() == '/')
    return false;
  for (unsigned char c : path)
    if (c < 0x20 || c == 0x7f || c == '\\' || c == ':')
      return false;
  while (true) {
    size_t end = path.find('/');
    std::string_view part = path.substr(0, end);
    if (part.empty() || part == "." || part == "..")
      return false;
    if (end == std::string_view::npos)
      return true;
    path.remove_prefix(end + 1);
  }
}

static std::string checkName(const std::string &where, std::string_view name) {
  return isIdentifier(name) ? "" : where + ": expects a name, found " + inQuotes(name);
}

static std::string checkPath(const std::string &where, std::string_view path, bool mayBeEmpty) {
  if ((path.empty() && mayBeEmpty) || staysInside(path))
    return {};
  return where + ": expects a path inside the folder, found " + inQuotes(path);
}

static std::vector<const ManifestTensor *> tensorsOf(const Manifest &manifest) {
  std::vector<const ManifestTensor *> tensors;
  for (const ManifestTensor &tensor : manifest.inputs)
    tensors.push_back(&tensor);
  for (const ManifestTensor &tensor : manifest.outputs)
    tensors.push_back(&tensor);
  return tensors;
}

static std::string checkNames(const Manifest &manifest) {
  if (std::string problem = checkName("op_type", manifest.opType); !problem.empty())
    return problem;
  if (std::string problem = checkName("name", manifest.name); !problem.empty())
    return problem;
  // Tensors and attributes share one space of names: both are arguments of the operator.
  std::set<std::string_view> names;
  auto check = [&names](const char *where, const std::string &name) {
    std::string problem = checkName(where, name);
    if (problem.empty() && !names.insert(name).second)
      problem =
          std::string(where) + ": expects names that differ, found " + inQuotes(name) + " twice";
    return problem;
  };
  for (const ManifestTensor *tensor : tensorsOf(manifest))
    if (std::string problem = check("tensors", tensor->name); !problem.empty())
      return problem;
  for (const ManifestAttribute &attribute : manifest.attributes)
    if (std::string problem = check("attributes", attribute.name); !problem.empty())
      return problem;
  return {};
}

static std::string checkTensors(const Manifest &manifest) {
  if (manifest.outputs.empty())
    return "outputs: expects at least one";
  size_t rows = manifest.outputs.front().types.size();
  for (const ManifestTensor *tensor : tensorsOf(manifest)) {
    if (tensor->types.size() != rows || rows == 0)
      return tensor->name +
             ".types: expects a type for each of the type rows, of which there are " +
             std::to_string(rows);
    for (const ManifestDim &dim : tensor->shape) {
      std::string where = tensor->name + ".shape";
      if (dim.kind == ManifestDim::Fixed && dim.size < 0)
        return where + ": expects sizes of at least 0, found " + std::to_string(dim.size);
      if (dim.kind != ManifestDim::Fixed && !isIdentifier(dim.name))
        return where + ": expects a symbol or a pack, found " + inQuotes(dim.name);
    }
  }
  return {};
}

static std::string checkSymbols(const Manifest &manifest) {
  std::set<std::string_view> names;
  for (const ManifestSymbol &symbol : manifest.symbols) {
    if (std::string problem = checkName("symbols", symbol.name); !problem.empty())
      return problem;
    if (!names.insert(symbol.name).second)
      return "symbols: expects names that differ, found " + inQuotes(symbol.name) + " twice";
  }
  for (const ManifestSymbol &symbol : manifest.symbols) {
    std::string where = "symbols." + symbol.name + ": ";
    if (symbol.minimum > symbol.maximum)
      return where + "expects a minimum not above the maximum";
    if (symbol.code.empty() && !symbol.inputs.empty())
      return where + "expects code for an equation with inputs";
    for (const std::string &input : symbol.inputs)
      if (names.count(input) == 0)
        return where + "expects inputs that are symbols, found " + inQuotes(input);
    std::string problem = checkStraightLine(symbol.code, symbol.inputs.size(), symbol.numRegisters);
    if (!problem.empty())
      return where + problem;
  }
  return {};
}

static std::string checkKernel(const Manifest &manifest, const ManifestKernel &kernel) {
  std::string where = "kernels." + kernel.name;
  size_t rows = manifest.outputs.front().types.size();
  size_t tensors = manifest.inputs.size() + manifest.outputs.size();
  if (kernel.typeRow >= rows)
    return where + ".type_row: expects one of " + std::to_string(rows) + " type rows, found " +
           std::to_string(kernel.typeRow);
  if (std::string problem = checkTiling(kernel.tiling); !problem.empty())
    return where + ".tiling: " + problem;
  for (const TilingInput &input : kernel.tiling.inputs)
    if (input.tensor >= tensors)
      return where + ".tiling.inputs: expects one of " + std::to_string(tensors) +
             " tensors, found " + std::to_string(input.tensor);
  for (const std::string &name : kernel.launchAttributes) {
    auto found = std::find_if(manifest.attributes.begin(), manifest.attributes.end(),
                              [&](const ManifestAttribute &a) { return a.name == name; });
    if (found == manifest.attributes.end() || !found->launch)
      return where + ".launch_attributes: expects attributes bound at launch, found " +
             inQuotes(name);
  }
  return checkPath(where + ".simulator_program", kernel.simulatorProgram, true);
}

static std::string checkKernels(const Manifest &manifest) {
  std::set<std::string_view> names;
  for (const ManifestKernel &kernel : manifest.kernels) {
    if (std::string problem = checkName("kernels", kernel.name); !problem.empty())
      return problem;
    if (!names.insert(kernel.name).second)
      return "kernels: expects names that differ, found " + inQuotes(kernel.name) + " twice";
    if (std::string problem = checkKernel(manifest, kernel); !problem.empty())
      return problem;
  }
  return {};
}

static std::string checkFiles(const Manifest &manifest) {
  if (std::string problem = checkPath("cpu_library", manifest.cpuLibrary, true); !problem.empty())
    return problem;
  for (const ManifestFile &file : manifest.files) {
    if (std::string problem = checkPath("files", file.path, false); !problem.empty())
      return problem;
    bool digits = file.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!digits || file.sha256.size() != 64)
      return "files: expects 64 hex digits as sha256 of " + inQuotes(file.path) + ", found " +
             inQuotes(file.sha256);
  }
  return {};
}

std::string opc::checkManifest(const Manifest &manifest) {
  for (auto *check : {checkNames, checkTensors, checkSymbols, checkKernels, checkFiles})
    if (std::string problem = check(manifest); !problem.empty())
      return problem;
  return {};
}
