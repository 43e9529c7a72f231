// What stages behind the phase `bound` say of a te body, in terms of the body.
//
// Those stages see loops, buffers and intrinsics. An author sees operations of te on tensors of the contract's types.
// Each value of a lowered kernel keeps the place of the operation that it comes from, so that the operation, with the
// types that it has in the type row at work, is found again:
//
//   [place_c1] ... it has no 'vabs' of i32        te.abs of int32: Ascend310B1 does not compute it
//
// A refusal that is no limit of a device is a mistake of the compiler's: it says so, under the rule that broke.

#ifndef OPC_LOWERING_PIPELINES_TETERMS_H
#define OPC_LOWERING_PIPELINES_TETERMS_H

#include "ops/contract/Contract.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace opc {

class TeTerms {
public:
  /// `module`: the instances as they were imported. `contract`: under the name that kernels have. `target`: the chip's.
  TeTerms(mlir::ModuleOp module, const Contract &contract, const ContractBody &body, std::string target);

  /// The record in terms of the body. Records that are in words already stay as they are. `atWork`: the instance that
  /// the stage worked on, where the record does not say it; may be empty.
  Diagnostic translate(Diagnostic record, const std::string &atWork = {}) const;

private:
  /// An operation of the body in one instance.
  struct Operation {
    std::string name;              ///< "te.cast"
    std::vector<std::string> from; ///< types of its operands, each once: "float32"
    std::string to;                ///< of its result
    std::string mode;              ///< "round nearest_away", "lt"
    bool ofScalars = false;        ///< it has operands, and none is a tensor
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

#endif // OPC_LOWERING_PIPELINES_TETERMS_H
