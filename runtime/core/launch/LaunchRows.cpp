#include "runtime/core/launch/LaunchRows.h"

#include <algorithm>
#include <climits>

namespace opc {

static size_t countRows(const Manifest &manifest) {
  return manifest.outputs.empty() ? 0 : manifest.outputs.front().types.size();
}

static bool hasPacked(const Manifest &manifest, size_t row) {
  return std::any_of(manifest.inputs.begin(), manifest.inputs.end(),
                     [row](const ManifestTensor &tensor) { return tensor.isPacked(row); });
}

/// Whether two rows have the same types.
static bool areAlike(const Manifest &manifest, size_t a, size_t b) {
  for (const auto *list : {&manifest.inputs, &manifest.outputs})
    for (const ManifestTensor &tensor : *list)
      if (a >= tensor.types.size() || b >= tensor.types.size() || tensor.types[a] != tensor.types[b])
        return false;
  return true;
}

// As Contract::typeRowName.
std::string typeRowName(const Manifest &manifest, size_t row) {
  std::vector<const ManifestTensor *> tensors;
  for (const auto *list : {&manifest.inputs, &manifest.outputs})
    for (const ManifestTensor &tensor : *list)
      if (row < tensor.types.size())
        tensors.push_back(&tensor);
  if (tensors.empty())
    return {};
  const std::vector<ElementType> &first = tensors.front()->types;
  bool isShared = false;
  const bool packed = hasPacked(manifest, row);
  for (size_t other = 0; other < first.size(); ++other)
    isShared |= other != row && first[other] == first[row] && !hasPacked(manifest, other) &&
                !(packed && areAlike(manifest, row, other));
  const std::string form = packed ? "_nz" : "";
  if (!isShared)
    return std::string(elementTypeName(first[row])) + form;
  std::string name;
  for (const ManifestTensor *tensor : tensors)
    name += (name.empty() ? "" : "_") + std::string(elementTypeName(tensor->types[row]));
  return name + form;
}

std::optional<unsigned> findTypeRow(const Manifest &manifest, const std::string &name, Diagnostics &diagnostics) {
  std::vector<std::string> names;
  for (size_t row = 0; row < countRows(manifest); ++row) {
    names.push_back(typeRowName(manifest, row));
    if (names.back() == name)
      return unsigned(row);
  }
  std::string nearest = nearestName(name, names), all;
  for (const std::string &each : names)
    all += (all.empty() ? "" : ", ") + each;
  diagnostics.error(Code::E0522, {},
                    "'" + printable(manifest.opType) + "' has no row of types '" + printable(name) + "'", "launch_c5",
                    nearest.empty() ? "one of: " + all : "did you mean '" + nearest + "'?");
  return std::nullopt;
}

std::string rowText(const Manifest &manifest, size_t row) {
  std::string text;
  for (const ManifestTensor &tensor : manifest.inputs)
    if (row < tensor.types.size())
      text += (text.empty() ? "" : ", ") + printable(tensor.name) + " " +
              std::string(elementTypeName(tensor.types[row])) +
              (tensor.isPacked(row) ? " in " + std::string(formatOf(tensor.packedForm(row))) : "");
  return text;
}

/// The row to add to the contract for inputs of these types: one more entry in the `types` of each tensor. The type
/// of an output follows that of the input whose type it has in the nearest row.
static std::string rowToAdd(const Manifest &manifest, const std::vector<const Tensor *> &inputs, size_t nearest) {
  auto typeOf = [&](size_t i) { return inputs[i] ? inputs[i]->type() : manifest.inputs[i].types[nearest]; };
  std::string text;
  auto add = [&](const ManifestTensor &tensor, ElementType type) {
    text += (text.empty() ? "" : ", ") + printable(tensor.name) + " '- " + std::string(elementTypeName(type)) + "'";
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    add(manifest.inputs[i], typeOf(i));
  for (const ManifestTensor &output : manifest.outputs) {
    ElementType type = output.types[nearest];
    for (size_t i = 0; i < inputs.size(); ++i)
      if (manifest.inputs[i].types[nearest] == output.types[nearest]) {
        type = typeOf(i);
        break;
      }
    add(output, type);
  }
  return text;
}

/// "x1 and x2 have one type in every row", for two inputs that have the same type in every row but were given
/// different ones: adding a row is no fix then. Empty when there are no such inputs.
static std::string unlikeInputs(const Manifest &manifest, const std::vector<const Tensor *> &inputs, size_t rows) {
  for (size_t j = 0; j < inputs.size(); ++j)
    for (size_t i = 0; i < j; ++i) {
      if (!inputs[i] || !inputs[j] || inputs[i]->type() == inputs[j]->type())
        continue;
      bool alike = true;
      for (size_t row = 0; row < rows; ++row)
        alike &= manifest.inputs[i].types[row] == manifest.inputs[j].types[row];
      if (!alike)
        continue;
      std::string text = printable(manifest.inputs[i].name) + " and " + printable(manifest.inputs[j].name) +
                         " have one type in every row";
      bool halves = inputs[i]->type() == ElementType::UInt16 || inputs[j]->type() == ElementType::UInt16;
      return halves ? text + "; for bfloat16 in a .npy of uint16, append ':bf16' to the file" : text;
    }
  return {};
}

/// Reports the first input whose layout is in no row with its types. False if there is none.
static bool reportForm(const Manifest &manifest, const std::vector<const Tensor *> &inputs, size_t rows,
                       Diagnostics &diagnostics) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i])
      continue;
    bool hasTypes = false, hasForm = false;
    for (size_t row = 0; row < rows; ++row) {
      bool same = true;
      for (size_t j = 0; j < inputs.size(); ++j)
        same &= !inputs[j] || manifest.inputs[j].types[row] == inputs[j]->type();
      hasTypes |= same;
      hasForm |= same && manifest.inputs[i].packedForm(row) == inputs[i]->packedForm();
    }
    if (!hasTypes || hasForm)
      continue;
    const std::string name = "'" + printable(manifest.inputs[i].name) + "'";
    const bool packed = inputs[i]->isPacked();
    diagnostics.error(
        Code::E0522, {},
        "'" + printable(manifest.opType) + "' expects " + name +
            (packed ? " row by row: found it packed in " + std::string(formatOf(inputs[i]->packedForm()))
                    : " packed: found it row by row"),
        "launch_c5",
        packed ? "give the .npy file it was packed from, or compile a contract with a row whose 'formats' say " +
                     std::string(formatOf(inputs[i]->packedForm())) + " there"
               : "'opc pack' makes it");
    return true;
  }
  return false;
}

