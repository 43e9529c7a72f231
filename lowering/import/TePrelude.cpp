#include "lowering/import/TePrelude.h"

#include "ops/contract/domain/Reductions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>

namespace opc {

std::string tensorTypeText(const Contract &contract, unsigned typeRow, const ShapeKey &key, size_t number) {
  const ContractTensor &tensor = contract.tensorAt(number);
  // A body of several nests is read as a whole for each of them, which then takes what it has of it.
  std::vector<int> whole(2, tensor.broadcast == Broadcast::Scalar ? -1 : 0);
  if (key.nest && reducesApart(contract))
    whole = dimsInDomain(contract, number);
  std::string text = "tensor<";
  for (int loop : key.nest ? whole : key.operandOf(number).dims)
    text += loop < 0 ? "1x" : "?x";
  return text + std::string(mlirTypeName(tensor.types[typeRow])) + ">";
}

//===----------------------------------------------------------------------===//
// Values of attributes
//===----------------------------------------------------------------------===//

static std::string valueText(double value) {
  if (std::isnan(value) || std::isinf(value))
    return std::isnan(value) ? "0x7FF8000000000000 : f64"
           : value < 0       ? "0xFFF0000000000000 : f64"
                             : "0x7FF0000000000000 : f64";
  char text[40];
  std::snprintf(text, sizeof text, "%.17e : f64", value);
  return text;
}

static std::string valueText(int64_t value) {
  return std::to_string(value) + " : i64";
}

static std::string valueText(bool value) {
  return value ? "true" : "false";
}

static std::string valueText(const std::string &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '"';
  llvm::printEscapedString(value, os);
  os << '"';
  return text;
}

template <typename T> static std::string valueText(const std::vector<T> &values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + valueText(T(values[i]));
  return text + "]";
}

/// Empty if there is no value.
static std::string attributeText(const AttributeValue &value) {
  return std::visit(
      [](const auto &held) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
          return {};
        else
          return valueText(held);
      },
      value);
}

//===----------------------------------------------------------------------===//
// The line of aliases
//===----------------------------------------------------------------------===//

/// Whether an attribute holds the axes of a reduction. Those refer to actual shapes, while a body refers to loops.
static bool isOfShapes(const Contract &contract, const std::string &attribute) {
  for (const ContractTensor &output : contract.outputs)
    if (output.reduces && (output.reduces->axes == attribute || output.reduces->keepDims == attribute))
      return true;
  return false;
}

std::optional<std::string> instantiateTe(const std::string &text, const Contract &contract, unsigned typeRow,
                                         const ShapeKey &key, const std::string &path, Diagnostics &diagnostics) {
  if (text.empty() || text.front() != '!') {
    diagnostics.error(Code::E0310, {path, 1, 1},
                      "expects the first line of a body to be the line of aliases, which is replaced "
                      "for each type row and shape",
                      "bind_c12",
                      "write '!T = " + std::string(mlirTypeName(contract.inputs.front().types.front())) +
                          "' in the first line");
    return std::nullopt;
  }
  llvm::StringRef written = llvm::StringRef(text).take_until([](char c) { return c == '\n'; });
  if (size_t behind = written.find("func.func"); behind < written.find("//")) {
    diagnostics.error(Code::E0310, {path, 1, unsigned(behind) + 1},
                      "expects nothing but aliases in the first line of a body, which is replaced "
                      "for each type row and shape: found 'func.func'",
                      "bind_c12", "begin the function in a line of its own");
    return std::nullopt;
  }
  std::string line;
  auto define = [&](const std::string &name, const std::string &value) {
    // A tensor may be named T; both aliases then have the same name.
    if (!llvm::StringRef(line).contains(name + " = "))
      line += (line.empty() ? "" : " ") + name + " = " + value;
  };
  size_t index = 0;
  for (const auto *tensors : {&contract.inputs, &contract.outputs})
    for (const ContractTensor &tensor : *tensors)
      define("!" + tensor.name, tensorTypeText(contract, typeRow, key, index++));
  define("!T", std::string(mlirTypeName(contract.inputs.front().types[typeRow])));
  for (const ContractAttribute &attribute : contract.attributes) {
    if (attribute.binding != Binding::Compile || isOfShapes(contract, attribute.name))
      continue;
    std::string value = attributeText(attribute.defaultValue);
    if (value.empty()) {
      diagnostics.error(Code::E0310, attribute.location,
                        "expects attribute '" + attribute.name + "', which is bound at compile time, to have a value",
                        "bind_c13", "add 'default:', or bind it at launch");
      return std::nullopt;
    }
    define("#" + attribute.name, value);
  }
  std::vector<int64_t> axes;
  bool isGiven = key.kind == ShapeKey::ReduceRows || key.kind == ShapeKey::ReduceColumns;
  for (size_t loop = 0; loop < key.reduced.size() && isGiven; ++loop)
    if (key.reduced[loop])
      axes.push_back(int64_t(loop));
  if (!axes.empty())
    define("#axes", valueText(axes));
  return line + text.substr(std::min(text.find('\n'), text.size()));
}

} // namespace opc
