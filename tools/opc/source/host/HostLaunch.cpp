// Runs an operator's InferShape, InferDataType and TilingFunc in a child process.

#include "tools/opc/source/host/HostLaunch.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace opc::tool {

using nlohmann::json;

static constexpr size_t kMostSizes = 25;
static constexpr size_t kMostMessages = 1000;
static constexpr int64_t kLargestWorkspace = int64_t(1) << 31;

namespace {
/// Collects what the host functions compute.
class ResultText final : public ascendc::HostResult {
public:
  json text = {{"shapes", json::object()},
               {"types", json::object()},
               {"workspaces", json::array()},
               {"messages", json::array()},
               {"read", json::object()},
               {"called", ""},
               {"failed", false},
               {"launched", false},
               {"blocks", 1},
               {"key", 0},
               {"template", ""},
               {"problem", ""}};
  std::string tiling;

  void outputShape(uint32_t output, const int64_t *sizes, uint32_t rank) override {
    text["shapes"][std::to_string(output)] = std::vector<int64_t>(sizes, sizes + rank);
  }
  void outputType(uint32_t output, int32_t type) override { text["types"][std::to_string(output)] = type; }
  void launch(uint32_t numBlocks, uint64_t tilingKey, const void *data, uint64_t bytes) override {
    text["launched"] = true;
    text["blocks"] = numBlocks;
    text["key"] = tilingKey;
    tiling.assign(static_cast<const char *>(data), size_t(bytes));
  }
  void templateArguments(const char *arguments, const char *problem) override {
    text["template"] = arguments;
    text["problem"] = problem;
  }
  void workspace(uint64_t bytes) override { text["workspaces"].push_back(bytes); }
  void readsValues(uint32_t input) override { text["read"][std::to_string(input)] = text["called"]; }
  void calls(const char *function) override { text["called"] = function; }
  void failed() override { text["failed"] = true; }
  void message(const char *said) override {
    if (text["messages"].size() < kMostMessages)
      text["messages"].push_back(said);
  }
};

/// The arguments of a launch as plain data; the vectors own what HostLaunch points to.
struct PlainLaunch {
  std::vector<ascendc::HostTensor> inputs, outputs;
  std::vector<ascendc::HostValue> attributes;
  std::vector<std::vector<int64_t>> integers;
  std::vector<std::vector<double>> reals;
};
} // namespace

static void setValue(const ManifestAttribute &attribute, const ManifestValue &value, PlainLaunch &plain,
                     ascendc::HostValue &result) {
  using Kind = ascendc::HostValue::Kind;
  static constexpr Kind kinds[] = {Kind::Float,     Kind::Int,     Kind::Bool,     Kind::String,
                                   Kind::ListFloat, Kind::ListInt, Kind::ListBool, Kind::String};
  result.kind = kinds[attribute.type];
  result.present = !std::holds_alternative<std::monostate>(value);
  if (const auto *real = std::get_if<double>(&value))
    result.real = *real;
  else if (const auto *integer = std::get_if<int64_t>(&value))
    result.integer = *integer;
  else if (const auto *truth = std::get_if<bool>(&value))
    result.integer = *truth;
  else if (const auto *text = std::get_if<std::string>(&value))
    result.text = text->c_str();
  else if (const auto *list = std::get_if<std::vector<double>>(&value))
    plain.reals.push_back(*list);
  else if (const auto *integers = std::get_if<std::vector<int64_t>>(&value))
    plain.integers.push_back(*integers);
  else if (const auto *truths = std::get_if<std::vector<bool>>(&value))
    plain.integers.emplace_back(truths->begin(), truths->end());
  if (result.kind == Kind::ListFloat && result.present) {
    result.reals = plain.reals.back().data();
    result.count = uint32_t(plain.reals.back().size());
  } else if ((result.kind == Kind::ListInt || result.kind == Kind::ListBool) && result.present) {
    result.integers = plain.integers.back().data();
    result.count = uint32_t(plain.integers.back().size());
  }
}

