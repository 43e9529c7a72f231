// Reads `onnx`: the nodes of ONNX that the operator computes, rules 60 to 62.
//
// Names of ONNX are not checked here: a test of the library compares operators and attributes with the schemas of the
// onnx package.

#include "ops/contract/read/Parts.h"

#include "ops/contract/Places.h"

#include <algorithm>
#include <charconv>

namespace opc {

static constexpr size_t kMostForms = 32;

/// A value without a declared type: whole numbers, numbers, texts and lists of one of them.
static AttributeValue readPlainScalar(const YamlNode &node) {
  const char *begin = node.text.data(), *end = begin + node.text.size();
  int64_t whole = 0;
  double real = 0;
  if (!node.quoted && std::from_chars(begin, end, whole).ptr == end && begin != end)
    return whole;
  bool isDigit = begin != end && ((*begin >= '0' && *begin <= '9') || *begin == '-');
  if (!node.quoted && isDigit && std::from_chars(begin, end, real).ptr == end)
    return real;
  return node.text;
}

static bool isNumberText(const std::string &text) {
  YamlNode node;
  node.text = text;
  return !std::holds_alternative<std::string>(readPlainScalar(node));
}

template <typename Item> static bool appendTo(AttributeValue &list, const AttributeValue &item, bool isFirst) {
  if (isFirst && std::holds_alternative<Item>(item))
    list = std::vector<Item>();
  if (!std::holds_alternative<Item>(item) || !std::holds_alternative<std::vector<Item>>(list))
    return false;
  std::get<std::vector<Item>>(list).push_back(std::get<Item>(item));
  return true;
}

static AttributeValue readPlainValue(ContractErrors &errors, const YamlNode *node, const std::string &what) {
  if (!node)
    return {};
  if (node->kind == YamlNode::Scalar)
    return readPlainScalar(*node);
  AttributeValue list = std::vector<int64_t>();
  const std::vector<YamlNode> *items = readList(errors, node, what);
  for (size_t i = 0; items && i < items->size(); ++i) {
    const YamlNode &item = (*items)[i];
    AttributeValue value = item.kind == YamlNode::Scalar ? readPlainScalar(item) : AttributeValue();
    if (!appendTo<int64_t>(list, value, i == 0) && !appendTo<double>(list, value, i == 0) &&
        !appendTo<std::string>(list, value, i == 0)) {
      errors.report(ContractRule::OnnxAttribute, errors.at(item.line, item.column),
                    "expects " + what + " to be a list of numbers or texts of one kind, found " + describe(item));
      return {};
    }
  }
  return list;
}

namespace {

/// Reads one form.
class FormReader {
public:
  FormReader(ContractErrors &errors, const Contract &contract, const YamlNode &node)
      : errors(errors), contract(contract), fields(errors, node, mappings::onnxForm) {}

  ContractOnnxForm read() {
    if (!fields.isMap())
      return {};
    readHead();
    readInputs(fields.find("inputs"));
    readOutputs(fields.find("outputs"));
    const std::vector<YamlNode> *items = readList(errors, fields.find("attributes"), "'attributes'");
    for (size_t i = 0; items && i < items->size(); ++i)
      readAttribute((*items)[i]);
    checkAttributesGiven();
    return std::move(form);
  }

private:
  void readHead() {
    const YamlNode *node = fields.require("operator");
    form.location = fields.location();
    form.opType = readName(errors, node, "'operator'").value_or("");
    form.domain = readText(errors, fields.find("domain"), "'domain'", 200).value_or("");
    if (form.domain == "ai.onnx")
      form.domain.clear();
    form.since = readInt(errors, fields.find("since"), "'since'").value_or(kOldestOpset);
    form.until = readInt(errors, fields.find("until"), "'until'").value_or(kNewestOpset);
    // Other domains have their own version numbers.
    int64_t oldest = form.domain.empty() ? kOldestOpset : 1, newest = form.domain.empty() ? kNewestOpset : INT32_MAX;
    if (form.since < oldest || form.since > form.until || form.until > newest)
      errors.report(ContractRule::OnnxForm, fields.location(),
                    "expects opsets 'since' and 'until' from " + std::to_string(oldest) + " to " +
                        std::to_string(newest) + ", in order, found " + std::to_string(form.since) + " and " +
                        std::to_string(form.until));
  }

  /// Names of attributes whose values a constant can hold.
  bool isNumberAttribute(const std::string &name, bool lists) const {
    const ContractAttribute *attribute = contract.findAttribute(name);
    return attribute &&
           (attribute->type == AttributeType::Float || attribute->type == AttributeType::Int ||
            (lists && (attribute->type == AttributeType::ListInt || attribute->type == AttributeType::ListFloat)));
  }

