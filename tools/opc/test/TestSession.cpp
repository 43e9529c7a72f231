#include "tools/opc/test/TestSession.h"

#include "ops/contract/Places.h"
#include "ops/contract/domain/ShapeKeys.h"
#include "tools/opc/OpcTestPy.h"
#include "tools/opc/process/DeferredSignals.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace opc::tool {

using Json = nlohmann::json;

/// Timeout of an answer from Python, and the time after which the user gets a message, in seconds.
static constexpr unsigned kPatience = 600, kQuiet = 10;

static bool gone(const Contract &contract, Diagnostics &diagnostics) {
  diagnostics.error(Code::E0602, {contract.filePath(contract.reference)},
                    "Python ended, or did not answer for " + std::to_string(kPatience) + " s, while the reference ran");
  return false;
}

/// Describes a request: " on x1[3, 5], x2[5]"; empty when it names no inputs.
static std::string describeCase(const Json &request) {
  std::string text;
  if (auto inputs = request.find("inputs"); inputs != request.end())
    for (const Json &input : *inputs)
      text += (text.empty() ? " on " : ", ") + input["name"].get<std::string>() +
              shapeText(input["shape"].get<std::vector<int64_t>>());
  return text;
}

bool TestSession::ask(const Json &request, const std::vector<Tensor> *payload, Json &answer, Diagnostics &diagnostics) {
  std::string line = request.dump() + "\n", reply;
  bool sent = conversation.write(line.data(), line.size());
  if (payload)
    for (const Tensor &tensor : *payload)
      sent = sent && conversation.write(tensor.data(), size_t(tensor.numBytes()));
  if (!sent)
    return gone(*contract, diagnostics);
  if (!conversation.readLine(reply, kQuiet)) {
    if (DeferredSignals::arrived())
      return false;
    if (conversation.open() && tell)
      tell("still waiting for '" + printablePath(contract->filePath(contract->reference)) + "'" +
           describeCase(request));
    if (!conversation.readLine(reply, kPatience - kQuiet))
      return DeferredSignals::arrived() ? false : gone(*contract, diagnostics);
  }
  answer = Json::parse(reply, nullptr, /*allow_exceptions=*/false);
  if (!answer.is_object())
    return gone(*contract, diagnostics);
  if (auto memory = answer.find("memory"); memory != answer.end() && memory->is_string()) {
    diagnostics.error(Code::E0527, {},
                      "the reference lacks memory" + describeCase(request) + ": " +
                          printable(memory->get<std::string>(), 300));
    return false;
  }
  if (auto error = answer.find("error"); error != answer.end() && error->is_string()) {
    diagnostics.error(Code::E0701, {contract->filePath(contract->reference)},
                      "the reference cannot be used: " + printable(error->get<std::string>(), 500), {},
                      printable(answer.value("fix", std::string()), 300));
    return false;
  }
  if (auto error = answer.find("internal"); error != answer.end() && error->is_string()) {
    diagnostics.error(Code::E0900, {},
                      "opc's own part of the comparison failed" + describeCase(request) + ": " +
                          printable(error->get<std::string>(), 500));
    return false;
  }
  return true;
}

static std::string_view policy(ContractBoundary::Nan nan) {
  switch (nan) {
  case ContractBoundary::Nan::Propagate:
    return "propagate";
  case ContractBoundary::Nan::Reference:
    return "reference";
  case ContractBoundary::Nan::Unspecified:
    return "unspecified";
  }
  return "reference";
}

static Json boundaryOf(const ContractBoundary &boundary) {
  bool infinityOpen = boundary.infinity == ContractBoundary::Infinity::Unspecified;
  bool overflowOpen = boundary.overflow == ContractBoundary::Overflow::Unspecified;
  bool clamp = boundary.saturation == ContractBoundary::Saturation::Clamp;
  return {{"nan", policy(boundary.nan)},
          {"infinity", infinityOpen ? "unspecified" : "reference"},
          {"overflow", overflowOpen ? "unspecified" : "reference"},
          {"saturation", clamp ? "clamp" : "none"}};
}