/// Reports that no row matches, with the nearest row and the row that the contract would need.
static void reportNoRow(const Manifest &manifest, const std::vector<const Tensor *> &inputs, size_t rows,
                        size_t nearest, Diagnostics &diagnostics) {
  if (reportForm(manifest, inputs, rows, diagnostics))
    return;
  std::string found;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i])
      found += (found.empty() ? "" : ", ") + printable(manifest.inputs[i].name) + " " +
               std::string(elementTypeName(inputs[i]->type()));
  std::string fix = "the nearest row is " + rowText(manifest, nearest) + "; the contract's type table has " +
                    std::to_string(rows) + (rows == 1 ? " row" : " rows");
  bool known = rows != 0;
  for (const ManifestTensor &output : manifest.outputs)
    known &= nearest < output.types.size();
  if (std::string unlike = unlikeInputs(manifest, inputs, rows); !unlike.empty())
    fix += ": " + unlike;
  else if (known)
    fix += ". Convert the tensors, or, where the device computes in these types, add a line to "
           "'types' of each tensor in op_contract.yaml: " +
           rowToAdd(manifest, inputs, nearest);
  diagnostics.error(Code::E0522, {},
                    "'" + printable(manifest.opType) + "' expects a row of its type table: found " + found, "launch_c5",
                    fix);
}

/// Whether a tensor has the type and the layout of a row.
static bool hasFormOf(const ManifestTensor &input, size_t row, const Tensor &tensor) {
  return input.types[row] == tensor.type() && input.packedForm(row) == tensor.packedForm();
}

/// The rows whose inputs have the types and forms of the given inputs.
static std::vector<unsigned> fittingRows(const Manifest &manifest, const std::vector<const Tensor *> &inputs) {
  std::vector<unsigned> rows;
  for (size_t row = 0; row < countRows(manifest); ++row) {
    bool fits = inputs.size() == manifest.inputs.size();
    for (size_t i = 0; fits && i < inputs.size(); ++i)
      fits = row < manifest.inputs[i].types.size() && (!inputs[i] || hasFormOf(manifest.inputs[i], row, *inputs[i]));
    if (fits)
      rows.push_back(unsigned(row));
  }
  return rows;
}