  bool isInput(const std::string &name) const {
    const std::vector<ContractTensor> &inputs = writtenInputs(contract);
    return std::any_of(inputs.begin(), inputs.end(), [&](const ContractTensor &input) { return input.name == name; });
  }

  std::vector<std::string> inputNames() const {
    std::vector<std::string> names;
    for (const ContractTensor &input : writtenInputs(contract))
      names.push_back(input.name);
    return names;
  }

  void readInput(const YamlNode &item) {
    ContractOnnxOperand operand;
    operand.location = errors.at(item.line, item.column);
    if (item.kind == YamlNode::List) {
      for (const YamlNode &each : item.items) {
        if (each.kind != YamlNode::Scalar || (!isNumberText(each.text) && !isNumberAttribute(each.text, false)))
          errors.report(ContractRule::OnnxOperand, errors.at(each.line, each.column),
                        "expects numbers and names of attributes that are numbers in a constant, found " +
                            describe(each));
        operand.items.push_back(each.text);
      }
      form.inputs.push_back(std::move(operand));
      return;
    }
    operand.name = readName(errors, &item, "an operand").value_or("");
    if (operand.name.empty())
      return;
    if (!isInput(operand.name) && !isNumberAttribute(operand.name, true)) {
      std::vector<std::string> names = inputNames();
      for (const ContractAttribute &attribute : contract.attributes)
        if (isNumberAttribute(attribute.name, true))
          names.push_back(attribute.name);
      errors.report(ContractRule::OnnxOperand, operand.location,
                    "expects an input or an attribute of numbers, found '" + printable(operand.name, 60) + "'",
                    suggest(operand.name, names));
    }
    form.inputs.push_back(std::move(operand));
  }

  void readInputs(const YamlNode *node) {
    const std::vector<YamlNode> *items = readList(errors, node, "'inputs'");
    for (size_t i = 0; items && i < items->size(); ++i)
      readInput((*items)[i]);
    if (!node)
      for (const ContractTensor &input : writtenInputs(contract))
        form.inputs.push_back({input.name, {}, input.location});
    const ContractTensor *counted = countedInput(contract);
    for (const ContractOnnxOperand &operand : form.inputs)
      if (counted && operand.name == counted->name && &operand != &form.inputs.back())
        errors.report(ContractRule::OnnxOperand, operand.location,
                      "expects '" + counted->name + "', of which a node has any number, as the last operand");
    for (const ContractTensor &input : writtenInputs(contract)) {
      auto count = std::count_if(form.inputs.begin(), form.inputs.end(),
                                 [&](const ContractOnnxOperand &each) { return each.name == input.name; });
      if (count > 1 || (count == 0 && !input.isOptional()))
        errors.report(ContractRule::OnnxOperand, fields.keyLocation("inputs"),
                      "expects '" + input.name + "' once among the operands, found it " +
                          (count == 0 ? "nowhere" : std::to_string(count) + " times"));
    }
  }

  void readOutputs(const YamlNode *node) {
    std::vector<std::string> names;
    for (const ContractTensor &output : contract.outputs)
      names.push_back(output.name);
    form.outputs = names;
    const std::vector<YamlNode> *items = readList(errors, node, "'outputs'", 1);
    if (!items)
      return;
    form.outputs.clear();
    for (const YamlNode &item : *items)
      if (std::optional<std::string> name = readName(errors, &item, "a result"))
        form.outputs.push_back(*name);
    std::vector<std::string> found = form.outputs;
    std::sort(found.begin(), found.end());
    std::sort(names.begin(), names.end());
    if (found != names)
      errors.report(ContractRule::OnnxOperand, errors.at(node->line, node->column),
                    "expects every output of the contract once among the results, found others");
  }

