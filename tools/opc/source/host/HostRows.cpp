// The element types of a definition's rows: the framework's numbers and names for them, the row of a launch, and the
// macros of a row for a kernel.

#include "runtime/core/launch/LaunchRows.h"
#include "tools/opc/source/host/HostLaunch.h"

#include <algorithm>
#include <cctype>

namespace opc::tool {

//===----------------------------------------------------------------------===//
// The framework's numbers of types
//===----------------------------------------------------------------------===//

namespace {
struct FrameworkType {
  int number;
  const char *name; ///< "DT_FLOAT16"
  std::optional<ElementType> type;
};
} // namespace

static const std::vector<FrameworkType> &frameworkTypes() {
  static const std::vector<FrameworkType> types = {
      {0, "DT_FLOAT", ElementType::Float32},
      {1, "DT_FLOAT16", ElementType::Float16},
      {2, "DT_INT8", ElementType::Int8},
      {3, "DT_INT32", ElementType::Int32},
      {4, "DT_UINT8", ElementType::UInt8},
      {6, "DT_INT16", ElementType::Int16},
      {7, "DT_UINT16", ElementType::UInt16},
      {8, "DT_UINT32", ElementType::UInt32},
      {9, "DT_INT64", ElementType::Int64},
      {10, "DT_UINT64", ElementType::UInt64},
      {11, "DT_DOUBLE", ElementType::Float64},
      {12, "DT_BOOL", ElementType::Bool},
      {13, "DT_STRING", {}},
      {16, "DT_COMPLEX64", {}},
      {17, "DT_COMPLEX128", {}},
      {27, "DT_BF16", ElementType::BFloat16},
      {33, "DT_COMPLEX32", {}},
  };
  return types;
}

static const FrameworkType *frameworkType(int number) {
  for (const FrameworkType &type : frameworkTypes())
    if (type.number == number)
      return &type;
  return nullptr;
}

std::optional<ElementType> elementTypeOfFramework(int number) {
  const FrameworkType *type = frameworkType(number);
  return type ? type->type : std::nullopt;
}

std::string frameworkTypeName(int number) {
  const FrameworkType *type = frameworkType(number);
  return type ? type->name : "type " + std::to_string(number);
}

int frameworkNumber(ElementType element) {
  for (const FrameworkType &type : frameworkTypes())
    if (type.type == element)
      return type.number;
  return -1;
}

//===----------------------------------------------------------------------===//
// Type rows
//===----------------------------------------------------------------------===//

std::optional<unsigned> chooseHostRow(const HostOperator &op, const std::vector<const Tensor *> &inputs,
                                      const std::string &dtype, Diagnostics &diagnostics) {
  const Manifest &manifest = op.manifest;
  const size_t rows = manifest.outputs.front().types.size();
  std::optional<unsigned> named;
  if (!dtype.empty() && !(named = findTypeRow(manifest, dtype, diagnostics)))
    return std::nullopt;
  std::vector<unsigned> fitting;
  std::string names;
  for (unsigned row = 0; row < rows; ++row) {
    bool fits = !named || *named == row;
    for (size_t i = 0; i < inputs.size(); ++i)
      fits = fits && (!inputs[i] || inputs[i]->type() == manifest.inputs[i].types[row]);
    if (fits)
      fitting.push_back(row);
    names += (row ? "; " : "") + typeRowName(manifest, row) + " (" + rowText(manifest, row) + ")";
  }
  // Rows that differ only in the types of omitted inputs give the same launch.
  auto hasOutputsOfFirst = [&](unsigned row) {
    return std::all_of(manifest.outputs.begin(), manifest.outputs.end(), [&](const ManifestTensor &output) {
      return output.types[row] == output.types[fitting.front()];
    });
  };
  if (!fitting.empty() && (inputs.empty() || std::all_of(fitting.begin(), fitting.end(), hasOutputsOfFirst)))
    return fitting.front();
  std::string given;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i])
      given += (given.empty() ? "" : ", ") + printable(manifest.inputs[i].name) + " " +
               std::string(elementTypeName(inputs[i]->type()));
  diagnostics.error(Code::E0522, op.location,
                    fitting.empty()
                        ? "operator '" + printable(manifest.opType) + "' has no row of types for " + given
                        : "several rows of types of operator '" + printable(manifest.opType) + "' fit " + given,
                    "launch_c5", fitting.empty() ? "rows: " + names : "--dtype names one: " + names);
  return std::nullopt;
}

std::vector<std::string> rowMacros(const HostOperator &op, unsigned typeRow) {
  std::vector<std::string> macros;
  size_t number = 0;
  for (const auto *list : {&op.manifest.inputs, &op.manifest.outputs})
    for (const ManifestTensor &tensor : *list) {
      std::string upper;
      for (unsigned char c : tensor.name)
        upper += char(std::toupper(c));
      const ElementType type = tensor.types[typeRow];
      const std::string format = std::to_string(op.formats[number++][typeRow]);
      macros.push_back("DTYPE_" + upper + "=" + std::string(ascendCTypeName(type)));
      macros.push_back("ORIG_DTYPE_" + upper + "=" + frameworkTypeName(frameworkNumber(type)));
      macros.push_back("FORMAT_" + upper + "=" + format);
      macros.push_back("ORIG_FORMAT_" + upper + "=" + format);
    }
  return macros;
}

} // namespace opc::tool
