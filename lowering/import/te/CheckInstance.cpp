#include "lowering/import/te/CheckInstance.h"

#include "dialect/te/TeOps.h"
#include "lowering/import/Bind.h"
#include "lowering/import/Order.h"
#include "ops/contract/Places.h"
#include "ops/contract/check/Devices.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace opc {

LogicalResult checkTopLevel(ModuleOp parsed, const Contract &contract) {
  bool good = true;
  for (Operation &op : *parsed.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function || function.isExternal()) {
      op.emitOpError("[bind_c9] expects a body to hold functions only, each with its text in braces");
      good = false;
    } else {
      good &= hasServingName(function, contract, "function");
    }
  }
  return success(good);
}

/// bind_c18: the generic form has the axes of tensors, which are not those of the contract, and has no names.
static LogicalResult checkForm(func::FuncOp function, StringRef text) {
  Operation *generic = isGeneric(function, text) ? function.getOperation() : nullptr;
  for (Operation &op : function.front())
    if (isa<te::ReductionOpInterface, te::MatmulOp>(op) && isGeneric(&op, text))
      generic = &op;
  if (!generic)
    return success();
  InFlightDiagnostic error =
      emitError(generic->getLoc(), "[bind_c18] expects the form of te, found the generic one, with "
                                   "the operation's name in quotes");
  error.attachNote() << "fix: as 'func.func @name(%x: !x) -> !y {' and '%m = te.reduce_max %x axes "
                        "[-1] keep'";
  return error;
}

/// bind_c20: an input in fractals is the right matrix of a product on the cube, or the filters of windows.
static LogicalResult checkPacked(func::FuncOp function, const Contract &contract, unsigned typeRow) {
  const std::optional<size_t> packed = contract.packedInput(typeRow);
  if (!packed)
    return success();
  std::string why = whyNotPacked(contract, *contract.findBody(BodyLevel::Te), typeRow);
  const auto isPacked = [&](Value operand) {
    auto argument = dyn_cast<BlockArgument>(operand);
    return argument && argument.getArgNumber() == *packed;
  };
  for (te::MatmulOp product : function.front().getOps<te::MatmulOp>())
    if (why.empty() && llvm::none_of(product->getOperands(), isPacked))
      why = "a body that computes its right operand, whose rows the vector unit loads";
  if (why.empty())
    return success();
  const ContractTensor &input = contract.inputs[*packed];
  const bool isFilters = input.packedForm(typeRow) == PackedForm::Filters;
  InFlightDiagnostic error = function.emitError("[bind_c20] expects ")
                             << formatOf(input.packedForm(typeRow)) << " of the "
                             << (isFilters ? "filters of windows" : "right matrix of a product")
                             << " that the AI Core multiplies, found " << why;
  error.attachNote() << "fix: 'formats: ND' of '" << input.name << "', or a body of 'te.matmul' "
                     << (isFilters ? "of it and windows, as 'w: [M, C, KH, KW]'"
                                   : "with it on the right, as 'b: [K, N]', 'b: [N, K]' or '[...S, K, N]'");
  return error;
}

/// bind_c23: a result with all dimensions of its input, whose axes a launch gives, depends on a reduction of them.
static LogicalResult checkReduces(func::FuncOp function, const Contract &contract) {
  const auto output = llvm::find_if(contract.outputs,
                                    [](const ContractTensor &output) { return output.reduces && !output.isReduced(); });
  const bool reducesAny =
      llvm::any_of(function.front(), [](Operation &op) { return isa<te::ReductionOpInterface>(op); });
  if (output == contract.outputs.end() || reducesAny)
    return success();
  InFlightDiagnostic error = function.emitError("[bind_c23] expects a body that reduces the axes of '")
                             << output->reduces->axes << "', which 'reduces' of '" << output->name
                             << "' names, found none that does";
  error.attachNote() << "fix: reduce them, as 'te.reduce_max %" << output->reduces->input
                     << " axes #axes keep' does; or remove 'reduces' from the contract";
  return error;
}

/// bind_c19 of a product of which the cube cannot read an operand as it lies: the vector unit computes one operand in
/// UB, for the cube, and none beside windows.
static LogicalResult checkOperands(te::MatmulOp product, bool isOfWindows, const ContractBody &body) {
  const auto isComputed = [](Value operand) {
    return operand.getDefiningOp() && !isa<te::WindowOp>(operand.getDefiningOp());
  };
  const OperandRange operands = product->getOperands();
  if (!llvm::all_of(operands, isComputed) && !(isOfWindows && llvm::any_of(operands, isComputed)))
    return success();
  InFlightDiagnostic error =
      product.emitOpError("[bind_c19] expects a contract that compiles this body for the CPU alone")
      << (isOfWindows ? ": the cube of the AI Core multiplies windows by filters as they lie in memory, and this "
                        "body computes its filters"
                      : ", or an operand that is an input: the AI Core computes one of both, and this body "
                        "computes both");
  error.attachNote() << "fix: 'devices: cpu' below 'file: " << body.file
                     << "' in the contract; or an operator of its own for what comes before the product";
  return error;
}

/// bind_c19: the contract states that a body has no kernel for the AI Core, so that a user does not first learn it at
/// a launch.
static LogicalResult checkDevices(func::FuncOp function, const Contract &contract, unsigned typeRow) {
  const ContractBody &body = *contract.findBody(BodyLevel::Te);
  if (body.devicesOf(typeRow) == BodyDevices::Cpu)
    return success();
  const bool isOfWindows = !function.front().getOps<te::WindowOp>().empty();
  for (te::MatmulOp product : function.front().getOps<te::MatmulOp>()) {
    if (failed(checkOperands(product, isOfWindows, body)))
      return failure();
    if (!aicoreRowsOf(contract, body).empty())
      continue;
    InFlightDiagnostic error =
        product.emitOpError("[bind_c19] expects a contract that compiles this body for the CPU alone")
        << (isOfWindows ? ", or filters whose elements follow each other in the order of the windows' dimensions: "
                          "'w: [M, C, KH, KW]'"
                        : ", or a type row that the cube of the AI Core multiplies: float16, bfloat16, or int8 with "
                          "the left matrix along the sum, as [M, K]");
    error.attachNote() << "fix: 'devices: cpu' below 'file: " << body.file << "' in the contract";
    return error;
  }
  return success();
}

/// Limit for the operations of a body; those of the library have about a dozen.
static constexpr size_t kMaxOperations = 4096;

LogicalResult checkCount(func::FuncOp function) {
  if (size_t count = function.front().getOperations().size(); count > kMaxOperations)
    return function.emitOpError("[bind_c14] expects at most ") << kMaxOperations << " operations, found " << count;
  return success();
}

LogicalResult checkInstance(func::FuncOp function, StringRef text, const Contract &contract, unsigned typeRow) {
  return success(succeeded(checkForm(function, text)) && succeeded(checkReduces(function, contract)) &&
                 succeeded(checkDevices(function, contract, typeRow)) &&
                 succeeded(checkPacked(function, contract, typeRow)));
}

} // namespace opc
