#include "lowering/import/te/Dropped.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Domain.h"
#include "ops/contract/domain/Ranges.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace opc {

namespace {

/// What a value has at a loop.
enum class Has : uint8_t {
  Nothing, ///< one element, as a parameter without these dimensions
  Kept,    ///< size 1, left by a reduction with `keep`
  Dropped, ///< reduced without `keep`
  Elements
};

using Form = SmallVector<Has, 4>;

/// The form of each value of a function.
class Forms {
public:
  explicit Forms(func::FuncOp function) {
    for (BlockArgument argument : function.getArguments())
      forms[argument] = ofType(argument.getType());
  }

  LogicalResult read(Operation &op);
  const Form &of(Value value) { return forms[value]; }

private:
  static Form ofType(Type type) {
    Form form;
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (int64_t size : tensor.getShape())
        form.push_back(size == 1 ? Has::Nothing : Has::Elements);
    return form;
  }
  /// Takes an operand into what a result has at a loop; false if they do not belong together.
  static bool take(Has &result, Has operand) {
    const Has most = std::max(result, operand), least = std::min(result, operand);
    result = most;
    return least == Has::Nothing || least == most || (least == Has::Kept && most == Has::Elements);
  }

  llvm::DenseMap<Value, Form> forms;
};

} // namespace

LogicalResult Forms::read(Operation &op) {
  for (Value result : op.getResults()) {
    Form form = ofType(result.getType());
    if (auto reduction = dyn_cast<te::ReductionOpInterface>(op)) {
      form = of(reduction.getOperand());
      for (int64_t axis : reduction.getAxes())
        form[size_t(axis)] = reduction.getKeep() ? Has::Kept : Has::Dropped;
    } else {
      for (Value operand : op.getOperands()) {
        if (of(operand).size() != form.size())
          continue;
        for (auto [has, other] : llvm::zip_equal(form, of(operand)))
          if (!take(has, other)) {
            InFlightDiagnostic error = op.emitOpError(
                "[bound_c5] expects operands whose dimensions belong together, found one without the dimensions that a "
                "reduction dropped, and one that has them");
            error.attachNote() << "fix: a reduction with 'keep' leaves dimensions where they are";
            return error;
          }
      }
    }
    forms[result] = std::move(form);
  }
  return success();
}

/// Whether the shape of an output lacks the dimensions that are reduced, which it otherwise has as 1.
static bool dropsAxes(const Domain &domain, size_t tensor) {
  return domain.tensors[tensor].size() < domain.dims.size() && !llvm::is_contained(domain.tensors[tensor], -1);
}

static LogicalResult checkResult(func::ReturnOp ret, const Contract &contract, size_t output, Form form) {
  // Of ranges: a value with the reduced dimensions is of no reduction.
  const bool takesRanges = splitsSums(contract);
  if (takesRanges && cast<RankedTensorType>(ret.getOperand(unsigned(output)).getType()).isDynamicDim(1))
    return success();
  std::string reason;
  const std::optional<Domain> known = takesRanges ? std::nullopt : domainOf(contract, reason);
  auto isOne = [](const ContractDim &dim) { return dim.kind == ContractDim::Fixed && dim.size == 1; };
  const bool drops =
      known ? dropsAxes(*known, contract.inputs.size() + output) : llvm::none_of(contract.outputs[output].shape, isOne);
  // No output has the dimensions of windows, which are further ones of the domain.
  if (known && known->windows && form.size() == known->dims.size())
    for (const AxisWindow &axis : known->windows->axes)
      for (auto [has, dim] : llvm::zip_equal(form, known->dims))
        if (dim.name == axis.size.name)
          has = Has::Nothing;
  if (!llvm::is_contained(form, drops ? Has::Kept : Has::Dropped))
    return success();
  const ContractTensor &tensor = contract.outputs[output];
  InFlightDiagnostic error =
      ret.emitError("[bind_c11] expects result ")
      << output << ", tensor '" << tensor.name << "', to be of shape " << printShape(tensor.shape) << ", found a value "
      << (drops ? "that keeps reduced dimensions as 1" : "without the dimensions that were reduced");
  error.attachNote() << "fix: a reduction without 'keep' drops its axes, with 'keep' it leaves them as 1; if the value "
                        "is right, give the output another shape in the contract";
  return error;
}

LogicalResult takeDropped(func::FuncOp function, const Contract &contract, const te::AxisFrame &frame) {
  auto reductions = function.front().getOps<te::ReductionOpInterface>();
  if (frame.reduces != te::AxisFrame::Domain || reductions.empty())
    return success();
  Forms forms(function);
  for (Operation &op : function.front().without_terminator())
    if (failed(forms.read(op)))
      return failure();
  auto ret = cast<func::ReturnOp>(function.front().getTerminator());
  // Results of another number are reported later.
  for (size_t i = 0; i < contract.outputs.size() && contract.outputs.size() == ret.getNumOperands(); ++i)
    if (failed(checkResult(ret, contract, i, forms.of(ret.getOperand(unsigned(i))))))
      return failure();
  for (te::ReductionOpInterface reduction : reductions)
    reduction.setKeep(true);
  return success();
}

} // namespace opc
