// Whether a node is an instance of a contract: its operator, attributes, operands, types and shapes against one of the
// forms that the contract has in ONNX.

#ifndef OPC_OPS_ONNX_COVERAGE_MATCH_H
#define OPC_OPS_ONNX_COVERAGE_MATCH_H

#include "ops/contract/Contract.h"
#include "ops/onnx/Model.h"

namespace opc::onnx {

/// The known facts about a value of a model.
struct Fact {
  ElementType type = ElementType::Undefined; ///< of tensors; Undefined: not known
  std::optional<std::vector<Dim>> shape;     ///< nullopt: not even the rank is known
  const Tensor *constant = nullptr;

  /// All sizes, if they are known.
  std::optional<std::vector<int64_t>> sizes() const;
};

struct Match {
  const Contract *contract = nullptr; ///< nullptr: no match
  const ContractOnnxForm *form = nullptr;
  unsigned typeRow = 0;
  /// Whether types and shapes of all operands were known; otherwise the match holds if they fit.
  bool isCertain = false;
  std::string reason; ///< why not
  /// For each input of the contract the place of its operand in the node; nullopt: left out.
  std::vector<std::optional<size_t>> operands;
  /// Attributes of the contract that the node gives, by name. An attribute given by a constant without known elements
  /// is missing.
  std::map<std::string, AttributeValue> attributes;
  /// Facts about the node's results, as far as they follow.
  std::vector<Fact> results;
};

/// `operands` and `results` are parallel to the node's lists; omitted operands have empty facts. `opset` is the version
/// of the node's domain.
Match matchForm(const Contract &contract, const ContractOnnxForm &form, const Model &model, const Node &node,
                int64_t opset, const std::vector<Fact> &operands, const std::vector<Fact> &results);

/// "float32[1, N, ?]", "float32" without a rank, "?".
std::string factText(const Fact &fact);

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_COVERAGE_MATCH_H
