#include "ops/onnx/coverage/Operators.h"

#include <algorithm>

namespace opc::onnx {

const std::vector<KnownOperator> &knownOperators() {
  static const std::vector<KnownOperator> operators = {
#define OPC_ONNX_OPERATOR(NAME, TYPE, CLASS, COMPOSITION)                                                              \
  {#NAME, KnownOperator::TYPE, KnownOperator::CLASS, COMPOSITION},
#include "ops/onnx/coverage/Operators.def"
#undef OPC_ONNX_OPERATOR
  };
  return operators;
}

const KnownOperator *findOperator(std::string_view name) {
  const std::vector<KnownOperator> &operators = knownOperators();
  // The table is sorted by name.
  auto found = std::lower_bound(operators.begin(), operators.end(), name,
                                [](const KnownOperator &each, std::string_view wanted) { return each.name < wanted; });
  return found != operators.end() && found->name == name ? &*found : nullptr;
}

std::string_view className(KnownOperator::Class kind) {
  switch (kind) {
  case KnownOperator::Element:
    return "compositions";
  case KnownOperator::View:
    return "views";
  case KnownOperator::Constant:
    return "constants";
  case KnownOperator::Control:
    return "control flow";
  case KnownOperator::Recurrent:
    return "scan";
  case KnownOperator::Product:
    return "matrix products";
  case KnownOperator::Window:
    return "windows";
  case KnownOperator::Layout:
    return "layout";
  case KnownOperator::Index:
    return "index";
  case KnownOperator::Order:
    return "order";
  case KnownOperator::Prefix:
    return "scan";
  case KnownOperator::Random:
    return "random numbers";
  case KnownOperator::Bits:
    return "bits";
  case KnownOperator::Data:
    return "texts and sequences";
  case KnownOperator::Transform:
    return "transforms";
  }
  return {};
}

} // namespace opc::onnx