std::optional<unsigned> rowOfOutputs(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                                     const std::vector<std::optional<ElementType>> &outputs) {
  std::vector<unsigned> fitting = fittingRows(manifest, inputs), rows;
  if (fitting.size() < 2 || outputs.size() != manifest.outputs.size())
    return std::nullopt;
  for (unsigned row : fitting) {
    bool fits = true;
    for (size_t i = 0; i < outputs.size(); ++i)
      fits &= row < manifest.outputs[i].types.size() && (!outputs[i] || manifest.outputs[i].types[row] == *outputs[i]);
    if (fits)
      rows.push_back(row);
  }
  return rows.size() == 1 ? std::optional<unsigned>(rows.front()) : std::nullopt;
}

/// The distance of a row's type from that of an input: a different kind of number outweighs any difference in size;
/// doubling the size is one step.
static unsigned typeDistance(ElementType row, ElementType given) {
  auto kind = [](ElementType type) {
    switch (type) {
    case ElementType::Float16:
    case ElementType::Float32:
    case ElementType::Float64:
    case ElementType::BFloat16:
      return 0;
    case ElementType::Bool:
      return 1;
    default:
      return 2;
    }
  };
  auto steps = [](ElementType type) {
    unsigned count = 0;
    for (unsigned bytes = elementSize(type); bytes > 1; bytes /= 2)
      ++count;
    return count;
  };
  unsigned a = steps(row), b = steps(given);
  return (kind(row) == kind(given) ? 0 : 8) + (a > b ? a - b : b - a);
}

std::optional<unsigned> pickTypeRow(const Manifest &manifest, const std::vector<const Tensor *> &inputs,
                                    std::optional<unsigned> wanted, Diagnostics &diagnostics) {
  size_t rows = SIZE_MAX;
  for (const ManifestTensor &tensor : manifest.inputs)
    rows = std::min(rows, tensor.types.size());
  rows = rows == SIZE_MAX ? 0 : rows;
  size_t nearest = 0, nearestMatches = 0;
  unsigned nearestDistance = UINT_MAX;
  std::vector<unsigned> fitting;
  for (size_t row = 0; row < rows; ++row) {
    size_t matches = 0, given = 0;
    unsigned distance = 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!inputs[i])
        continue;
      ++given;
      matches += hasFormOf(manifest.inputs[i], row, *inputs[i]);
      distance += typeDistance(manifest.inputs[i].types[row], inputs[i]->type());
    }
    if (matches == given)
      fitting.push_back(unsigned(row));
    if (matches > nearestMatches || (matches == nearestMatches && distance < nearestDistance)) {
      nearest = row;
      nearestMatches = matches;
      nearestDistance = distance;
    }
  }
  bool admitted = !wanted || std::find(fitting.begin(), fitting.end(), *wanted) != fitting.end();
  if (!admitted && !fitting.empty() && *wanted < rows) {
    diagnostics.error(Code::E0522, {},
                      "'" + printable(manifest.opType) +
                          "' expects inputs of the type row that was asked "
                          "for, " +
                          rowText(manifest, *wanted) + ": found those of " + rowText(manifest, fitting.front()),
                      "launch_c5", "ask for that row, or for none");
    return std::nullopt;
  }
  if (fitting.empty() || !admitted) {
    reportNoRow(manifest, inputs, rows, wanted && *wanted < rows ? *wanted : nearest, diagnostics);
    return std::nullopt;
  }
  if (wanted || fitting.size() == 1)
    return wanted.value_or(fitting.front());
  std::string names;
  for (unsigned row : fitting)
    names += (names.empty() ? "" : ", ") + typeRowName(manifest, row);
  diagnostics.error(Code::E0522, {},
                    "'" + printable(manifest.opType) + "' expects one row of its type table: the inputs fit " + names,
                    "launch_c19",
                    "name one of them with --dtype; in the C interface the types of the outputs "
                    "name it");
  return std::nullopt;
}

} // namespace opc
