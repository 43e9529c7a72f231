// The rules of a model as a whole: versions, names and their scopes, the order of nodes, functions.
//
// Names have lexical scope: a subgraph reads names of the graphs around it, and a name of its own hides theirs. A node
// depends on what its subgraphs read outside. Nodes are brought into an order in which each comes after those that it
// depends on; the file's order is kept if it is valid, as ONNX requires; some exporters break it.

#include "ops/contract/Contract.h"
#include "ops/onnx/Reader.h"
#include "ops/onnx/read/Parts.h"

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace opc::onnx {

namespace {

using Name = std::string_view;

/// The writers of the names of a graph. kGiven: an input or an initializer.
constexpr size_t kGiven = SIZE_MAX;
struct Scope {
  const Scope *outer = nullptr;
  std::unordered_map<Name, size_t> writers;

  bool isVisible(Name name) const {
    for (const Scope *scope = this; scope; scope = scope->outer)
      if (scope->writers.count(name) != 0)
        return true;
    return false;
  }
};

class Checker {
public:
  Checker(Model &model, Diagnostics &diagnostics) : model(model), diagnostics(diagnostics) {}
  bool run();

private:
  bool checkVersions();
  bool checkFunctions();
  bool checkCalls();
  bool checkFunction(Function &function);
  /// `free` gets the names that the graph reads from scopes around it.
  bool checkGraph(Graph &graph, const Scope *outer, std::vector<Name> &free);
  bool addWriters(const std::vector<Node> &nodes, Scope &scope);
  /// Checks the nodes of one list, and sorts them.
  bool checkNodes(std::vector<Node> &nodes, const Scope &scope, std::vector<Name> &free);
  bool checkNode(const Node &node);
  bool sortNodes(std::vector<Node> &nodes, const std::vector<std::vector<size_t>> &needs);
  bool fail(Code code, const char *rule, const std::string &message, const std::string &fix = {}) {
    diagnostics.error(code, {model.path, 0, 0}, message, rule, fix);
    return false;
  }
  /// c10: a value has one writer.
  bool twice(Name name, const std::string &where) {
    return fail(Code::E1001, "onnx_c10",
                "expects each value to be written once, found a second '" + printable(name, 60) + "'" + where);
  }

  Model &model;
  Diagnostics &diagnostics;
  const Function *function = nullptr; ///< whose nodes are checked
};

} // namespace

/// " in node 12 ('conv1', Conv) at byte 345".
static std::string inNode(const Node &node) {
  std::string name = node.name.empty() ? std::string() : "'" + printable(node.name, 60) + "', ";
  return " in node " + std::to_string(node.index) + " (" + name + printable(node.qualifiedOp(), 60) + ") at byte " +
         std::to_string(node.at);
}

bool Checker::checkVersions() {
  if (model.irVersion < 1)
    return fail(Code::E1004, "onnx_c6", "expects an IR version from 1 on, found " + std::to_string(model.irVersion));
  if (model.irVersion > kNewestIr)
    diagnostics.warning(Code::E1004, {model.path, 0, 0},
                        "expects an IR version of " + std::to_string(kNewestIr) + " at most, found " +
                            std::to_string(model.irVersion) + "; what it adds is not seen",
                        "onnx_c6");
  // Models of the first IR versions use the first opset.
  if (model.irVersion < 3 && model.opsets.empty())
    model.opsets.push_back({{}, 1});
  std::unordered_set<Name> domains;
  for (const OpsetImport &import : model.opsets)
    if (!domains.insert(import.domain).second)
      return fail(Code::E1004, "onnx_c6",
                  "expects one version of each domain, found two of '" +
                      printable(import.domain.empty() ? "ai.onnx" : import.domain, 60) + "'");
  int64_t version = model.opset({});
  if (version != 0 && (version < kOldestOpset || version > kNewestOpset))
    diagnostics.warning(Code::E1004, {model.path, 0, 0},
                        "expects opset " + std::to_string(kOldestOpset) + " to " + std::to_string(kNewestOpset) +
                            ", found " + std::to_string(version) + "; its operators count as missing",
                        "onnx_c6", "onnx.version_converter converts models to a newer opset");
  return true;
}

bool Checker::checkNode(const Node &node) {
  if (node.op.empty())
    return fail(Code::E1001, "onnx_c14", "expects the name of an operator, found none" + inNode(node));
  const std::vector<OpsetImport> &opsets = function && !function->opsets.empty() ? function->opsets : model.opsets;
  bool imported = std::any_of(opsets.begin(), opsets.end(),
                              [&](const OpsetImport &import) { return import.domain == node.domain; });
  if (!imported)
    return fail(Code::E1001, "onnx_c14",
                "expects a version for the domain '" + printable(node.domain.empty() ? "ai.onnx" : node.domain, 60) +
                    "', found none" + inNode(node));
  std::unordered_set<Name> names;
  for (const Attribute &attribute : node.attributes) {
    if (!names.insert(attribute.name).second)
      return fail(Code::E1001, "onnx_c13",
                  "expects each attribute once, found a second '" + printable(attribute.name, 60) + "'" + inNode(node));
    if (attribute.reference.empty())
      continue;
    auto declares = [&](const Attribute &each) { return each.name == attribute.reference; };
    bool known =
        function && (std::find(function->attributes.begin(), function->attributes.end(), attribute.reference) !=
                         function->attributes.end() ||
                     std::any_of(function->attributeDefaults.begin(), function->attributeDefaults.end(), declares));
    if (!known)
      return fail(Code::E1001, "onnx_c13",
                  "expects a reference to an attribute of the function around it, found '" +
                      printable(attribute.reference, 60) + "'" + inNode(node));
  }
  return true;
}

bool Checker::addWriters(const std::vector<Node> &nodes, Scope &scope) {
  for (size_t i = 0; i < nodes.size(); ++i)
    for (Name name : nodes[i].outputs)
      if (!name.empty() && !scope.writers.emplace(name, i).second)
        return twice(name, inNode(nodes[i]));
  return true;
}

/// The nearest visible name, for a fix; looks at the names of the innermost scope.
static std::string nearestIn(const Scope &scope, Name name) {
  constexpr size_t kMost = 4096; // a bound on time
  std::vector<std::string> names;
  for (const auto &[each, writer] : scope.writers)
    if (names.size() < kMost)
      names.emplace_back(each);
  std::sort(names.begin(), names.end());
  std::string nearest = nearestName(name, names);
  return nearest.empty() ? "" : "did you mean '" + printable(nearest, 60) + "'?";
}

bool Checker::checkNodes(std::vector<Node> &nodes, const Scope &scope, std::vector<Name> &free) {
  std::vector<std::vector<size_t>> needs(nodes.size());
  bool sorted = true;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!checkNode(nodes[i]))
      return false;
    auto need = [&](Name name) {
      auto writer = scope.writers.find(name);
      if (writer == scope.writers.end())
        free.push_back(name);
      else if (writer->second != kGiven) {
        needs[i].push_back(writer->second);
        sorted &= writer->second < i;
      }
    };
    for (Name name : nodes[i].inputs) {
      if (name.empty())
        continue;
      if (!scope.isVisible(name))
        return fail(Code::E1001, "onnx_c11",
                    "expects a value that an input, an initializer or a node gives, found '" + printable(name, 60) +
                        "'" + inNode(nodes[i]),
                    nearestIn(scope, name));
      need(name);
    }
    for (Attribute &attribute : nodes[i].attributes)
      for (Graph &graph : attribute.graphs) {
        std::vector<Name> outside;
        if (!checkGraph(graph, &scope, outside))
          return false;
        for (Name name : outside)
          need(name);
      }
  }
  return sorted || sortNodes(nodes, needs);
}

