// Rule 42: extra test shapes name the inputs and obey the symbolic shapes.

#include "ops/contract/read/Parts.h"

#include "ops/contract/Shapes.h"

namespace opc {

static void checkTestShape(ContractErrors &errors, Contract &contract, const DraftTestShape &shape) {
  ContractTestShape result;
  result.location = shape.location;
  result.inputs.resize(contract.inputs.size());
  std::vector<std::string> names;
  for (const ContractTensor &input : contract.inputs)
    names.push_back(input.name);
  bool ok = true;
  for (const DraftTestShape::Input &given : shape.inputs) {
    size_t index = 0;
    while (index < names.size() && names[index] != given.name)
      ++index;
    if (index == names.size()) {
      errors.report(ContractRule::TestShape, given.location,
                    "expects the name of an input in a test shape, found '" + printable(given.name, 60) + "'",
                    suggest(given.name, names));
      ok = false;
      continue;
    }
    result.inputs[index] = given.shape;
  }
  if (!ok)
    return;
  ShapeBinding binding;
  std::string reason = bindShapes(contract, result.inputs, binding);
  if (!reason.empty())
    errors.report(ContractRule::TestShape, shape.location, "expects shapes that the contract admits: " + reason);
  contract.testShapes.push_back(std::move(result));
}

void checkTestShapes(ContractErrors &errors, ContractDraft &draft) {
  for (const DraftTestShape &shape : draft.testShapes)
    checkTestShape(errors, draft.contract, shape);
}

} // namespace opc
