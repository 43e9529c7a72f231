#include "tools/opc/compile/InputShapes.h"

#include "ops/onnx/coverage/Match.h"
#include "tools/opc/compile/CompileOptions.h"

#include <algorithm>

namespace opc::tool {

using Symbols = std::map<std::string_view, int64_t>;

/// Inputs that each run gives: an initializer with an input's name is its value.
static std::vector<onnx::Value *> openInputs(onnx::Model &model) {
  std::vector<onnx::Value *> inputs;
  for (onnx::Value &input : model.graph.inputs) {
    const auto &constants = model.graph.initializers;
    if (std::none_of(constants.begin(), constants.end(),
                     [&](const onnx::Tensor &tensor) { return tensor.name == input.name; }))
      inputs.push_back(&input);
  }
  return inputs;
}

static std::string typeText(const onnx::Value &value) {
  onnx::Fact fact;
  if (!value.type || value.type->kind != onnx::Type::Tensor)
    return value.type ? "no tensor" : "an unknown type";
  fact.type = value.type->element;
  if (value.type->hasRank)
    fact.shape = value.type->shape;
  return factText(fact);
}

static bool setShape(onnx::Value &input, const std::vector<int64_t> &shape, Symbols &symbols,
                     Diagnostics &diagnostics) {
  auto refuse = [&](const std::string &why) {
    std::string found;
    for (int64_t size : shape)
      found += (found.empty() ? "" : ",") + std::to_string(size);
    diagnostics.error(Code::E1012, {},
                      "input '" + printable(input.name) + "' is " + typeText(input) + " in the file: found " + found +
                          why);
    return false;
  };
  if (!input.type || input.type->kind != onnx::Type::Tensor)
    return refuse("");
  onnx::Type &type = *input.type;
  if (!type.hasRank) {
    type.hasRank = true;
    type.shape.assign(shape.size(), {});
  }
  if (type.shape.size() != shape.size())
    return refuse(", which has another rank");
  for (size_t i = 0; i < shape.size(); ++i) {
    onnx::Dim &dim = type.shape[i];
    if (dim.size && *dim.size != shape[i])
      return refuse("");
    if (!dim.size && !dim.symbol.empty()) {
      auto [symbol, isNew] = symbols.emplace(dim.symbol, shape[i]);
      if (!isNew && symbol->second != shape[i])
        return refuse("; '" + printable(dim.symbol) + "' is " + std::to_string(symbol->second) + " already");
    }
  }
  for (size_t i = 0; i < shape.size(); ++i)
    type.shape[i] = {shape[i], {}};
  return true;
}

static void putSymbols(std::vector<onnx::Value> &values, const Symbols &symbols) {
  for (onnx::Value &value : values)
    if (value.type)
      for (onnx::Dim &dim : value.type->shape)
        if (auto symbol = symbols.find(dim.symbol); !dim.size && symbol != symbols.end())
          dim = {symbol->second, {}};
}

bool setInputShapes(onnx::Model &model, const std::string &text, Diagnostics &diagnostics) {
  size_t before = diagnostics.errorCount();
  std::vector<onnx::Value *> inputs = openInputs(model);
  Symbols symbols;
  if (!text.empty()) {
    std::vector<NamedInput> named;
    for (const onnx::Value *input : inputs)
      named.push_back({std::string(input->name), /*required=*/false});
    auto shapes = parseInputShapes(std::string(model.graph.name), named, text, diagnostics);
    if (!shapes)
      return false;
    for (onnx::Value *input : inputs)
      if (auto shape = shapes->find(std::string(input->name)); shape != shapes->end())
        setShape(*input, shape->second, symbols, diagnostics);
  }
  for (auto *values : {&model.graph.inputs, &model.graph.outputs, &model.graph.values})
    putSymbols(*values, symbols);
  if (diagnostics.errorCount() != before)
    return false;
  std::string example;
  std::vector<const onnx::Value *> open;
  for (const onnx::Value *input : inputs) {
    bool isTensor = input->type && input->type->kind == onnx::Type::Tensor;
    if (!isTensor || (input->type->hasRank && std::all_of(input->type->shape.begin(), input->type->shape.end(),
                                                          [](const onnx::Dim &dim) { return dim.size.has_value(); })))
      continue;
    open.push_back(input);
    example += (example.empty() ? "" : ";") + printable(input->name) + ":";
    for (size_t i = 0; i < input->type->shape.size(); ++i)
      example += (i == 0 ? "" : ",") + std::to_string(input->type->shape[i].size.value_or(1));
  }
  for (const onnx::Value *input : open)
    diagnostics.error(Code::E1012, {},
                      "expects the sizes of input '" + printable(input->name) + "', found " + typeText(*input), {},
                      "--input_shape='" + example + "', with the sizes that the model will run with");
  return open.empty();
}

} // namespace opc::tool
