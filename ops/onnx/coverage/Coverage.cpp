#include "ops/onnx/coverage/Coverage.h"

#include "ops/onnx/coverage/Operators.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace opc::onnx {

/// The generality of a contract: packs of all inputs, and different dimensions of them.
static std::pair<size_t, size_t> generality(const Contract &contract) {
  size_t packs = 0;
  std::set<std::string> names;
  for (const ContractTensor &input : contract.inputs)
    for (const ContractDim &dim : input.shape) {
      packs += dim.kind == ContractDim::Pack;
      if (dim.kind != ContractDim::Fixed)
        names.insert(dim.name);
    }
  return {packs, names.size()};
}

void FormIndex::add(const Contract &contract, bool ofUser) {
  auto rank = [](const Entry &entry) {
    return std::tuple(!entry.ofUser, generality(*entry.contract), entry.contract->opType);
  };
  for (const ContractOnnxForm &form : contract.onnx) {
    std::vector<Entry> &list = entries[{form.domain, form.opType}];
    Entry added = {&contract, &form, ofUser};
    list.insert(std::upper_bound(list.begin(), list.end(), added,
                                 [&](const Entry &a, const Entry &b) { return rank(a) < rank(b); }),
                added);
  }
}

const std::vector<FormIndex::Entry> &FormIndex::find(std::string_view domain, std::string_view op) const {
  static const std::vector<Entry> none;
  auto found = entries.find(std::pair(std::string(domain), std::string(op)));
  return found == entries.end() ? none : found->second;
}

std::vector<std::string> FormIndex::operators() const {
  std::vector<std::string> names;
  for (const auto &[name, list] : entries)
    names.push_back(name.first.empty() ? name.second : name.first + "." + name.second);
  return names;
}

std::string_view coverageKindName(NodeCoverage::Kind kind) {
  static constexpr std::string_view names[] = {"library", "user",  "view", "constant",
                                               "call",    "parts", "host", "missing"};
  return names[kind];
}

size_t Coverage::count(NodeCoverage::Kind kind) const {
  return static_cast<size_t>(
      std::count_if(nodes.begin(), nodes.end(), [&](const NodeCoverage &node) { return node.kind == kind; }));
}

namespace {

/// Facts of the values of one graph; outer graphs' are found through `outer`.
struct Facts {
  const Facts *outer = nullptr;
  std::unordered_map<std::string_view, Fact> known;

  const Fact *find(std::string_view name) const {
    for (const Facts *facts = this; facts; facts = facts->outer)
      if (auto found = facts->known.find(name); found != facts->known.end())
        return &found->second;
    return nullptr;
  }
};

class Walk {
public:
  Walk(const Model &model, const FormIndex &forms) : model(model), forms(forms), names(forms.operators()) {}
  Coverage take() { return std::move(coverage); }

  void graph(const Graph &graph, const Facts *outer, unsigned depth);
  void function(const Function &function);

private:
  void nodes(const std::vector<Node> &nodes, Facts &facts, unsigned depth);
  NodeCoverage cover(const Node &node, const Facts &facts);
  void report(NodeCoverage &covered, const std::string &nearestReason);
  int64_t opset(std::string_view domain) const;

  const Model &model;
  const FormIndex &forms;
  std::vector<std::string> names; ///< of operators that have forms
  const Function *inside = nullptr;
  Coverage coverage;
};

} // namespace

static Fact factOf(const std::optional<Type> &type) {
  Fact fact;
  if (!type || type->kind != Type::Tensor)
    return fact;
  fact.type = type->element;
  if (type->hasRank)
    fact.shape = type->shape;
  return fact;
}

static Fact factOf(const Tensor &tensor) {
  Fact fact;
  fact.type = tensor.type;
  fact.constant = &tensor;
  fact.shape.emplace();
  for (int64_t size : tensor.shape)
    fact.shape->push_back({size, {}});
  return fact;
}

/// The types of values that the file states.
static void addStated(const std::vector<Value> &values, Facts &facts) {
  for (const Value &value : values)
    facts.known.emplace(value.name, factOf(value.type));
}

int64_t Walk::opset(std::string_view domain) const {
  if (inside)
    for (const OpsetImport &import : inside->opsets)
      if (import.domain == domain)
        return import.version;
  return model.opset(domain);
}

void Walk::graph(const Graph &graph, const Facts *outer, unsigned depth) {
  Facts facts;
  facts.outer = outer;
  // An initializer that has the name of an input gives the input's value, which counts as a constant.
  for (const Tensor &tensor : graph.initializers)
    facts.known.emplace(tensor.name, factOf(tensor));
  for (const SparseTensor &tensor : graph.sparseInitializers) {
    Fact fact;
    fact.type = tensor.values.type;
    fact.shape.emplace();
    for (int64_t size : tensor.shape)
      fact.shape->push_back({size, {}});
    facts.known.emplace(tensor.values.name, std::move(fact));
  }
  addStated(graph.inputs, facts);
  addStated(graph.outputs, facts);
  addStated(graph.values, facts);
  nodes(graph.nodes, facts, depth);
}

void Walk::function(const Function &function) {
  inside = &function;
  Facts facts;
  addStated(function.values, facts);
  nodes(function.nodes, facts, 0);
  inside = nullptr;
}