bool Checker::sortNodes(std::vector<Node> &nodes, const std::vector<std::vector<size_t>> &needs) {
  std::vector<std::vector<size_t>> readers(nodes.size());
  std::vector<size_t> open(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    open[i] = needs[i].size();
    for (size_t writer : needs[i])
      readers[writer].push_back(i);
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (open[i] == 0)
      ready.push(i);
  std::vector<Node> order;
  order.reserve(nodes.size());
  while (!ready.empty()) {
    size_t first = ready.top();
    ready.pop();
    order.push_back(std::move(nodes[first]));
    for (size_t reader : readers[first])
      if (--open[reader] == 0)
        ready.push(reader);
  }
  if (order.size() == nodes.size()) {
    nodes = std::move(order);
    return true;
  }
  // Among the remaining nodes, follow writers until a node repeats: that node is in a cycle.
  size_t at = 0;
  while (open[at] == 0)
    ++at;
  std::unordered_set<size_t> seen;
  while (seen.insert(at).second)
    at = *std::find_if(needs[at].begin(), needs[at].end(), [&](size_t writer) { return open[writer] != 0; });
  return fail(Code::E1001, "onnx_c12",
              "expects nodes without a cycle, found that one reads its own result," + inNode(nodes[at]),
              "export the model again; state that passes from step to step belongs in a Loop or a Scan");
}

bool Checker::checkGraph(Graph &graph, const Scope *outer, std::vector<Name> &free) {
  Scope scope;
  scope.outer = outer;
  for (const Value &input : graph.inputs) {
    if (input.name.empty())
      return fail(Code::E1001, "onnx_c10", "expects inputs of a graph to have names, found one without");
    if (!scope.writers.emplace(input.name, kGiven).second)
      return twice(input.name, " among the inputs of a graph");
  }
  std::unordered_set<Name> constants;
  auto addConstant = [&](const Tensor &tensor) {
    if (tensor.name.empty())
      return fail(Code::E1001, "onnx_c10",
                  "expects initializers to have names, found one without at byte " + std::to_string(tensor.at));
    if (!constants.insert(tensor.name).second)
      return twice(tensor.name, " among the initializers, at byte " + std::to_string(tensor.at));
    // An initializer may have the name of an input: it is the input's default.
    scope.writers.emplace(tensor.name, kGiven);
    return true;
  };
  for (const Tensor &tensor : graph.initializers)
    if (!addConstant(tensor))
      return false;
  for (const SparseTensor &tensor : graph.sparseInitializers)
    if (!addConstant(tensor.values))
      return false;
  if (!addWriters(graph.nodes, scope) || !checkNodes(graph.nodes, scope, free))
    return false;
  for (const Value &output : graph.outputs) {
    if (!scope.isVisible(output.name))
      return fail(Code::E1001, "onnx_c16",
                  "expects outputs of a graph to be values of it, found '" + printable(output.name, 60) + "'",
                  nearestIn(scope, output.name));
    if (scope.writers.count(output.name) == 0)
      free.push_back(output.name);
  }
  return true;
}

bool Checker::checkFunction(Function &each) {
  function = &each;
  Scope scope;
  for (Name name : each.inputs)
    if (!scope.writers.emplace(name, kGiven).second)
      return twice(name, " among the inputs of function '" + printable(each.name, 60) + "'");
  std::vector<Name> free;
  if (!addWriters(each.nodes, scope) || !checkNodes(each.nodes, scope, free))
    return false;
  for (Name name : each.outputs)
    if (scope.writers.count(name) == 0)
      return fail(Code::E1001, "onnx_c16",
                  "expects outputs of function '" + printable(each.name, 60) + "' to be values of it, found '" +
                      printable(name, 60) + "'",
                  nearestIn(scope, name));
  function = nullptr;
  return true;
}

/// Adds the functions that nodes call, also within subgraphs.
static void addCalls(const Model &model, const std::vector<Node> &nodes, std::vector<size_t> &calls) {
  for (const Node &node : nodes) {
    if (const Function *callee = model.findFunction(node))
      calls.push_back(static_cast<size_t>(callee - model.functions.data()));
    for (const Attribute &attribute : node.attributes)
      for (const Graph &graph : attribute.graphs)
        addCalls(model, graph.nodes, calls);
  }
}

/// c15: no function calls itself, in one step or through others.
bool Checker::checkCalls() {
  size_t count = model.functions.size();
  std::vector<std::vector<size_t>> callers(count);
  std::vector<size_t> open(count);
  for (size_t i = 0; i < count; ++i) {
    std::vector<size_t> calls;
    addCalls(model, model.functions[i].nodes, calls);
    open[i] = calls.size();
    for (size_t callee : calls)
      callers[callee].push_back(i);
  }
  std::vector<size_t> done;
  for (size_t i = 0; i < count; ++i)
    if (open[i] == 0)
      done.push_back(i);
  for (size_t next = 0; next < done.size(); ++next)
    for (size_t caller : callers[done[next]])
      if (--open[caller] == 0)
        done.push_back(caller);
  for (size_t i = 0; i < count; ++i)
    if (open[i] != 0)
      return fail(Code::E1001, "onnx_c15",
                  "expects functions that do not call themselves, found '" + printable(model.functions[i].name, 60) +
                      "' at byte " + std::to_string(model.functions[i].at));
  return true;
}

bool Checker::checkFunctions() {
  for (size_t i = 0; i < model.functions.size(); ++i) {
    const Function &each = model.functions[i];
    if (each.name.empty() || !model.functionIndex.emplace(std::tuple(each.domain, each.name, each.overload), i).second)
      return fail(Code::E1001, "onnx_c15",
                  "expects functions with names that differ, found '" + printable(each.name, 60) + "' at byte " +
                      std::to_string(each.at));
  }
  if (!checkCalls())
    return false;
  for (Function &each : model.functions)
    if (!checkFunction(each))
      return false;
  return true;
}

bool Checker::run() {
  std::vector<Name> free;
  return checkVersions() && checkFunctions() && checkGraph(model.graph, nullptr, free);
}

bool checkModel(Model &model, Diagnostics &diagnostics) {
  return Checker(model, diagnostics).run();
}

} // namespace opc::onnx
