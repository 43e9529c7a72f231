#include "tools/opc/model/ModelShow.h"

#include "tools/opc/html/HtmlPage.h"
#include "tools/opc/model/GraphLayout.h"

#include <filesystem>
#include <iterator>
#include <set>
#include <unordered_map>

namespace opc::tool {

using Json = nlohmann::ordered_json;
using onnx::NodeCoverage;

static const std::pair<const char *, const char *> kPageFiles[] = {
#include "tools/opc/ModelPage.inc"
};

/// Longer texts of a file are cut.
static constexpr size_t kMostText = 120;

static std::string text(std::string_view value) {
  return printable(value, kMostText);
}

template <typename List, typename Print> static std::string listText(const List &values, Print print) {
  std::string result;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == 16)
      return result + ", ...";
    result += (i == 0 ? "" : ", ") + print(values[i]);
  }
  return result;
}

static std::string attributeText(const onnx::Attribute &attribute) {
  using A = onnx::Attribute;
  if (!attribute.reference.empty())
    return "@" + text(attribute.reference);
  switch (attribute.kind) {
  case A::Float:
  case A::Floats:
    return listText(attribute.floats, [](float value) { return Json(value).dump(); });
  case A::Int:
  case A::Ints:
    return listText(attribute.ints, [](int64_t value) { return std::to_string(value); });
  case A::String:
  case A::Strings:
    return listText(attribute.strings, [](std::string_view value) { return text(value); });
  case A::GraphValue:
  case A::Graphs:
    return "a graph of " +
           listText(attribute.graphs, [](const onnx::Graph &graph) { return std::to_string(graph.nodes.size()); }) +
           " nodes";
  default:
    return std::string(attributeKindName(attribute.kind));
  }
}

static Json factTexts(const std::vector<onnx::Fact> &facts, const std::vector<std::string_view> &names) {
  Json list = Json::array();
  for (size_t i = 0; i < facts.size(); ++i)
    list.push_back(factText(facts[i]) + (names[i].empty() ? "" : "  " + text(names[i])));
  return list;
}

static Json nodeRecord(const NodeCoverage &covered) {
  const onnx::Node &node = *covered.node;
  Json results = Json::array();
  for (const onnx::Fact &fact : covered.results)
    results.push_back(factText(fact));
  Json record = {{"op", text(node.qualifiedOp())},
                 {"name", text(node.name)},
                 {"number", node.index},
                 {"kind", coverageKindName(covered.kind)},
                 {"operands", factTexts(covered.operands, node.inputs)},
                 {"results", std::move(results)}};
  if (covered.contract)
    record["contract"] = covered.contract->opType + (covered.isCertain ? "" : ", if types and shapes fit");
  if (covered.kind == NodeCoverage::Missing) {
    record["reason"] = covered.reason;
    record["supply"] = covered.supply;
  }
  for (const onnx::Attribute &attribute : node.attributes)
    record["attributes"][text(attribute.name)] = attributeText(attribute);
  return record;
}

namespace {
/// The nodes and edges of the page: inputs, nodes of the graph, outputs.
class PageGraph {
public:
  PageGraph(const onnx::Model &model, const onnx::Coverage &coverage) {
    for (const onnx::Value &input : model.graph.inputs)
      addEnd(input, /*isInput=*/true);
    for (const NodeCoverage &covered : coverage.nodes) {
      if (!covered.function.empty())
        continue;
      if (covered.depth == 0)
        addNode(covered);
      else if (!nodes.empty())
        // Values that a node of a subgraph reads outside count as reads of the subgraph's owner.
        connect(covered.node->inputs, owner);
    }
    for (const onnx::Value &output : model.graph.outputs)
      addEnd(output, /*isInput=*/false);
  }

  Json take(GraphLayout layout) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      nodes[i]["layer"] = layout.layers[i];
      nodes[i]["place"] = layout.places[i];
    }
    Json list = Json::array();
    for (auto [from, to] : edges)
      list.push_back({from, to});
    return {{"left", layout.left},
            {"right", layout.right},
            {"depth", layout.depth},
            {"nodes", std::move(nodes)},
            {"edges", std::move(list)}};
  }
  GraphLayout layout() const { return layoutGraph(nodes.size(), {edges.begin(), edges.end()}); }

private:
  void connect(const std::vector<std::string_view> &names, size_t reader) {
    for (std::string_view name : names)
      if (auto writer = writers.find(name); writer != writers.end() && writer->second < reader)
        edges.emplace(writer->second, reader);
  }
  void addNode(const NodeCoverage &covered) {
    owner = nodes.size();
    connect(covered.node->inputs, owner);
    nodes.push_back(nodeRecord(covered));
    for (std::string_view name : covered.node->outputs)
      if (!name.empty())
        writers[name] = owner;
  }
  void addEnd(const onnx::Value &value, bool isInput) {
    onnx::Fact fact;
    if (value.type && value.type->kind == onnx::Type::Tensor) {
      fact.type = value.type->element;
      if (value.type->hasRank)
        fact.shape = value.type->shape;
    }
    if (!isInput)
      connect({value.name}, nodes.size());
    else
      writers[value.name] = nodes.size();
    nodes.push_back({{"op", text(value.name)},
                     {"name", isInput ? "input" : "output"},
                     {"kind", "end"},
                     {"operands", Json::array()},
                     {"results", {factText(fact)}}});
  }

  std::vector<Json> nodes;
  std::set<std::pair<size_t, size_t>> edges;
  std::unordered_map<std::string_view, size_t> writers;
  size_t owner = 0;
};
} // namespace

std::string modelPage(const onnx::Model &model, const onnx::Coverage &coverage) {
  PageGraph graph(model, coverage);
  Json data = graph.take(graph.layout());
  size_t missing = coverage.count(NodeCoverage::Missing);
  data["title"] = text(std::filesystem::path(model.path).filename().string());
  data["verdict"] = std::to_string(coverage.nodes.size()) + " nodes, opset " + std::to_string(model.opset({})) + "; " +
                    (missing == 0 ? std::string("each has a contract, or needs none")
                                  : "no contract computes " + std::to_string(missing) + " of them");
  return htmlPage({std::begin(kPageFiles), std::end(kPageFiles)}, "model.html", data);
}

} // namespace opc::tool
