// Translates diagnostics of stages after the phase `bound` to terms of the te body.
//
// Those stages process loops, buffers and intrinsics. An author knows te operations on tensors with the contract's
// types. Each value of a lowered kernel keeps the location of the operation that it comes from, so that the
// operation, with its types in the current type row, can be found:
//
//   [place_c1] ... it has no 'vabs' of i32        te.abs of int32: Ascend310B1 does not compute it
//
// A refusal that is not a limit of a device is a bug in the compiler; it is reported as such, with the rule that broke.

#ifndef OPC_LOWERING_PIPELINES_OPERATOR_TETERMS_H
#define OPC_LOWERING_PIPELINES_OPERATOR_TETERMS_H

#include "ops/contract/Contract.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace opc {

class TeTerms {
public:
  /// `module`: the imported instances. `contract`: with the name that kernels have. `target`: the name of the chip.
  TeTerms(mlir::ModuleOp module, const Contract &contract, const ContractBody &body, std::string target);

  /// Translates the record. Records that already are in the author's terms are not changed. `atWork` is the instance
  /// that the stage was working on, for records that do not name it; may be empty.
  Diagnostic translate(Diagnostic record, const std::string &atWork = {}) const;

private:
  /// An operation of the body in an instance.
  struct Operation {
    std::string name;              ///< "te.cast"
    std::vector<std::string> from; ///< types of its operands, without duplicates: "float32"
    std::string to;                ///< type of its result
    std::string mode;              ///< "round nearest_away", "lt"
    bool ofScalars = false;        ///< it has operands, but no tensors
  };

  const Operation *find(const std::string &kernel, const Location &place) const;
  std::string textOf(const Operation &operation) const;
  std::string fixOf(const Operation &operation) const;
  Note noteOf(const std::string &kernel) const;
  Location placeIn(const Location &place) const;

  const Contract &contract;
  std::string path, target;
  std::map<std::tuple<std::string, unsigned, unsigned>, Operation> operations;
  std::map<std::string, std::pair<unsigned, std::string>> kernels; ///< type row and shape key
  std::map<std::string, Location> functions;
};

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_OPERATOR_TETERMS_H