/// The computation type with the widest range for results of `type`: float16 if every step is in float16, else
/// float32, in which bfloat16 is computed.
static ElementType widestOf(const ContractPrecision &precision, ElementType type) {
  ElementType compute = precision.compute.value_or(type), sums = precision.accumulate.value_or(compute);
  bool narrow = compute == ElementType::Float16 && sums == ElementType::Float16;
  return narrow ? ElementType::Float16 : ElementType::Float32;
}

/// The location of the sizes of the dimensions in `sums`: an input and an axis for each. After a pack, axes count from
/// the last.
static Json sumsOf(const Contract &contract, const ContractTolerance &tolerance) {
  Json sums = Json::array();
  for (const std::string &name : tolerance.sums)
    for (const ContractTensor &input : contract.inputs) {
      auto isNamed = [&](const ContractDim &dim) { return dim.kind == ContractDim::Symbol && dim.name == name; };
      auto found = std::find_if(input.shape.begin(), input.shape.end(), isNamed);
      if (found == input.shape.end())
        continue;
      bool behindPack =
          std::any_of(input.shape.begin(), found, [](const ContractDim &dim) { return dim.kind == ContractDim::Pack; });
      sums.push_back({input.name, behindPack ? found - input.shape.end() : found - input.shape.begin()});
      break;
    }
  return sums;
}

/// The tolerances of each output type; those of the chip if `ofChip`. For a type without a chip tolerance subnormal
/// numbers may be flushed to zero.
static Json tolerancesOf(const Contract &contract, bool ofChip) {
  const ContractPrecision &precision = contract.precision;
  Json rows = Json::array();
  auto optional = [](const std::optional<double> &value) { return value ? Json(*value) : Json(); };
  for (const ContractTolerance &ordinary : precision.tolerances) {
    const ContractTolerance &row = ofChip ? *precision.findOfChip(ordinary.type) : ordinary;
    rows.push_back({{"type", elementTypeName(row.type)},
                    {"computed_in", elementTypeName(widestOf(precision, row.type))},
                    {"max_ulp", optional(row.maxUlp)},
                    {"plus_ulp_of", row.plusUlpOf},
                    {"sums", sumsOf(contract, row)},
                    {"absolute", optional(row.absolute)},
                    {"mean_relative", optional(row.meanRelative)},
                    {"max_relative", optional(row.maxRelative)},
                    {"subnormals_flushed", ofChip && (row.subnormalsFlushed || &row == &ordinary)}});
  }
  return rows;
}

/// The ONNX forms of a contract, with the keys of contracts.
static Json onnxOf(const Contract &contract) {
  Json forms = Json::array();
  for (const ContractOnnxForm &form : contract.onnx) {
    Json inputs = Json::array(), attributes = Json::array();
    const ContractTensor *counted = countedInput(contract);
    for (const ContractOnnxOperand &operand : form.inputs) {
      if (!counted || operand.name != counted->name) {
        inputs.push_back({{"name", operand.name}, {"items", operand.items}});
        continue;
      }
      // Each tensor of the input is an operand.
      for (const ContractTensor &input : contract.inputs)
        if (!input.count.empty())
          inputs.push_back({{"name", input.name}, {"items", Json::array()}});
    }
    for (const ContractOnnxAttribute &attribute : form.attributes) {
      Json record = {{"name", attribute.name}};
      if (!attribute.attribute.empty())
        record["attribute"] = attribute.attribute;
      if (attribute.axis)
        record["axis"] = *attribute.axis;
      if (!attribute.typeOf.empty())
        record["type"] = attribute.typeOf;
      std::visit(
          [&](const auto &value) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
              record["value"] = value;
          },
          attribute.value);
      attributes.push_back(std::move(record));
    }
    forms.push_back({{"operator", form.opType},
                     {"domain", form.domain},
                     {"since", form.since},
                     {"until", form.until},
                     {"inputs", std::move(inputs)},
                     {"outputs", form.outputs},
                     {"attributes", std::move(attributes)}});
  }
  return forms;
}