/// The facts of a result that follow from the operator's name, and for constants from the node.
static Fact factOfResult(const NodeCoverage &covered) {
  const Node &node = *covered.node;
  if (node.op == "Constant" && node.domain.empty())
    if (const Attribute *value = node.find("value"); value && value->tensors.size() == 1)
      return factOf(value->tensors.front());
  const KnownOperator *known = node.domain.empty() ? findOperator(node.op) : nullptr;
  Fact fact;
  if (!known)
    return fact;
  if (known->result == KnownOperator::Bool)
    fact.type = ElementType::Bool;
  else if (known->result == KnownOperator::Int64)
    fact.type = ElementType::Int64;
  else if (known->result == KnownOperator::Same && !covered.operands.empty())
    fact.type = covered.operands.front().type;
  if (node.op == "Identity" && !covered.operands.empty())
    fact = covered.operands.front();
  return fact;
}

void Walk::nodes(const std::vector<Node> &nodes, Facts &facts, unsigned depth) {
  for (const Node &node : nodes) {
    NodeCoverage covered = cover(node, facts);
    covered.depth = depth;
    if (inside)
      covered.function = std::string(inside->name);
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty())
        continue;
      Fact &fact = facts.known[node.outputs[i]];
      Fact other = i == 0 ? factOfResult(covered) : Fact();
      for (const Fact &more : {covered.results[i], other}) {
        if (fact.type == ElementType::Undefined)
          fact.type = more.type;
        if (!fact.shape || (more.shape && !fact.sizes()))
          fact.shape = more.shape ? more.shape : fact.shape;
        if (!fact.constant)
          fact.constant = more.constant;
      }
      covered.results[i] = fact;
    }
    coverage.nodes.push_back(std::move(covered));
    for (const Attribute &attribute : node.attributes)
      for (const Graph &inner : attribute.graphs)
        graph(inner, &facts, depth + 1);
  }
}

NodeCoverage Walk::cover(const Node &node, const Facts &facts) {
  NodeCoverage covered;
  covered.node = &node;
  for (std::string_view name : node.inputs) {
    const Fact *fact = name.empty() ? nullptr : facts.find(name);
    covered.operands.push_back(fact ? *fact : Fact());
  }
  for (std::string_view name : node.outputs) {
    auto fact = facts.known.find(name);
    covered.results.push_back(fact != facts.known.end() ? fact->second : Fact());
  }
  int64_t version = opset(node.domain);
  std::string nearestReason;
  for (const FormIndex::Entry &entry : forms.find(node.domain, node.op)) {
    Match match = matchForm(*entry.contract, *entry.form, model, node, version, covered.operands, covered.results);
    if (match.contract) {
      covered.kind = entry.ofUser ? NodeCoverage::User : NodeCoverage::Library;
      covered.contract = match.contract;
      covered.isCertain = match.isCertain;
      covered.results = std::move(match.results);
      return covered;
    }
    // Among several forms, the reason of the one for the model's opset is reported.
    if (nearestReason.empty() || (version >= entry.form->since && version <= entry.form->until))
      nearestReason = "'" + entry.contract->opType + "': " + match.reason;
  }
  covered.results.assign(node.outputs.size(), Fact());
  if (model.findFunction(node)) {
    covered.kind = NodeCoverage::Call;
    covered.isCertain = true;
    return covered;
  }
  const KnownOperator *known = node.domain.empty() ? findOperator(node.op) : nullptr;
  if (known && (known->kind == KnownOperator::View || known->kind == KnownOperator::Constant)) {
    covered.kind = known->kind == KnownOperator::View ? NodeCoverage::View : NodeCoverage::Constant;
    covered.isCertain = true;
    return covered;
  }
  report(covered, nearestReason);
  return covered;
}

std::string supplyOf(const Node &node, const std::vector<std::string> &operators) {
  const KnownOperator *known = node.domain.empty() ? findOperator(node.op) : nullptr;
  if (known && !known->composition.empty())
    return "composition: " + std::string(known->composition);
  if (known && known->kind == KnownOperator::Control)
    return "control flow has no kernel; its subgraphs are listed";
  if (known && known->kind == KnownOperator::Constant)
    return "operands that are constants or follow from sizes, since the size of the result follows from their values";
  if (known && known->kind != KnownOperator::Element)
    return "opc lacks this class: " + std::string(className(known->kind)) + " (docs/reference/scope.md)";
  if (known)
    return "a contract and a te body of your own (opc new, --contracts)";
  std::string nearest = nearestName(node.qualifiedOp(), operators);
  return nearest.empty() ? "a contract with it under 'onnx' (--contracts)" : "did you mean '" + nearest + "'?";
}

/// Sets the reason why a node is missing, and how to supply it.
void Walk::report(NodeCoverage &covered, const std::string &nearestReason) {
  const Node &node = *covered.node;
  const KnownOperator *known = node.domain.empty() ? findOperator(node.op) : nullptr;
  covered.reason = !nearestReason.empty()          ? nearestReason
                   : node.domain.empty() && !known ? "ONNX has no such operator"
                                                   : "no contract has it under 'onnx'";
  covered.supply = supplyOf(node, names);
}

Coverage coverModel(const Model &model, const FormIndex &forms) {
  Walk walk(model, forms);
  walk.graph(model.graph, nullptr, 0);
  for (const Function &function : model.functions)
    walk.function(function);
  return walk.take();
}

} // namespace opc::onnx
