// The check of a manifest, which the reader runs at its end and callers of the writer run first.
//
// In order: names of the operator, tensors and attributes; defaults; type rows, shapes and reductions; symbols and
// their equations; kernels with their tiling functions; paths. Each check returns the first broken rule and what
// was found.

#include "runtime/program/Manifest.h"

#include "runtime/diagnostic/Diagnostic.h"

#include <algorithm>
#include <map>
#include <set>

using namespace opc;

static std::string inQuotes(std::string_view text) {
  return "'" + printable(text) + "'";
}

/// Whether a name is valid for operators, tensors, kernels and symbols: a letter or '_', then letters, digits and '_'.
static bool isIdentifier(std::string_view name) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (name.empty() || name.size() > 256 || !letter(name.front()))
    return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Whether a name is valid for a dimension: an identifier, a product of identifiers and numbers, "2*D", or a sum of
/// such, "A+2*D".
static bool isDimension(std::string_view name) {
  if (isIdentifier(name))
    return true;
  auto isNumber = [](std::string_view part) {
    return !part.empty() && part.size() <= 19 &&
           std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  size_t parts = 0;
  for (bool more = name.size() <= 1024; more; ++parts) {
    size_t end = name.find_first_of("*+");
    std::string_view part = name.substr(0, end);
    if (!isNumber(part) && !isIdentifier(part))
      return false;
    more = end != std::string_view::npos;
    name.remove_prefix(more ? end + 1 : name.size());
  }
  return parts > 1;
}

/// Whether a relative path stays inside its folder: "sim/add_relu_float16.opcsim".
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
  for (const ManifestTensor &tensor : manifest.workspace)
    tensors.push_back(&tensor);
  return tensors;
}