bool TestSession::start(const std::string &python, bool isSource, Json &answer, Diagnostics &diagnostics) {
  // -B: write no bytecode caches next to the reference.
  if (std::string why = conversation.start({python, "-B", "-c", kOpcTestPy}); !why.empty()) {
    diagnostics.error(Code::E0602, {}, "cannot start '" + printable(python, 300) + "': " + why);
    return false;
  }
  Json request = {{"do", "open"},
                  {"reference", contract->filePath(contract->reference)},
                  {"onnx", onnxOf(*contract)},
                  {"boundary", boundaryOf(contract->boundary)},
                  {"tolerances", tolerancesOf(*contract, false)},
                  {"chip_tolerances", tolerancesOf(*contract, true)}};
  if (isSource)
    request["source"] = true;
  return ask(request, nullptr, answer, diagnostics);
}

bool TestSession::open(const std::string &python, const Contract &checked, Diagnostics &diagnostics) {
  contract = &checked;
  Json answer;
  return start(python, false, answer, diagnostics);
}

/// An attribute's value in the form of --attr.
static std::string attributeText(const Json &value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::optional<SourceReference> TestSession::openSource(const std::string &python, const Contract &checked,
                                                       Diagnostics &diagnostics) {
  contract = &checked;
  Json answer;
  if (!start(python, true, answer, diagnostics))
    return std::nullopt;
  SourceReference reference;
  reference.specials = answer.value("specials", true);
  if (!answer["cases"].is_array())
    return reference;
  reference.cases.emplace();
  for (const Json &given : answer["cases"]) {
    SourceReference::Case one;
    for (const auto &[name, shape] : given["shapes"].items())
      one.shapes[name] = shape.is_null() ? std::nullopt : std::optional(shape.get<Shape>());
    for (const auto &[name, value] : given["attributes"].items())
      one.attributes.emplace_back(name, attributeText(value));
    reference.cases->push_back(std::move(one));
  }
  return reference;
}

std::optional<std::map<std::string, Shape>> TestSession::expect(std::string &refused, Diagnostics &diagnostics) {
  Json answer;
  if (!ask({{"do", "expect"}}, nullptr, answer, diagnostics))
    return std::nullopt;
  refused = answer.value("refused", std::string());
  std::map<std::string, Shape> shapes;
  if (answer["shapes"].is_object())
    for (const auto &[name, shape] : answer["shapes"].items())
      shapes[name] = shape.get<Shape>();
  return shapes;
}

static Json attributesOf(const Contract &contract) {
  Json attributes = Json::array();
  for (const ContractAttribute &attribute : contract.attributes) {
    Json row = {{"name", attribute.name}, {"type", attributeTypeName(attribute.type)}, {"default", Json()}};
    if (auto value = std::get_if<double>(&attribute.defaultValue))
      row["default"] = *value;
    else if (auto value = std::get_if<int64_t>(&attribute.defaultValue))
      row["default"] = *value;
    else if (auto value = std::get_if<bool>(&attribute.defaultValue))
      row["default"] = *value;
    else if (auto value = std::get_if<std::string>(&attribute.defaultValue))
      row["default"] = *value;
    else if (auto value = std::get_if<std::vector<double>>(&attribute.defaultValue))
      row["default"] = *value;
    else if (auto value = std::get_if<std::vector<int64_t>>(&attribute.defaultValue))
      row["default"] = *value;
    else if (auto value = std::get_if<std::vector<bool>>(&attribute.defaultValue))
      row["default"] = *value;
    else if (auto value = std::get_if<std::vector<std::string>>(&attribute.defaultValue))
      row["default"] = *value;
    // Attributes bound at compile time have their defaults.
    if (attribute.binding == Binding::Compile)
      row["type"] = "fixed";
    if (attribute.minimum)
      row["minimum"] = *attribute.minimum;
    if (attribute.maximum)
      row["maximum"] = *attribute.maximum;
    attributes.push_back(std::move(row));
  }
  return attributes;
}

/// The values that a case fixes: axes and keep_dims of a reduction.
static Json fixedOf(const Contract &contract, const TestCase &testCase) {
  Json fixed = Json::object();
  for (const ContractTensor &output : contract.outputs) {
    if (!output.reduces || !testCase.keepDims)
      continue;
    const ContractAttribute *axes = contract.findAttribute(output.reduces->axes);
    const ContractAttribute *keep = contract.findAttribute(output.reduces->keepDims);
    if (axes && axes->binding == Binding::Shape) {
      if (axes->type == AttributeType::ListInt)
        fixed[axes->name] = testCase.axes;
      else if (testCase.axes.size() == 1)
        fixed[axes->name] = testCase.axes.front();
    }
    if (keep && keep->binding == Binding::Shape)
      fixed[keep->name] = *testCase.keepDims;
  }
  return fixed;
}

/// Describes how to bring an input into the order of the domain: reshape to `dims`, then transpose by `axes`.
struct InOrder {
  Shape dims;
  std::vector<size_t> axes;
};

/// For an input that has all dimensions of the domain, in another order or some of them as a product; nullopt for
/// other inputs.
static std::optional<InOrder> inOrder(const Domain &domain, size_t input, const ShapeBinding &binding) {
  std::vector<unsigned> own = domain.dimsOf(input);
  if ((!domain.isPermuted(input) && !domain.hasProducts) || own.size() != domain.dims.size())
    return std::nullopt;
  InOrder order;
  std::vector<std::vector<size_t>> axesOfDim(own.size());
  for (unsigned number : own) {
    const ContractDim &dim = domain.dims[number];
    Shape sizes = {dim.size};
    if (dim.kind == ContractDim::Pack)
      sizes = binding.packs.at(dim.name);
    else if (dim.kind == ContractDim::Symbol)
      sizes = {binding.symbols.at(dim.name)};
    for (int64_t size : sizes) {
      axesOfDim[number].push_back(order.dims.size());
      order.dims.push_back(size);
    }
  }
  for (const std::vector<size_t> &axes : axesOfDim)
    order.axes.insert(order.axes.end(), axes.begin(), axes.end());
  return order;
}

Json TestSession::requestOf(const char *what, const TestCase &testCase, unsigned typeRow) const {
  Json inputs = Json::array();
  std::string reason;
  std::optional<Domain> domain;
  if (contractKind(*contract, reason) == ContractKind::Domain)
    domain = domainOf(*contract, reason);
  ShapeBinding binding;
  if (domain && !bindShapes(*contract, {testCase.inputs.begin(), testCase.inputs.end()}, binding).empty())
    domain = std::nullopt; // the launch reports the reason
  auto indexed = [&](const ContractTensor &input) -> int64_t {
    auto size = input.values ? binding.symbols.find(input.values->along) : binding.symbols.end();
    return domain && size != binding.symbols.end() ? size->second : 0;
  };
  for (size_t i = 0; i < contract->inputs.size(); ++i) {
    inputs.push_back({{"name", contract->inputs[i].name},
                      {"type", elementTypeName(contract->inputs[i].types[typeRow])},
                      {"shape", testCase.inputs[i]}});
    if (int64_t count = indexed(contract->inputs[i]); count > 0) {
      const ContractValues &values = *contract->inputs[i].values;
      inputs.back().update({{"indices", {values.fromEnd ? -count : 0, count}}, {"refused", values.refuses}});
    }
    if (domain)
      if (std::optional<InOrder> order = inOrder(*domain, i, binding))
        inputs.back().update({{"dims", order->dims}, {"axes", order->axes}});
  }
  return {{"do", what},
          {"kind", testCase.special ? "special" : "random"},
          {"seed", testCase.seed},
          {"fixed", fixedOf(*contract, testCase)},
          {"inputs", std::move(inputs)},
          {"attributes", attributesOf(*contract)}};
}

std::optional<SecondOpinion> TestSession::askOnnx(const TestCase &testCase, unsigned typeRow,
                                                  Diagnostics &diagnostics) {
  Json answer;
  if (!ask(requestOf("opinion", testCase, typeRow), nullptr, answer, diagnostics))
    return std::nullopt;
  auto text = [&](const char *key) {
    auto found = answer.find(key);
    return found != answer.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  SecondOpinion opinion;
  opinion.operatorName = text("operator");
  opinion.compared = answer.value("compared", int64_t(0));
  opinion.wrong = answer.value("wrong", int64_t(0));
  opinion.text = text("text");
  opinion.missingModule = text("missing");
  return opinion;
}

std::optional<TestData> TestSession::make(const TestCase &testCase, unsigned typeRow, Diagnostics &diagnostics,
                                          const MakeTensor &makeInput) {
  Json request = requestOf("make", testCase, typeRow);
  Json answer;
  if (!ask(request, nullptr, answer, diagnostics))
    return std::nullopt;
  TestData data;
  for (const auto &[name, value] : answer["attributes"].items())
    data.attributes.emplace_back(name, attributeText(value));
  for (size_t i = 0; i < contract->inputs.size(); ++i) {
    std::optional<Tensor> tensor = makeInput(contract->inputs[i].types[typeRow], testCase.inputs[i]);
    if (!tensor) {
      diagnostics.error(Code::E0527, {}, "no memory for an input of shape " + shapeText(testCase.inputs[i]));
      return std::nullopt;
    }
    if (!conversation.read(tensor->data(), size_t(tensor->numBytes()), kPatience)) {
      gone(*contract, diagnostics);
      return std::nullopt;
    }
    data.inputs.push_back(std::move(*tensor));
  }
  return data;
}

/// Describes a wrong element: "y[5]: x1 = 1.5, x2 = 2: expected 3.5, got 0, off by 1792 ulp where 0 are allowed"; for
/// integers "off by 3", for booleans without a distance.
static std::string describe(const Json &element) {
  std::string index, operands;
  for (const Json &at : element["index"])
    index += (index.empty() ? "" : ", ") + at.dump();
  for (const auto &[name, value] : element["operands"].items())
    operands += (operands.empty() ? "" : ", ") + name + " = " + value.get<std::string>();
  auto text = [&](const char *key) { return element.value(key, std::string("?")); };
  std::string off = element.value("off", std::string());
  return text("output") + "[" + index + "]: " + (operands.empty() ? "" : operands + ": ") + "expected " +
         text("expected") + ", got " + text("got") + (off.empty() ? "" : ", " + off);
}

std::optional<TestVerdict> TestSession::check(const std::vector<Tensor> &outputs, bool ofChip,
                                              Diagnostics &diagnostics) {
  Json described = Json::array();
  int64_t bytes = 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    described.push_back({{"name", contract->outputs[i].name},
                         {"type", elementTypeName(outputs[i].type())},
                         {"shape", outputs[i].shape()}});
    bytes += outputs[i].numBytes();
  }
  Json request = {{"do", "check"}, {"outputs", std::move(described)}, {"chip", ofChip}, {"bytes", bytes}};
  Json answer;
  if (!ask(request, &outputs, answer, diagnostics))
    return std::nullopt;
  TestVerdict verdict;
  verdict.compared = answer.value("compared", int64_t(0));
  verdict.skipped = answer.value("skipped", int64_t(0));
  verdict.wrong = answer.value("wrong", int64_t(0));
  const Json &worst = answer["worst_ulp"];
  verdict.worstUlp = worst.is_number() ? worst.get<double>() : INFINITY;
  for (const Json &element : answer["first"])
    verdict.first.push_back(describe(element));
  if (answer["text"].is_string())
    verdict.first.push_back(answer["text"].get<std::string>());
  return verdict;
}

} // namespace opc::tool
