// What the reader found in models, as text: second_reader.py makes the same text with the onnx package.
//
//   onnx_dump <file>...
//
// A line for each input, output, initializer, node and attribute; tensors by type, shape and SHA-256 of their bytes,
// floats by their bits.

#include "ops/onnx/Reader.h"
#include "ops/onnx/TensorData.h"
#include "runtime/program/format/Sha256.h"

#include <cstring>
#include <iostream>

using namespace opc::onnx;
using opc::codeInfo;
using opc::Diagnostic;
using opc::Diagnostics;
using opc::Severity;
using opc::sha256;

static std::string hex(std::string_view bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (unsigned char c : bytes) {
    text += digits[c >> 4];
    text += digits[c & 15];
  }
  return text;
}

static std::string list(const std::vector<int64_t> &numbers) {
  std::string text = "[";
  for (int64_t number : numbers)
    text += (text.size() > 1 ? "," : "") + std::to_string(number);
  return text + "]";
}

static std::string names(const std::vector<std::string_view> &all) {
  std::string text = "(";
  for (size_t i = 0; i < all.size(); ++i)
    text += (i != 0 ? "," : "") + std::string(all[i]);
  return text + ")";
}

static std::string tensorText(const Model &model, const Tensor &tensor) {
  std::string bytes;
  if (tensor.type == ElementType::String)
    for (std::string_view each : tensorStrings(tensor))
      bytes += std::to_string(each.size()) + ":" + std::string(each);
  else
    bytes = std::string(tensorBytes(model, tensor).get());
  return std::string(elementTypeName(tensor.type)) + list(tensor.shape) + " " + sha256(bytes);
}

static std::string typeText(const Type &type) {
  static constexpr const char *kinds[] = {"tensor", "sparse", "sequence", "map", "optional", "opaque"};
  std::string text = kinds[type.kind];
  if (type.kind == Type::Tensor || type.kind == Type::SparseTensor) {
    text += " " + std::string(elementTypeName(type.element));
    if (!type.hasRank)
      return text;
    text += "[";
    for (size_t i = 0; i < type.shape.size(); ++i) {
      const Dim &dim = type.shape[i];
      text += (i ? "," : "") + (dim.size ? std::to_string(*dim.size) : "'" + std::string(dim.symbol) + "'");
    }
    return text + "]";
  }
  if (type.kind == Type::Map)
    text += " " + std::string(elementTypeName(type.element));
  return text + "<" + (type.inner ? typeText(*type.inner) : "") + ">";
}

static void dump(const Model &model, const Graph &graph, const std::string &indent);

static void dump(const Model &model, const Attribute &attribute, const std::string &indent) {
  std::cout << indent << "attribute " << attribute.name << " " << attributeKindName(attribute.kind);
  if (!attribute.reference.empty()) {
    std::cout << " @" << attribute.reference << "\n";
    return;
  }
  for (float value : attribute.floats) {
    char bits[4];
    std::memcpy(bits, &value, 4);
    std::cout << " " << hex({bits, 4});
  }
  for (int64_t value : attribute.ints)
    std::cout << " " << value;
  for (std::string_view value : attribute.strings)
    std::cout << " " << hex(value) << ".";
  for (const Tensor &tensor : attribute.tensors)
    std::cout << " " << tensorText(model, tensor);
  for (const SparseTensor &tensor : attribute.sparseTensors)
    std::cout << " " << list(tensor.shape) << " " << tensorText(model, tensor.values) << " "
              << tensorText(model, tensor.indices);
  for (const Type &type : attribute.types)
    std::cout << " " << typeText(type);
  std::cout << "\n";
  for (const Graph &graph : attribute.graphs)
    dump(model, graph, indent + "  ");
}

static void dump(const Model &model, const std::vector<Node> &nodes, const std::string &indent) {
  for (const Node &node : nodes) {
    std::cout << indent << "node " << node.op << " '" << node.domain << "' '" << node.name << "' " << names(node.inputs)
              << " " << names(node.outputs) << "\n";
    for (const Attribute &attribute : node.attributes)
      dump(model, attribute, indent + "  ");
  }
}

static void dump(const char *what, const std::vector<Value> &values, const std::string &indent) {
  for (const Value &value : values)
    std::cout << indent << what << " " << value.name << " " << (value.type ? typeText(*value.type) : "?") << "\n";
}

static void dump(const Model &model, const Graph &graph, const std::string &indent) {
  std::cout << indent << "graph " << graph.name << "\n";
  dump("input", graph.inputs, indent);
  dump("output", graph.outputs, indent);
  dump("value", graph.values, indent);
  for (const Tensor &tensor : graph.initializers)
    std::cout << indent << "initializer " << tensor.name << " " << tensorText(model, tensor) << "\n";
  for (const SparseTensor &tensor : graph.sparseInitializers)
    std::cout << indent << "sparse " << tensor.values.name << " " << list(tensor.shape) << " "
              << tensorText(model, tensor.values) << " " << tensorText(model, tensor.indices) << "\n";
  dump(model, graph.nodes, indent);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    Diagnostics diagnostics;
    std::unique_ptr<Model> model = loadModel(argv[i], diagnostics);
    std::cout << "model " << i << "\n";
    for (const Diagnostic &diagnostic : diagnostics.all())
      if (diagnostic.severity == Severity::Error)
        std::cout << "error " << codeInfo(diagnostic.code).name << " " << diagnostic.rule << " " << diagnostic.message
                  << "\n";
    if (!model)
      continue;
    std::cout << "ir " << model->irVersion << "\n";
    for (const OpsetImport &import : model->opsets)
      std::cout << "opset '" << import.domain << "' " << import.version << "\n";
    for (const auto &[key, value] : model->metadata)
      std::cout << "metadata " << key << "=" << value << "\n";
    dump(*model, model->graph, "");
    for (const Function &function : model->functions) {
      std::cout << "function " << function.name << " '" << function.domain << "' " << names(function.inputs) << " "
                << names(function.outputs) << " " << names(function.attributes) << "\n";
      for (const Attribute &attribute : function.attributeDefaults)
        dump(*model, attribute, "  ");
      dump(*model, function.nodes, "  ");
    }
  }
}