static PlainLaunch plainLaunch(const HostOperator &op, const HostQuestion &question) {
  PlainLaunch plain;
  const Manifest &manifest = op.manifest;
  const unsigned typeRow = question.typeRow;
  const std::vector<const Tensor *> &inputs = question.inputs;
  for (size_t i = 0; i < manifest.inputs.size(); ++i) {
    ascendc::HostTensor tensor;
    tensor.parameter = uint32_t(i);
    tensor.present = inputs[i] != nullptr;
    tensor.type = frameworkNumber(manifest.inputs[i].types[typeRow]);
    tensor.format = op.formats[i][typeRow];
    if (inputs[i]) {
      tensor.sizes = inputs[i]->shape().data();
      tensor.rank = uint32_t(inputs[i]->shape().size());
      tensor.values = inputs[i]->data();
      tensor.valueDepend = op.valueDepend[i];
    }
    plain.inputs.push_back(tensor);
  }
  for (size_t i = 0; i < manifest.outputs.size(); ++i) {
    ascendc::HostTensor tensor;
    tensor.parameter = uint32_t(i);
    tensor.type = frameworkNumber(manifest.outputs[i].types[typeRow]);
    tensor.format = op.formats[manifest.inputs.size() + i][typeRow];
    // If the operator infers no shapes, outputs have the shape of the first input.
    const auto first = std::find_if(inputs.begin(), inputs.end(), [](const Tensor *input) { return input; });
    const Shape *shape = !op.infersShapes && first != inputs.end() ? &(*first)->shape() : nullptr;
    if (i < question.outputShapes.size() && question.outputShapes[i]) {
      shape = &*question.outputShapes[i];
      tensor.isGiven = true;
    }
    if (shape) {
      tensor.sizes = shape->data();
      tensor.rank = uint32_t(shape->size());
    }
    plain.outputs.push_back(tensor);
  }
  plain.integers.reserve(manifest.attributes.size());
  plain.reals.reserve(manifest.attributes.size());
  for (const ManifestAttribute &attribute : manifest.attributes) {
    plain.attributes.emplace_back();
    if (auto found = question.attributes.find(attribute.name); found != question.attributes.end())
      setValue(attribute, found->second, plain, plain.attributes.back());
  }
  return plain;
}

[[noreturn]] static void runChild(const HostSource &source, const HostOperator &op, const PlainLaunch &plain,
                                  const Target &target, unsigned seconds, ChildSide &side) {
  ascendc::HostLaunch launch;
  launch.op = op.manifest.opType.c_str();
  launch.inputs = plain.inputs.data();
  launch.outputs = plain.outputs.data();
  launch.attributes = plain.attributes.data();
  launch.numInputs = uint32_t(plain.inputs.size());
  launch.numOutputs = uint32_t(plain.outputs.size());
  launch.numAttributes = uint32_t(plain.attributes.size());
  const std::string chip(target.name());
  launch.chip = chip.c_str();
  launch.numCores = uint32_t(target.figure("ai_cores"));
  launch.ubBytes = uint64_t(target.ubBytes());
  launch.l1Bytes = uint64_t(target.figure("l1_bytes"));
  launch.l0aBytes = uint64_t(target.figure("l0a_bytes"));
  launch.l0bBytes = uint64_t(target.figure("l0b_bytes"));
  launch.l0cBytes = uint64_t(target.figure("l0c_bytes"));
  side.guard(seconds, nullptr);
  ResultText result;
  loadHostObject(side, source.object)->launch(launch, result);
  side.answer({"", result.text.dump(-1, ' ', true, json::error_handler_t::replace), result.tiling});
}

static bool readResult(const HostOperator &op, const json &text, HostLaunchResult &result) {
  const size_t outputs = op.manifest.outputs.size();
  for (size_t i = 0; i < outputs; ++i) {
    const std::string key = std::to_string(i);
    Shape shape;
    if (text.at("shapes").contains(key))
      for (const json &size : text.at("shapes").at(key))
        shape.push_back(size.get<int64_t>());
    if (shape.size() > kMostSizes)
      return false;
    result.outputShapes.push_back(std::move(shape));
    result.outputTypes.push_back(
        text.at("types").contains(key) ? elementTypeOfFramework(text.at("types").at(key).get<int>()) : std::nullopt);
  }
  for (const json &bytes : text.at("workspaces"))
    result.workspaces.push_back(int64_t(std::min<uint64_t>(bytes.get<uint64_t>(), uint64_t(kLargestWorkspace) + 1)));
  result.numBlocks = text.at("blocks").get<int64_t>();
  result.tilingKey = text.at("key").get<uint64_t>();
  result.templateArguments = text.at("template").get<std::string>();
  return true;
}

