// Finds which nodes of a model the given contracts compute, and why they do not compute the others, for `opc
// model check`.
//
// Types and shapes are propagated from node to node: those in the file, and those that follow from contracts.

#ifndef OPC_OPS_ONNX_COVERAGE_COVERAGE_H
#define OPC_OPS_ONNX_COVERAGE_COVERAGE_H

#include "ops/onnx/coverage/Match.h"

#include <unordered_map>

namespace opc::onnx {

/// Contracts by the ONNX operators that they compute. A user's operator comes before one of the library, a specific one
/// before a general one: the first match is used.
class FormIndex {
public:
  struct Entry {
    const Contract *contract;
    const ContractOnnxForm *form;
    bool ofUser;
  };
  void add(const Contract &contract, bool ofUser);
  /// The contracts for ONNX's `op` in a domain: the user's first, then those with fewer packs ("...S") in their inputs,
  /// then those with fewer different dimensions, then by the name of the contract. So a product with one matrix on the
  /// right comes before one with a batch of them, and parts of one length before parts of several.
  const std::vector<Entry> &find(std::string_view domain, std::string_view op) const;
  /// All operators that forms name: "Conv", "com.example.Conv".
  std::vector<std::string> operators() const;

private:
  std::map<std::pair<std::string, std::string>, std::vector<Entry>, std::less<>> entries;
};

struct NodeCoverage {
  enum Kind : uint8_t {
    Library,  ///< a contract of opc's library
    User,     ///< a contract of the user
    View,     ///< no byte changes: no kernel is needed
    Constant, ///< known before the model runs, once shapes are
    Call, ///< of a function of the model, whose nodes are listed; an If, whose branches are part of the graph around it
    Parts, ///< simpler nodes, each computed by a contract
    Host,  ///< a function of the runtime on the processor of the host
    Missing,
  };
  Kind kind = Missing;
  const Node *node = nullptr;
  const Contract *contract = nullptr; ///< of Library and User
  bool isCertain = false;             ///< all types and shapes were known; otherwise the match holds if they fit
  std::string reason;                 ///< of Missing: why no contract matches, or that there is none
  std::string supply;                 ///< of Missing: how to supply it
  std::vector<Fact> operands, results;
  unsigned depth = 0;   ///< subgraphs around it
  std::string function; ///< the function of the model that it is in; empty: none
};

/// "library", "user", "view", "constant", "call", "parts", "host", "missing".
std::string_view coverageKindName(NodeCoverage::Kind kind);

struct Coverage {
  std::vector<NodeCoverage> nodes; ///< of the graph, with those of subgraphs after theirs; then those of functions
  size_t count(NodeCoverage::Kind kind) const;
};

/// How to supply a node that no contract computes: operators that compute the same together, the class that opc lacks,
/// or a similar name among `operators` (FormIndex::operators).
std::string supplyOf(const Node &node, const std::vector<std::string> &operators);

Coverage coverModel(const Model &model, const FormIndex &forms);

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_COVERAGE_COVERAGE_H
