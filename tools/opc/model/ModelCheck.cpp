#include "tools/opc/model/ModelCheck.h"

#include "ops/contract/check/Devices.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/text/TextTable.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <tuple>

namespace opc::tool {

using Json = nlohmann::ordered_json;
using onnx::NodeCoverage;

static constexpr size_t kMostTypes = 4;

std::vector<CoverageRow> coverageRows(const onnx::Coverage &coverage) {
  std::map<std::tuple<std::string, NodeCoverage::Kind, std::string, std::string>, size_t> places;
  std::vector<CoverageRow> rows;
  for (const NodeCoverage &node : coverage.nodes) {
    std::string contract = node.contract ? node.contract->opType : std::string();
    auto [place, isNew] =
        places.emplace(std::tuple(node.node->qualifiedOp(), node.kind, contract, node.reason), rows.size());
    if (isNew) {
      rows.emplace_back();
      rows.back().first = &node;
      for (const onnx::Fact &fact : node.operands)
        rows.back().operandTexts.push_back(factText(fact));
    }
    CoverageRow &row = rows[place->second];
    ++row.nodes;
    row.uncertain += !node.isCertain && node.kind != NodeCoverage::Missing;
    std::string type(node.operands.empty() ? "" : elementTypeName(node.operands.front().type));
    if (node.operands.empty() || node.operands.front().type == onnx::ElementType::Undefined)
      type = "?";
    if (std::find(row.types.begin(), row.types.end(), type) == row.types.end())
      row.types.push_back(type);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const CoverageRow &a, const CoverageRow &b) {
    bool aMissing = a.first->kind == NodeCoverage::Missing, bMissing = b.first->kind == NodeCoverage::Missing;
    return std::tuple(aMissing, b.nodes) < std::tuple(bMissing, a.nodes);
  });
  return rows;
}

static std::string join(const std::vector<std::string> &texts, const char *between, size_t most) {
  std::string result;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i == most)
      return result + between + "...";
    result += (i == 0 ? "" : between) + texts[i];
  }
  return result;
}

static std::string valueText(const onnx::Value &value) {
  onnx::Fact fact;
  std::string name = printable(value.name, 40) + " ";
  if (!value.type || value.type->kind != onnx::Type::Tensor)
    return name + (value.type ? "(no tensor)" : "?");
  fact.type = value.type->element;
  if (value.type->hasRank)
    fact.shape = value.type->shape;
  return name + factText(fact);
}

static bool isInitializer(const onnx::Graph &graph, std::string_view name) {
  return std::any_of(graph.initializers.begin(), graph.initializers.end(),
                     [&](const onnx::Tensor &tensor) { return tensor.name == name; });
}

static std::vector<std::string> inputTexts(const onnx::Graph &graph) {
  std::vector<std::string> texts;
  for (const onnx::Value &input : graph.inputs)
    if (!isInitializer(graph, input.name))
      texts.push_back(valueText(input));
  return texts;
}

static std::vector<std::string> outputTexts(const onnx::Graph &graph) {
  std::vector<std::string> texts;
  for (const onnx::Value &output : graph.outputs)
    texts.push_back(valueText(output));
  return texts;
}