  void readAttribute(const YamlNode &node) {
    Fields item(errors, node, mappings::onnxAttribute);
    if (!item.isMap())
      return;
    ContractOnnxAttribute attribute;
    const YamlNode *name = item.require("name");
    attribute.location = item.location();
    attribute.name = readName(errors, name, "'name'").value_or("");
    const YamlNode *of = item.find("attribute"), *value = item.find("value"), *axis = item.find("axis");
    const YamlNode *type = item.find("type"), *ignored = item.find("ignored");
    if ((of != nullptr) + (value != nullptr) + (axis != nullptr) + (type != nullptr) + (ignored != nullptr) != 1) {
      errors.report(ContractRule::OnnxAttribute, item.location(),
                    "expects one of 'attribute', 'value', 'axis', 'type' and 'ignored' for '" +
                        printable(attribute.name, 60) + "'");
      return;
    }
    for (const ContractOnnxAttribute &other : form.attributes)
      if (other.name == attribute.name)
        errors.report(ContractRule::OnnxAttribute, item.location(),
                      "expects each attribute of ONNX once, found '" + printable(attribute.name, 60) + "' again");
    const YamlNode *otherwise = item.find("default");
    if (of) {
      attribute.attribute = readName(errors, of, "'attribute'").value_or("");
      const ContractAttribute *target = contract.findAttribute(attribute.attribute);
      const bool isReversed = target && isOrder(contract, target->name) && otherwise &&
                              otherwise->kind == YamlNode::Scalar && otherwise->text == "reversed";
      if (isReversed)
        attribute.defaultValue = std::string("reversed");
      else if (target && (isPresence(contract, target->name) || isCount(contract, target->name)))
        errors.report(ContractRule::OnnxAttribute, errors.at(of->line, of->column),
                      "expects an attribute that operands do not give, found '" + target->name + "': a node has " +
                          (isCount(contract, target->name) ? "a number of operands" : "the input or leaves it out"),
                      "remove the attribute from the form");
      else if (target && otherwise)
        attribute.defaultValue = readDefault(errors, otherwise, *target);
      else if (!target && !attribute.attribute.empty())
        errors.report(ContractRule::OnnxAttribute, errors.at(of->line, of->column),
                      "expects an attribute of the contract, found '" + printable(attribute.attribute, 60) + "'",
                      suggest(attribute.attribute, attributeNames()));
    } else if (axis) {
      attribute.axis = readInt(errors, axis, "'axis'");
      if (std::optional<int64_t> number = readInt(errors, otherwise, "'default'"))
        attribute.defaultValue = *number;
    } else if (type) {
      attribute.typeOf = readName(errors, type, "'type'").value_or("");
      bool isOutput = std::any_of(contract.outputs.begin(), contract.outputs.end(),
                                  [&](const ContractTensor &output) { return output.name == attribute.typeOf; });
      if (!isOutput && !attribute.typeOf.empty())
        errors.report(ContractRule::OnnxAttribute, errors.at(type->line, type->column),
                      "expects an output of the contract, found '" + printable(attribute.typeOf, 60) + "'");
    } else if (ignored) {
      attribute.ignored = readBool(errors, ignored, "'ignored'").value_or(true);
      if (!attribute.ignored)
        errors.report(ContractRule::OnnxAttribute, errors.at(ignored->line, ignored->column),
                      "expects 'ignored' to be true, found false", "leave it out");
    } else {
      attribute.value = readPlainValue(errors, value, "'value'");
      attribute.defaultValue = readPlainValue(errors, otherwise, "'default'");
      bool known = attribute.value.index() != 0 && attribute.defaultValue.index() != 0;
      if (known && attribute.defaultValue.index() != attribute.value.index())
        errors.report(ContractRule::OnnxAttribute, errors.at(otherwise->line, otherwise->column),
                      "expects 'default' to be of the kind of 'value', found " + describe(*otherwise));
    }
    if (otherwise && (type || ignored))
      errors.report(ContractRule::OnnxAttribute, errors.at(otherwise->line, otherwise->column),
                    "expects 'default' beside 'attribute', 'value' or 'axis', found it beside '" +
                        std::string(type ? "type" : "ignored") + "'");
    form.attributes.push_back(std::move(attribute));
  }

  std::vector<std::string> attributeNames() const {
    std::vector<std::string> names;
    for (const ContractAttribute &attribute : contract.attributes)
      names.push_back(attribute.name);
    return names;
  }

  bool isGiven(const std::string &name) const {
    for (const ContractOnnxAttribute &attribute : form.attributes)
      if (attribute.attribute == name)
        return true;
    for (const ContractOnnxOperand &operand : form.inputs)
      if (operand.name == name || std::find(operand.items.begin(), operand.items.end(), name) != operand.items.end())
        return true;
    return false;
  }

  void checkAttributesGiven() {
    for (const ContractAttribute &attribute : contract.attributes)
      if (attribute.defaultValue.index() == 0 && !isGiven(attribute.name))
        errors.report(ContractRule::OnnxAttribute, fields.location(),
                      "expects a form to give '" + attribute.name + "', which has no default, found that it does not");
  }

  ContractErrors &errors;
  const Contract &contract;
  Fields fields;
  ContractOnnxForm form;
};

} // namespace

void readOnnx(ContractErrors &errors, const YamlNode *node, ContractDraft &draft) {
  const std::vector<YamlNode> *items = readList(errors, node, "'onnx'", 1, kMostForms);
  for (size_t i = 0; items && i < items->size(); ++i)
    draft.contract.onnx.push_back(FormReader(errors, draft.contract, (*items)[i]).read());
}

} // namespace opc
