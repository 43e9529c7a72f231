// Facts about ONNX operators by name, for operators without a contract.

#ifndef OPC_OPS_ONNX_COVERAGE_OPERATORS_H
#define OPC_OPS_ONNX_COVERAGE_OPERATORS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opc::onnx {

struct KnownOperator {
  enum Result : uint8_t { Same, Bool, Int64, Unknown };
  enum Class : uint8_t {
    Element,  ///< element by element, or along rows
    View,     ///< the result has the bytes of the first operand
    Constant, ///< known when shapes are
    Control,
    Recurrent,
    Product,
    Window,
    Layout,
    Index,
    Order,
    Prefix,
    Random,
    Bits,
    Data,
    Transform,
  };
  std::string_view name;
  Result result; ///< the type of the first result
  Class kind;
  std::string_view composition; ///< ONNX operators that compute the same together; empty: none
};

const std::vector<KnownOperator> &knownOperators();
/// Finds an operator of ONNX's own domain; nullptr for other names.
const KnownOperator *findOperator(std::string_view name);
/// The row of docs/reference/scope.md for a class that opc lacks: "windows".
std::string_view className(KnownOperator::Class kind);

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_COVERAGE_OPERATORS_H
