// Writes equal contracts as equal texts: keys in a fixed order, defaults written out, texts in double quotes, numbers
// in the shortest form that reads back to the same bits.

#include "ops/contract/write/Canonical.h"

#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "runtime/program/format/Sha256.h"

#include <charconv>
#include <sstream>

namespace opc {

namespace {

/// Writes block-style YAML. `item` opens an item of a list: its first line carries the "- ".
class BlockWriter {
public:
  std::string take() { return std::move(text); }

  void line(const std::string &content) {
    std::string indent(depth * 2, ' ');
    if (startsItem)
      indent.replace(indent.size() - 2, 2, "- ");
    startsItem = false;
    text += indent + content + "\n";
  }
  void field(const std::string &key, const std::string &value) { line(key + ": " + value); }

  /// Writes "key:", and what `body` writes one level deeper.
  template <typename Body> void block(const std::string &key, Body body) {
    line(key + ":");
    ++depth;
    body();
    --depth;
  }
  /// Writes "key:" with one item for each element, "key: []" for an empty list.
  template <typename List, typename Body> void list(const std::string &key, const List &elements, Body body) {
    if (elements.empty())
      return field(key, "[]");
    line(key + ":");
    ++depth;
    for (const auto &element : elements)
      item([&] { body(element); });
    --depth;
  }
  template <typename Body> void item(Body body) {
    // A list that is the first line of an item would need two dashes on one line; no part of a contract has one.
    ++depth;
    startsItem = true;
    body();
    startsItem = false;
    --depth;
  }

private:
  std::string text;
  size_t depth = 0;
  bool startsItem = false;
};

} // namespace

static std::string quote(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

static std::string number(double value) {
  char buffer[64];
  std::to_chars_result result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, result.ptr);
}

static std::string scalar(double value) {
  return number(value);
}
static std::string scalar(int64_t value) {
  return std::to_string(value);
}
static std::string scalar(bool value) {
  return value ? "true" : "false";
}
static std::string scalar(const std::string &value) {
  return quote(value);
}

/// A number that reads back as a number with a fraction.
static std::string plain(double value) {
  std::string text = number(value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}
static std::string plain(int64_t value) {
  return std::to_string(value);
}
static std::string plain(bool value) {
  return scalar(value);
}
static std::string plain(const std::string &value) {
  return quote(value);
}

/// Writes a value whose type nothing declares.
struct PlainWriter {
  BlockWriter &writer;
  const char *key;

  void operator()(std::monostate) const {}
  template <typename Value> void operator()(const Value &value) const { writer.field(key, plain(value)); }
  template <typename Item> void operator()(const std::vector<Item> &items) const {
    writer.list(key, items, [&](const Item &item) { writer.line(plain(item)); });
  }
};

static void writeTensor(BlockWriter &writer, const ContractTensor &tensor, bool isInput) {
  writer.field("name", tensor.name);
  if (!tensor.summary.empty())
    writer.field("summary", quote(tensor.summary));
  writer.list("types", tensor.types, [&](ElementType type) { writer.line(std::string(elementTypeName(type))); });
  writer.list("formats", tensor.formats, [&](const std::string &format) { writer.line(format); });
  if (tensor.reduces)
    writer.block("reduces", [&] {
      writer.field("input", tensor.reduces->input);
      writer.field("axes", tensor.reduces->axes);
      if (!tensor.reduces->keepDims.empty())
        writer.field("keep_dims", tensor.reduces->keepDims);
    });
  if (!tensor.isReduced())
    writer.list("shape", tensor.shape, [&](const ContractDim &dim) {
      writer.line(printDim(dim) + (dim.order.empty() ? "" : "[" + dim.order + "]"));
    });
  if (!isInput)
    return;
  writer.field("required", scalar(tensor.required));
  writer.field("broadcast", std::string(broadcastName(tensor.broadcast)));
  if (tensor.values)
    writer.block("values", [&] {
      writer.field("along", tensor.values->along);
      writer.field("negative", tensor.values->fromEnd ? "from_end" : "outside");
      // Omitted where it is not said, so that contracts keep their hash.
      if (tensor.values->refuses)
        writer.field("outside", "refused");
    });
  // Omitted where it is not said, so that contracts keep their hash.
  if (tensor.isConstant)
    writer.field("constant", "true");
  if (!tensor.count.empty())
    writer.field("count", tensor.count);
  if (tensor.presence.empty())
    return;
  writer.field("present", tensor.presence);
  std::visit(PlainWriter{writer, "absent"}, tensor.absent);
}

/// Writes a default value: a scalar on one line, a list item by item.
struct DefaultWriter {
  BlockWriter &writer;

  void operator()(std::monostate) const {}
  template <typename Value> void operator()(const Value &value) const { writer.field("default", scalar(value)); }
  template <typename Item> void operator()(const std::vector<Item> &items) const {
    writer.list("default", items, [&](const Item &item) { writer.line(scalar(item)); });
  }
};

static void writeAttribute(BlockWriter &writer, const ContractAttribute &attribute) {
  writer.field("name", attribute.name);
  if (!attribute.summary.empty())
    writer.field("summary", quote(attribute.summary));
  writer.field("type", std::string(attributeTypeName(attribute.type)));
  writer.field("bind", std::string(bindingName(attribute.binding)));
  std::visit(DefaultWriter{writer}, attribute.defaultValue);
  if (attribute.minimum || attribute.maximum)
    writer.block("range", [&] {
      bool whole = attribute.type == AttributeType::Int || attribute.type == AttributeType::ListInt;
      auto bound = [&](double value) { return whole ? std::to_string(static_cast<int64_t>(value)) : number(value); };
      if (attribute.minimum)
        writer.field("minimum", bound(*attribute.minimum));
      if (attribute.maximum)
        writer.field("maximum", bound(*attribute.maximum));
    });
  if (!attribute.choices.empty())
    writer.list("choices", attribute.choices, [&](const std::string &choice) { writer.line(quote(choice)); });
}

static const char *operationName(SizeExpression::Op op) {
  static const char *const names[] = {"",    "",    "add", "sub", "mul", "floordiv", "ceildiv",
                                      "rem", "min", "max", "lt",  "eq",  "select"};
  return names[op];
}

/// Writes after a key: "equals: N" or "equals:" and the operation below.
static void writeSize(BlockWriter &writer, const SizeExpression &size) {
  writer.list(operationName(size.op), size.operands, [&](const SizeExpression &operand) {
    if (operand.op == SizeExpression::Const)
      writer.line(std::to_string(operand.value));
    else if (operand.op == SizeExpression::Symbol)
      writer.line(operand.symbol);
    else
      writeSize(writer, operand);
  });
}

static void writeWindow(BlockWriter &writer, const ContractWindow &window) {
  auto step = [&](const char *name, const SizeExpression &size) {
    writer.field(name, size.op == SizeExpression::Const ? std::to_string(size.value) : size.symbol);
  };
  writer.field("over", window.over);
  writer.field("size", window.size);
  step("stride", window.stride);
  step("dilation", window.dilation);
  step("pad_begin", window.padBegin);
  step("pad_end", window.padEnd);
  step("round_up", window.roundUp);
}

static void writeDimension(BlockWriter &writer, const ContractDimension &dimension) {
  writer.field("name", (dimension.isPack ? "..." : "") + dimension.name +
                           (dimension.each.empty() ? "" : "[" + dimension.each + "]"));
  writer.field("minimum", std::to_string(dimension.minimum));
  writer.field("maximum", std::to_string(dimension.maximum));
  if (dimension.isPack) {
    writer.field("minimum_rank", std::to_string(dimension.minimumRank));
    writer.field("maximum_rank", std::to_string(dimension.maximumRank));
  }
  if (dimension.window)
    return writer.block("window", [&] { writeWindow(writer, *dimension.window); });
  if (!dimension.axis.empty())
    writer.field("axis", dimension.axis);
  if (!dimension.equals)
    return;
  if (dimension.equals->op == SizeExpression::Const)
    writer.field("equals", std::to_string(dimension.equals->value));
  else if (dimension.equals->op == SizeExpression::Symbol)
    writer.field("equals", dimension.equals->symbol);
  else
    writer.block("equals", [&] { writeSize(writer, *dimension.equals); });
}

static void writeBoundary(BlockWriter &writer, const ContractBoundary &boundary) {
  static const char *const overflows[] = {"infinity", "wrap", "unspecified"};
  static const char *const saturations[] = {"none", "clamp"};
  static const char *const roundings[] = {"nearest_even", "nearest_away", "floor", "ceil", "trunc", "unspecified"};
  static const char *const empties[] = {"allowed", "refused"};
  static const char *const nans[] = {"propagate", "reference", "unspecified"};
  static const char *const infinities[] = {"reference", "unspecified"};
  // Rule 35: a result that is clamped does not overflow.
  if (boundary.saturation == ContractBoundary::Saturation::None)
    writer.field("overflow", overflows[static_cast<int>(boundary.overflow)]);
  writer.field("saturation", saturations[static_cast<int>(boundary.saturation)]);
  writer.field("rounding", roundings[static_cast<int>(boundary.rounding)]);
  writer.field("empty", empties[static_cast<int>(boundary.empty)]);
  writer.field("nan", nans[static_cast<int>(boundary.nan)]);
  writer.field("infinity", infinities[static_cast<int>(boundary.infinity)]);
}

static void writePrecision(BlockWriter &writer, const ContractPrecision &precision) {
  auto typeOr = [](std::optional<ElementType> type) {
    return type ? std::string(elementTypeName(*type)) : std::string("storage");
  };
  writer.field("compute", typeOr(precision.compute));
  writer.field("accumulate", typeOr(precision.accumulate));
  auto write = [&](const ContractTolerance &tolerance) {
    writer.field("type", std::string(elementTypeName(tolerance.type)));
    if (tolerance.maxUlp)
      writer.field("max_ulp", number(*tolerance.maxUlp));
    if (!tolerance.plusUlpOf.empty())
      writer.list("plus_ulp_of", tolerance.plusUlpOf, [&](const std::string &name) { writer.line(name); });
    if (!tolerance.sums.empty())
      writer.list("sums", tolerance.sums, [&](const std::string &name) { writer.line(name); });
    if (tolerance.absolute)
      writer.field("absolute", number(*tolerance.absolute));
    if (tolerance.meanRelative)
      writer.field("mean_relative", number(*tolerance.meanRelative));
    if (tolerance.maxRelative)
      writer.field("max_relative", number(*tolerance.maxRelative));
  };
  writer.list("tolerance", precision.tolerances, write);
  // Omitted when empty, so that contracts without chip tolerances keep their hash.
  if (!precision.chipTolerances.empty())
    writer.list("chip_tolerance", precision.chipTolerances, [&](const ContractTolerance &tolerance) {
      write(tolerance);
      writer.field("subnormal", tolerance.subnormalsFlushed ? "flushed" : "kept");
    });
}

static void writeOnnxOperand(BlockWriter &writer, const ContractOnnxOperand &operand) {
  if (!operand.name.empty())
    return writer.line(operand.name);
  std::string list;
  for (const std::string &item : operand.items)
    list += (list.empty() ? "" : ", ") + item;
  writer.line("[" + list + "]");
}

static void writeOnnxAttribute(BlockWriter &writer, const ContractOnnxAttribute &attribute) {
  writer.field("name", attribute.name);
  if (!attribute.attribute.empty())
    writer.field("attribute", attribute.attribute);
  if (attribute.axis)
    writer.field("axis", std::to_string(*attribute.axis));
  if (!attribute.typeOf.empty())
    writer.field("type", attribute.typeOf);
  if (attribute.ignored)
    writer.field("ignored", "true");
  std::visit(PlainWriter{writer, "value"}, attribute.value);
  std::visit(PlainWriter{writer, "default"}, attribute.defaultValue);
}

static void writeOnnxForm(BlockWriter &writer, const ContractOnnxForm &form) {
  writer.field("operator", form.opType);
  if (!form.domain.empty())
    writer.field("domain", quote(form.domain));
  writer.field("since", std::to_string(form.since));
  writer.field("until", std::to_string(form.until));
  writer.list("inputs", form.inputs, [&](const ContractOnnxOperand &operand) { writeOnnxOperand(writer, operand); });
  writer.list("outputs", form.outputs, [&](const std::string &name) { writer.line(name); });
  writer.list("attributes", form.attributes,
              [&](const ContractOnnxAttribute &attribute) { writeOnnxAttribute(writer, attribute); });
}

static void writeTestShape(BlockWriter &writer, const Contract &contract, const ContractTestShape &shape) {
  const std::vector<ContractTensor> &inputs = contract.inputs;
  for (size_t i = 0; i < shape.inputs.size(); ++i) {
    // Each tensor of an input with a count has a shape.
    const bool isCounted = i + 1 >= inputs.size() && !inputs.back().count.empty();
    if (shape.inputs[i])
      writer.list(isCounted ? numberedName(inputs.back().name, i + 1 - inputs.size()) : inputs[i].name,
                  *shape.inputs[i], [&](int64_t size) { writer.line(std::to_string(size)); });
  }
}

std::string canonicalText(const Contract &contract) {
  BlockWriter writer;
  writer.field("schema", "1");
  writer.field("op_type", contract.opType);
  writer.field("kernel_name", contract.name);
  writer.field("version", contract.version);
  writer.field("summary", quote(contract.summary));
  // The original shapes, since attributes have values beside them.
  const Contract &written = contract.written ? *contract.written : contract;
  writer.list("inputs", written.inputs, [&](const ContractTensor &tensor) { writeTensor(writer, tensor, true); });
  writer.list("outputs", written.outputs, [&](const ContractTensor &tensor) { writeTensor(writer, tensor, false); });
  writer.list("attributes", contract.attributes,
              [&](const ContractAttribute &attribute) { writeAttribute(writer, attribute); });
  writer.list("dimensions", written.dimensions,
              [&](const ContractDimension &dimension) { writeDimension(writer, dimension); });
  writer.block("boundary", [&] { writeBoundary(writer, contract.boundary); });
  writer.block("precision", [&] { writePrecision(writer, contract.precision); });
  if (!contract.onnx.empty())
    writer.list("onnx", contract.onnx, [&](const ContractOnnxForm &form) { writeOnnxForm(writer, form); });
  // Each text of a body is written unchanged.
  std::vector<ContractBody> bodies;
  for (const ContractBody &body : contract.bodies) {
    bodies.push_back(body);
    for (size_t i = 0; i < body.texts.size(); ++i) {
      if (i != 0)
        bodies.push_back(body);
      bodies.back().file = body.texts[i].file;
      bodies.back().typeRows = body.texts[i].typeRows;
      bodies.back().devices = body.texts[i].devices;
    }
  }
  writer.list("bodies", bodies, [&](const ContractBody &body) {
    writer.field("level", std::string(bodyLevelName(body.level)));
    writer.field("file", quote(body.file));
    if (body.devices == BodyDevices::Cpu)
      writer.field("devices", "cpu");
    if (!body.typeRows.empty())
      writer.list("types", body.typeRows, [&](unsigned row) { writer.line(contract.typeRowName(row)); });
  });
  writer.field("reference", quote(contract.reference));
  if (!contract.schedule.empty())
    writer.field("schedule", quote(contract.schedule));
  writer.list("test_shapes", written.testShapes,
              [&](const ContractTestShape &shape) { writeTestShape(writer, written, shape); });
  return writer.take();
}

std::string contractHash(const Contract &contract) {
  return sha256(canonicalText(contract));
}

} // namespace opc
