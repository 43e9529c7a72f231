// Lookups in a contract and the spelling of its enumerators.

#include "ops/contract/Contract.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace opc {

static const ContractTolerance *findIn(const std::vector<ContractTolerance> &tolerances, ElementType type) {
  for (const ContractTolerance &tolerance : tolerances)
    if (tolerance.type == type)
      return &tolerance;
  return nullptr;
}

const ContractTolerance *ContractPrecision::find(ElementType type) const {
  return findIn(tolerances, type);
}

const ContractTolerance *ContractPrecision::findOfChip(ElementType type) const {
  const ContractTolerance *own = findIn(chipTolerances, type);
  return own ? own : find(type);
}

std::string Contract::typeRowName(unsigned row) const {
  // Absent inputs are included: functions of a body and files have the same name with and without them.
  const std::vector<ContractTensor> &all = written ? written->inputs : inputs;
  ElementType first = all.front().types[row];
  bool shared = false;
  for (unsigned other = 0; other < typeRows(); ++other)
    shared |= other != row && !packedInput(other) && all.front().types[other] == first &&
              !(packedInput(row) && isPackedFormOf(row, other));
  std::string name(elementTypeName(first));
  const std::string form = packedInput(row) ? "_nz" : "";
  if (!shared)
    return name + form;
  for (size_t i = 1; i < all.size(); ++i)
    name += "_" + std::string(elementTypeName(all[i].types[row]));
  for (const ContractTensor &output : outputs)
    name += "_" + std::string(elementTypeName(output.types[row]));
  return name + form;
}

std::optional<size_t> Contract::packedInput(unsigned row) const {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].isPacked(row))
      return i;
  return std::nullopt;
}

bool Contract::isPackedFormOf(unsigned packed, unsigned row) const {
  if (!packedInput(packed) || packedInput(row))
    return false;
  for (const auto *tensors : {&inputs, &outputs})
    for (const ContractTensor &tensor : *tensors)
      if (tensor.types[packed] != tensor.types[row])
        return false;
  return true;
}

std::vector<std::string> Contract::typeRowNames() const {
  std::vector<std::string> names;
  for (unsigned row = 0; row < typeRows(); ++row)
    names.push_back(typeRowName(row));
  return names;
}

const ContractBodyText *ContractBody::textOf(unsigned typeRow) const {
  for (const ContractBodyText &text : texts)
    if (std::find(text.typeRows.begin(), text.typeRows.end(), typeRow) != text.typeRows.end())
      return &text;
  return nullptr;
}

const std::string &ContractBody::fileOf(unsigned typeRow) const {
  const ContractBodyText *text = textOf(typeRow);
  return text ? text->file : file;
}

BodyDevices ContractBody::devicesOf(unsigned typeRow) const {
  const ContractBodyText *text = textOf(typeRow);
  return text ? text->devices : devices;
}

std::vector<std::string> ContractBody::files() const {
  std::vector<std::string> all = {file};
  for (const ContractBodyText &text : texts)
    if (std::find(all.begin(), all.end(), text.file) == all.end())
      all.push_back(text.file);
  return all;
}

const ContractBody *Contract::findBody(BodyLevel level) const {
  for (const ContractBody &body : bodies)
    if (body.level == level)
      return &body;
  return nullptr;
}

std::vector<unsigned> Contract::rowsOf(const ContractBody &body) const {
  if (!body.typeRows.empty())
    return body.typeRows;
  std::vector<unsigned> all(typeRows());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

const ContractTensor &Contract::tensorAt(size_t index) const {
  const size_t returned = inputs.size() + outputs.size();
  return index < inputs.size() ? inputs[index]
         : index < returned    ? outputs[index - inputs.size()]
                               : workspace[index - returned];
}

const ContractTensor *Contract::findTensor(std::string_view wanted) const {
  for (const auto *tensors : {&inputs, &outputs})
    for (const ContractTensor &tensor : *tensors)
      if (tensor.name == wanted)
        return &tensor;
  return nullptr;
}

const ContractAttribute *Contract::findAttribute(std::string_view wanted) const {
  for (const ContractAttribute &attribute : attributes)
    if (attribute.name == wanted)
      return &attribute;
  return nullptr;
}

const ContractDimension *Contract::findDimension(std::string_view wanted) const {
  for (const ContractDimension &dimension : dimensions)
    if (dimension.name == wanted)
      return &dimension;
  return nullptr;
}

std::string Contract::filePath(std::string_view file) const {
  return (std::filesystem::path(directory) / std::filesystem::path(file)).string();
}

std::string_view bodyLevelName(BodyLevel level) {
  return level == BodyLevel::AICore ? "aicore" : "te";
}

std::optional<BodyLevel> parseBodyLevel(std::string_view name) {
  for (BodyLevel level : {BodyLevel::AICore, BodyLevel::Te})
    if (bodyLevelName(level) == name)
      return level;
  return std::nullopt;
}

std::string_view attributeTypeName(AttributeType type) {
  switch (type) {
  case AttributeType::Float:
    return "float";
  case AttributeType::Int:
    return "int";
  case AttributeType::Bool:
    return "bool";
  case AttributeType::String:
    return "string";
  case AttributeType::ListFloat:
    return "list_float";
  case AttributeType::ListInt:
    return "list_int";
  case AttributeType::ListBool:
    return "list_bool";
  case AttributeType::ListString:
    return "list_string";
  }
  return {};
}

std::string_view bindingName(Binding binding) {
  switch (binding) {
  case Binding::Compile:
    return "compile";
  case Binding::Launch:
    return "launch";
  case Binding::Shape:
    return "shape";
  }
  return "compile";
}

std::string_view broadcastName(Broadcast broadcast) {
  switch (broadcast) {
  case Broadcast::None:
    return "none";
  case Broadcast::Numpy:
    return "numpy";
  case Broadcast::Scalar:
    return "scalar";
  case Broadcast::Batch:
    return "batch";
  }
  return {};
}

} // namespace opc