static std::string shapesText(const HostOperator &op, const std::vector<const Tensor *> &inputs) {
  std::string text;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i])
      continue;
    text += (text.empty() ? "" : ", ") + printable(op.manifest.inputs[i].name) + " [";
    for (size_t axis = 0; axis < inputs[i]->shape().size(); ++axis)
      text += (axis ? ", " : "") + std::to_string(inputs[i]->shape()[axis]);
    text += "]";
  }
  return text;
}

/// Reports that a host function reads an input's values without a declaration. Where host and device share memory, it
/// finds them; elsewhere the pointer is null or of the device.
static void tellReadValues(const HostOperator &op, size_t input, const std::string &function,
                           Diagnostics &diagnostics) {
  if (input >= op.manifest.inputs.size())
    return;
  Diagnostic warning;
  warning.severity = Severity::Warning;
  warning.code = Code::E0806;
  warning.location = op.location;
  warning.rule = "ascendc_c26";
  warning.message = printable(function) + " reads the values of input '" + printable(op.manifest.inputs[input].name) +
                    "', which is not declared with ValueDepend: they are there only if host and device share memory";
  warning.fix = "this->Input(\"" + printable(op.manifest.inputs[input].name) + "\").ValueDepend(REQUIRED)";
  diagnostics.add(std::move(warning));
}

/// A function's reason for a refusal: the last errors that it logs.
static std::string loggedText(const json &messages) {
  static constexpr size_t kMost = 3;
  std::string text;
  for (size_t i = messages.size() - std::min(messages.size(), kMost); i < messages.size(); ++i)
    text += "; it says: " + printable(messages[i].get<std::string>(), 200);
  return text;
}

std::optional<HostLaunchResult> runHostFunctions(const HostSource &source, const HostOperator &op,
                                                 const HostQuestion &question, const Target &target, unsigned seconds,
                                                 Diagnostics &diagnostics) {
  const PlainLaunch plain = plainLaunch(op, question);
  const ChildRun run =
      ChildRun::run(seconds, [&](ChildSide &side) { runChild(source, op, plain, target, seconds, side); }, diagnostics);
  if (!run.started)
    return std::nullopt;
  const std::string who = "the host code of operator '" + printable(op.manifest.opType) + "'";
  if (!run.answered || run.parts.size() != 3) {
    tellFault(run, who, source.placeOf(run.fault, op.location), seconds,
              "a pointer that a context gives is null where the operator has no such tensor, attribute or value",
              diagnostics);
    return std::nullopt;
  }
  try {
    const json text = json::parse(run.parts[1]);
    const std::string called = text.at("called");
    if (text.at("failed").get<bool>()) {
      diagnostics.error(Code::E0806, op.location,
                        called + " of operator '" + printable(op.manifest.opType) + "' refuses " +
                            shapesText(op, question.inputs) + ": it does not return ge::GRAPH_SUCCESS" +
                            loggedText(text.at("messages")),
                        "ascendc_c26", "shapes, types and attributes that it takes");
      return std::nullopt;
    }
    if (const std::string problem = text.at("problem"); !problem.empty()) {
      diagnostics.error(Code::E0806, op.location,
                        called + " of operator '" + printable(op.manifest.opType) + "': " + printable(problem, 300),
                        "ascendc_c26", "ASCENDC_TPL_SEL lists the combinations that the toolkit compiles");
      return std::nullopt;
    }
    HostLaunchResult result;
    if (readResult(op, text, result)) {
      for (const auto &[input, function] : text.at("read").items())
        tellReadValues(op, std::strtoull(input.c_str(), nullptr, 10), function.get<std::string>(), diagnostics);
      result.tiling = run.parts[2];
      return result;
    }
  } catch (const json::exception &) {
  }
  diagnostics.error(Code::E0805, op.location, who + " gave a result that cannot be read", "ascendc_c25");
  return std::nullopt;
}

} // namespace opc::tool
