// The steps of a match (Match.h): whether a node is one of a contract's form, and the values that it gives the
// contract's attributes.

#ifndef OPC_OPS_ONNX_COVERAGE_MATCHER_H
#define OPC_OPS_ONNX_COVERAGE_MATCHER_H

#include "ops/onnx/coverage/Match.h"

#include <map>

namespace opc::onnx {

/// A name of a model for a message.
std::string quoted(std::string_view name);

class Matcher {
public:
  Matcher(const Contract &contract, const ContractOnnxForm &form, const Model &model, const Node &node,
          const std::vector<Fact> &operands, const std::vector<Fact> &results)
      : contract(contract), form(form), model(model), node(node), operands(operands), results(results) {}

  Match run(int64_t opset);

private:
  bool no(std::string why) {
    reason = std::move(why);
    return false;
  }
  bool checkOpset(int64_t opset);
  bool checkOperands();
  bool checkPresence();
  bool checkConstant(size_t i, const ContractOnnxOperand &operand);
  bool checkResults();
  bool checkAttributes();
  bool checkAttribute(const ContractOnnxAttribute &expected, const Attribute *found);
  bool checkContractAttribute(const ContractOnnxAttribute &expected, const Attribute *found);
  bool giveDefault(const ContractOnnxAttribute &expected, const ContractAttribute &attribute);
  bool checkAxis(const ContractOnnxAttribute &expected, const Attribute *found);
  bool chooseRow(Match &match);
  bool typesKnown = false;
  bool rowFits(unsigned row, bool &certain) const;
  bool bindValues();
  bool checkRanks();
  bool inferShapes(Match &match);
  std::string typesOfNode() const;
  /// Values of the contract's attributes in this node, for equations of shapes and for reduced axes.
  void give(const std::string &attribute, AttributeValue value) { values[attribute] = std::move(value); }
  AttributeValue valueOf(const std::string &attribute) const;

  const Contract &contract;
  const ContractOnnxForm &form;
  const Model &model;
  const Node &node;
  const std::vector<Fact> &operands, &results;
  std::string reason;
  const Contract *bound = nullptr;
  Contract withValues;
  std::map<std::string, AttributeValue> values;
  std::map<std::string, size_t> operandOf; ///< of inputs of the contract
  std::optional<ElementType> demandedType; ///< of an output, by an attribute
  std::string demandedOutput;
};

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_COVERAGE_MATCHER_H