static std::string megabytes(uint64_t bytes) {
  return std::to_string((bytes + 50'000) / 1'000'000) + "." + std::to_string((bytes + 50'000) / 100'000 % 10) + " MB";
}

/// Whether no type row that the node can have, by its first operand, has a kernel for the AI Core.
static bool runsOnCpuAlone(const NodeCoverage &node) {
  const Contract &contract = *node.contract;
  const std::optional<ElementType> type =
      node.operands.empty() ? std::nullopt : onnx::opcType(node.operands.front().type);
  const std::vector<unsigned> rows = aicoreRowsOf(contract, contract.bodies.front());
  return std::none_of(rows.begin(), rows.end(),
                      [&](unsigned row) { return !type || contract.inputs.front().types[row] == *type; });
}

/// "by the library's 'Add'".
static std::string coveredBy(const CoverageRow &row) {
  const NodeCoverage &node = *row.first;
  std::string who = node.contract ? "'" + node.contract->opType + "' of " +
                                        (node.kind == NodeCoverage::User ? node.contract->path : "the library")
                    : node.kind == NodeCoverage::Parts ? "simpler nodes"
                                                       : std::string(coverageKindName(node.kind));
  if (node.contract && runsOnCpuAlone(node))
    who += ", on the CPU alone";
  const bool mayFit = node.contract || node.kind == NodeCoverage::Parts;
  if (row.uncertain == row.nodes && mayFit)
    return who + ", if types and shapes fit";
  return row.uncertain == 0 || !mayFit
             ? who
             : who + ", " + std::to_string(row.uncertain) + " of them if types and shapes fit";
}

static void printTables(const onnx::Model &model, const onnx::Coverage &coverage,
                        const std::vector<CoverageRow> &rows) {
  std::cout << "IR version " << model.irVersion;
  for (const onnx::OpsetImport &import : model.opsets)
    std::cout << ", " << (import.domain.empty() ? "opset" : printable(import.domain, 60)) << " " << import.version;
  if (!model.producer.empty())
    std::cout << ", by " << printable(model.producer, 60) << (model.producerVersion.empty() ? "" : " ")
              << printable(model.producerVersion, 40);
  std::cout << "\n" << coverage.nodes.size() << " nodes, " << megabytes(model.weightBytes()) << " of weights\n";
  std::cout << "inputs   " << join(inputTexts(model.graph), "; ", 16) << "\n";
  std::cout << "outputs  " << join(outputTexts(model.graph), "; ", 16) << "\n\n";
  std::vector<TextRow> covered = {{"operator", "nodes", "types", "operands of the first", "computed by"}};
  std::vector<TextRow> missing = {{"missing", "nodes", "types", "why", "what would supply it"}};
  for (const CoverageRow &row : rows) {
    std::string op = printable(row.first->node->qualifiedOp(), 60), types = join(row.types, " ", kMostTypes);
    if (row.first->kind == NodeCoverage::Missing)
      missing.push_back({op, std::to_string(row.nodes), types, row.first->reason, row.first->supply});
    else
      covered.push_back({op, std::to_string(row.nodes), types, join(row.operandTexts, ", ", 3), coveredBy(row)});
  }
  const std::vector<bool> isNumber = {false, true, false, false, false};
  if (covered.size() > 1)
    std::cout << textTable(covered, isNumber) << "\n";
  if (missing.size() > 1)
    std::cout << textTable(missing, isNumber) << "\n";
}

static void printNodes(const onnx::Coverage &coverage) {
  std::vector<TextRow> table = {{"node", "name", "operator", "operands", "results", "computed by"}};
  for (const NodeCoverage &node : coverage.nodes) {
    std::vector<std::string> operands, results;
    for (const onnx::Fact &fact : node.operands)
      operands.push_back(factText(fact));
    for (const onnx::Fact &fact : node.results)
      results.push_back(factText(fact));
    std::string place = node.function.empty() ? std::string(node.depth, '>') : printable(node.function, 40) + ":";
    table.push_back({place + "#" + std::to_string(node.node->index), printable(node.node->name, 60),
                     printable(node.node->qualifiedOp(), 60), join(operands, ", ", 8), join(results, ", ", 8),
                     node.contract ? "'" + node.contract->opType + "'" : std::string(coverageKindName(node.kind))});
  }
  std::cout << textTable(table, {false, false, false, false, false, false}) << "\n";
}

static Json factsJson(const std::vector<onnx::Fact> &facts) {
  Json list = Json::array();
  for (const onnx::Fact &fact : facts)
    list.push_back(factText(fact));
  return list;
}

static Json nodeJson(const NodeCoverage &node) {
  Json record = {{"node", node.node->index},
                 {"name", printable(node.node->name, 200)},
                 {"operator", printable(node.node->qualifiedOp(), 200)},
                 {"status", coverageKindName(node.kind)}};
  if (!node.function.empty())
    record["function"] = printable(node.function, 200);
  if (node.depth != 0)
    record["subgraph_depth"] = node.depth;
  if (node.contract)
    record["contract"] = node.contract->opType;
  record["operands"] = factsJson(node.operands);
  record["results"] = factsJson(node.results);
  return record;
}

static void printRecord(const onnx::Model &model, const onnx::Coverage &coverage, const std::vector<CoverageRow> &rows,
                        bool listNodes) {
  Json record = {{"schema_version", 1}, {"model", model.path}, {"ir_version", model.irVersion}};
  Json opsets = Json::object();
  for (const onnx::OpsetImport &import : model.opsets)
    opsets[import.domain.empty() ? "ai.onnx" : printable(import.domain, 200)] = import.version;
  record["opsets"] = std::move(opsets);
  record["producer"] = printable(model.producer, 200);
  record["inputs"] = inputTexts(model.graph);
  record["outputs"] = outputTexts(model.graph);
  record["weight_bytes"] = model.weightBytes();
  record["nodes"] = coverage.nodes.size();
  record["missing_nodes"] = coverage.count(NodeCoverage::Missing);
  Json operators = Json::array();
  for (const CoverageRow &row : rows) {
    Json one = {{"operator", printable(row.first->node->qualifiedOp(), 200)},
                {"nodes", row.nodes},
                {"status", coverageKindName(row.first->kind)},
                {"types", row.types},
                {"operands", row.operandTexts}};
    if (row.first->contract) {
      one["contract"] = row.first->contract->opType;
      one["if_types_and_shapes_fit"] = row.uncertain;
    }
    if (row.first->kind == NodeCoverage::Missing) {
      one["reason"] = row.first->reason;
      one["supply"] = row.first->supply;
    }
    operators.push_back(std::move(one));
  }
  record["operators"] = std::move(operators);
  if (listNodes) {
    Json nodes = Json::array();
    for (const NodeCoverage &node : coverage.nodes)
      nodes.push_back(nodeJson(node));
    record["node_list"] = std::move(nodes);
  }
  std::cout << writeJson(record) << '\n';
}

ExitCode reportCoverage(const onnx::Model &model, const onnx::Coverage &coverage, bool listNodes, Context &context) {
  std::vector<CoverageRow> rows = coverageRows(coverage);
  if (context.json()) {
    printRecord(model, coverage, rows, listNodes);
  } else {
    printTables(model, coverage, rows);
    if (listNodes)
      printNodes(coverage);
  }
  size_t missing = coverage.count(NodeCoverage::Missing);
  if (missing != 0)
    return context.fail(Code::E1010,
                        "expects a contract for each node, found none for " + std::to_string(missing) + " of " +
                            std::to_string(coverage.nodes.size()),
                        "contracts of your own count with --contracts=DIR");
  context.info("each of " + std::to_string(coverage.nodes.size()) + " nodes has a contract, or needs none");
  return ExitCode::Done;
}

} // namespace opc::tool