static std::string checkNames(const Manifest &manifest) {
  if (std::string problem = checkName("op_type", manifest.opType); !problem.empty())
    return problem;
  if (std::string problem = checkName("name", manifest.name); !problem.empty())
    return problem;
  // Tensors and attributes share one namespace: both are arguments of the operator.
  std::set<std::string_view> names;
  auto check = [&names](const char *where, const std::string &name) {
    std::string problem = checkName(where, name);
    if (problem.empty() && !names.insert(name).second)
      problem = std::string(where) + ": expects names that differ, found " + inQuotes(name) + " twice";
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

/// Checks the requirements for matching a shape at launch: an input has at most one pack, which comes first if sizes
/// are aligned to the right, and no more dimensions than tiling functions support.
static std::string checkShape(const ManifestTensor &tensor, bool isInput) {
  std::string where = tensor.name + ".shape";
  size_t packs = 0;
  for (const ManifestDim &dim : tensor.shape) {
    if (dim.kind == ManifestDim::Fixed && dim.size < 0)
      return where + ": expects sizes of at least 0, found " + std::to_string(dim.size);
    if (dim.kind == ManifestDim::Pack ? !isIdentifier(dim.name)
                                      : dim.kind == ManifestDim::Symbol && !isDimension(dim.name))
      return where + ": expects a symbol or a pack, found " + inQuotes(dim.name);
    packs += dim.kind == ManifestDim::Pack;
  }
  if (const size_t most = isInput ? 1 : kMaxManifestRank; packs > most)
    return where + ": expects " + (isInput ? "one pack" : std::to_string(most) + " packs") + " at most, found " +
           std::to_string(packs);
  if (tensor.shape.size() - packs > kMaxManifestRank)
    return where + ": expects at most " + std::to_string(kMaxManifestRank) + " dimensions";
  const bool isBatch = tensor.broadcast == ManifestTensor::Batch;
  if (isBatch && !packs)
    return where + ": expects a pack, along which the input broadcasts";
  if ((isBatch || tensor.broadcast == ManifestTensor::Numpy) && packs && tensor.shape.front().kind != ManifestDim::Pack)
    return where + ": expects the pack first where an input broadcasts";
  return {};
}

namespace {
/// Inputs and attributes by their names. A file may have millions of them, each named by as many others.
struct Named {
  explicit Named(const Manifest &manifest) {
    for (const ManifestTensor &input : manifest.inputs)
      inputs.emplace(input.name, &input);
    for (const ManifestAttribute &attribute : manifest.attributes)
      attributes.emplace(attribute.name, &attribute);
  }
  /// Null where there is none.
  const ManifestTensor *input(std::string_view name) const { return find(inputs, name); }
  const ManifestAttribute *attribute(std::string_view name) const { return find(attributes, name); }

private:
  template <typename Part> using Map = std::map<std::string_view, const Part *>;
  template <typename Part> static const Part *find(const Map<Part> &parts, std::string_view name) {
    auto found = parts.find(name);
    return found == parts.end() ? nullptr : found->second;
  }
  Map<ManifestTensor> inputs;
  Map<ManifestAttribute> attributes;
};
} // namespace

static std::string checkReduction(const Named &named, const ManifestTensor &output) {
  const ManifestReduction &reduction = *output.reduces;
  std::string where = output.name + ".reduces: ";
  const ManifestTensor *input = named.input(reduction.input);
  if (!input || !input->required)
    return where + "expects a required input, found " + inQuotes(reduction.input);
  const ManifestAttribute *axes = named.attribute(reduction.axes);
  if (!axes || axes->bind == ManifestAttribute::Launch ||
      (axes->type != ManifestAttribute::Int && axes->type != ManifestAttribute::ListInt))
    return where + "expects axes in an attribute of type int or list_int, found " + inQuotes(reduction.axes);
  const ManifestAttribute *keep = named.attribute(reduction.keepDims);
  if (!reduction.keepDims.empty() &&
      (!keep || keep->bind == ManifestAttribute::Launch || keep->type != ManifestAttribute::Bool))
    return where + "expects keep_dims in an attribute of type bool, found " + inQuotes(reduction.keepDims);
  auto isSame = [](const ManifestDim &a, const ManifestDim &b) {
    return a.kind == b.kind && a.name == b.name && a.size == b.size;
  };
  if (!output.shape.empty() &&
      !std::equal(output.shape.begin(), output.shape.end(), input->shape.begin(), input->shape.end(), isSame))
    return where + "expects no shape beside it, or that of " + inQuotes(reduction.input);
  return {};
}

static std::string checkAttributes(const Manifest &manifest) {
  for (const ManifestAttribute &attribute : manifest.attributes) {
    std::string where = "attributes." + attribute.name + ": ";
    size_t held = attribute.defaultValue.index();
    if (held != 0 && held != size_t(attribute.type) + 1)
      return where + "expects a default of its type";
    if (attribute.bind == ManifestAttribute::Launch && attribute.type >= ManifestAttribute::String)
      return where + "expects a number or a bool that binds at launch";
  }
  return {};
}

/// Checks the `values` of an input: integers, along a dimension of an input.
static std::string checkValues(const Manifest &manifest, const ManifestTensor &input) {
  if (!input.values)
    return {};
  for (ElementType type : input.types)
    if (type != ElementType::Int32 && type != ElementType::Int64)
      return input.name + ".values: expects elements of int32 or int64, found " + std::string(elementTypeName(type));
  if (manifest.isStatic)
    return input.values->size > 0 ? std::string() : input.name + ".values: expects a size in a static operator";
  if (input.values->size != 0)
    return input.name + ".values: expects a size in a static operator only";
  for (const ManifestTensor &other : manifest.inputs)
    for (const ManifestDim &dim : other.shape)
      if (dim.kind == ManifestDim::Symbol && dim.name == input.values->along)
        return {};
  return input.name + ".values: expects a dimension of an input, found " + inQuotes(input.values->along);
}

static std::string checkTensors(const Manifest &manifest) {
  if (manifest.outputs.empty())
    return "outputs: expects at least one";
  size_t rows = manifest.outputs.front().types.size();
  size_t number = 0;
  for (const ManifestTensor *tensor : tensorsOf(manifest)) {
    if (tensor->types.size() != rows || rows == 0)
      return tensor->name + ".types: expects a type for each of the type rows, of which there are " +
             std::to_string(rows);
    if (std::string problem = checkShape(*tensor, number++ < manifest.inputs.size()); !problem.empty())
      return problem;
  }
  for (const ManifestTensor &input : manifest.inputs)
    if (input.reduces)
      return input.name + ": expects 'reduces' on outputs only";
  for (const ManifestTensor &tensor : manifest.workspace)
    if (tensor.reduces || tensor.values || tensor.broadcast != ManifestTensor::None || !tensor.required)
      return tensor.name + ": expects a shape, types and formats alone in the workspace";
  const Named named(manifest);
  for (const ManifestTensor &input : manifest.inputs)
    if (std::string problem = checkValues(manifest, input); !problem.empty())
      return problem;
  for (const ManifestTensor &output : manifest.outputs) {
    if (output.values)
      return output.name + ": expects 'values' on inputs only";
    if (output.broadcast != ManifestTensor::None)
      return output.name + ": expects 'broadcast' on inputs only";
    if (std::string problem = output.reduces ? checkReduction(named, output) : ""; !problem.empty())
      return problem;
  }
  return {};
}

static std::string checkSymbols(const Manifest &manifest) {
  std::set<std::string_view> names;
  for (const ManifestSymbol &symbol : manifest.symbols) {
    if (!isDimension(symbol.name))
      return "symbols: expects a name, found " + inQuotes(symbol.name);
    if (!names.insert(symbol.name).second)
      return "symbols: expects names that differ, found " + inQuotes(symbol.name) + " twice";
  }
  for (const ManifestSymbol &symbol : manifest.symbols) {
    std::string where = "symbols." + symbol.name + ": ";
    if (symbol.minimum > symbol.maximum)
      return where + "expects a minimum not above the maximum";
    if (symbol.minimumRank > symbol.maximumRank || symbol.maximumRank > kMaxManifestRank)
      return where + "expects ranks of 0 to " + std::to_string(kMaxManifestRank) + " in order";
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

static bool isSame(const TilingFunction &a, const TilingFunction &b) {
  auto alike = [](const auto &some, const auto &others, auto same) {
    return std::equal(some.begin(), some.end(), others.begin(), others.end(), same);
  };
  return a.numRegisters == b.numRegisters &&
         alike(a.inputs, b.inputs,
               [](const TilingInput &x, const TilingInput &y) {
                 return x.kind == y.kind && x.tensor == y.tensor && x.dim == y.dim;
               }) &&
         alike(a.code, b.code,
               [](const ScalarInstruction &x, const ScalarInstruction &y) {
                 return x.op == y.op && x.dst == y.dst && x.a == y.a && x.b == y.b && x.imm == y.imm;
               }) &&
         alike(a.outputs, b.outputs, [](const TilingFunction::Output &x, const TilingFunction::Output &y) {
           return x.field.name == y.field.name && x.field.type == y.field.type && x.reg == y.reg;
         });
}

/// `checked` is a tiling function that was checked already, or null: kernels of a type row share one, and it takes most
/// of a manifest.
static std::string checkKernel(const Manifest &manifest, const Named &named, const ManifestKernel &kernel,
                               const TilingFunction *checked) {
  std::string where = "kernels." + kernel.name;
  size_t rows = manifest.outputs.front().types.size();
  size_t tensors = manifest.numTensors();
  if (kernel.typeRow >= rows)
    return where + ".type_row: expects one of " + std::to_string(rows) + " type rows, found " +
           std::to_string(kernel.typeRow);
  const bool isKnown = checked && isSame(*checked, kernel.tiling);
  if (std::string problem = isKnown ? "" : checkTiling(kernel.tiling); !problem.empty())
    return where + ".tiling: " + problem;
  for (const TilingInput &input : kernel.tiling.inputs)
    if (input.tensor >= tensors)
      return where + ".tiling.inputs: expects one of " + std::to_string(tensors) + " tensors, found " +
             std::to_string(input.tensor);
  for (const std::string &name : kernel.launchAttributes) {
    const ManifestAttribute *attribute = named.attribute(name);
    if (!attribute || attribute->bind != ManifestAttribute::Launch)
      return where + ".launch_attributes: expects attributes bound at launch, found " + inQuotes(name);
  }
  return checkPath(where + ".simulator_program", kernel.simulatorProgram, true);
}

/// Checks kernels that share a type row: their keys differ, and they have the same tiling function, with an output
/// "tiling_key" where there are several kernels.
static std::string checkRowKernels(const std::vector<ManifestKernel> &kernels) {
  std::map<unsigned, std::vector<const ManifestKernel *>> rows;
  for (const ManifestKernel &kernel : kernels)
    rows[kernel.typeRow].push_back(&kernel);
  for (const auto &[row, members] : rows) {
    std::string where = "kernels of type row " + std::to_string(row) + ": expects ";
    const ManifestKernel &first = *members.front();
    bool picks = first.tiling.findOutput(kTilingKeyField).has_value();
    if (members.size() > 1 && !picks)
      return where + "a tiling function with an output \"tiling_key\" for several kernels";
    std::set<uint64_t> keys;
    for (const ManifestKernel *kernel : members) {
      if (!keys.insert(kernel->tilingKey).second)
        return where + "tiling keys that differ, found " + std::to_string(kernel->tilingKey) + " twice";
      if (!isSame(kernel->tiling, first.tiling))
        return where + "one tiling function, found two";
      if (kernel->launchAttributes != first.launchAttributes)
        return where + "one list of launch attributes, found two";
    }
  }
  return {};
}

static std::string checkKernels(const Manifest &manifest) {
  const Named named(manifest);
  for (const auto *kernels : {&manifest.kernels, &manifest.cpuKernels}) {
    std::set<std::string_view> names;
    const TilingFunction *checked = nullptr;
    for (const ManifestKernel &kernel : *kernels) {
      if (std::string problem = checkName("kernels", kernel.name); !problem.empty())
        return problem;
      if (!names.insert(kernel.name).second)
        return "kernels: expects names that differ, found " + inQuotes(kernel.name) + " twice";
      if (std::string problem = checkKernel(manifest, named, kernel, checked); !problem.empty())
        return problem;
      checked = &kernel.tiling;
    }
    if (std::string problem = checkRowKernels(*kernels); !problem.empty())
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
      return "files: expects 64 hex digits as sha256 of " + inQuotes(file.path) + ", found " + inQuotes(file.sha256);
  }
  return {};
}

/// A static operator fixes every size: no other shape may reach its kernels.
static std::string checkStatic(const Manifest &manifest) {
  for (const ManifestTensor &input : manifest.inputs) {
    bool fixed = input.broadcast == ManifestTensor::None;
    for (const ManifestDim &dim : input.shape)
      fixed &= dim.kind == ManifestDim::Fixed;
    if (manifest.isStatic && !fixed)
      return "inputs." + input.name + ".shape: expects sizes alone in a static operator";
  }
  return {};
}

bool opc::mayOverwriteInputs(const Manifest &manifest) {
  if (manifest.body != "te" || manifest.outputs.size() != 1 || manifest.outputs.front().reduces ||
      !manifest.workspace.empty())
    return false;
  const std::vector<ManifestDim> &whole = manifest.outputs.front().shape;
  if (whole.size() != 1 || whole.front().kind != ManifestDim::Pack)
    return false;
  return std::all_of(manifest.inputs.begin(), manifest.inputs.end(), [&](const ManifestTensor &input) {
    return input.broadcast == ManifestTensor::Scalar ||
           (input.shape.size() == 1 && input.shape.front().kind == ManifestDim::Pack &&
            input.shape.front().name == whole.front().name);
  });
}

std::string opc::checkManifest(const Manifest &manifest) {
  for (auto *check : {checkNames, checkAttributes, checkTensors, checkSymbols, checkStatic, checkKernels, checkFiles})
    if (std::string problem = check(manifest); !problem.empty())
      return problem;
  return {};
}
