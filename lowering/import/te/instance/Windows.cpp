#include "lowering/import/te/instance/Windows.h"

#include "dialect/te/TeOps.h"
#include "ops/contract/Shapes.h"
#include "ops/contract/domain/Contraction.h"
#include "runtime/diagnostic/Diagnostic.h"

using namespace mlir;

namespace opc {

using te::TeDialect;
using te::WindowOp;

static std::string listOf(const WindowedInput &windows) {
  std::string names;
  for (const AxisWindow &axis : windows.axes)
    names += (names.empty() ? "" : ", ") + axis.over.name;
  return names;
}

/// window_c1 for one op.
static LogicalResult checkWindow(WindowOp window, const Contract &contract,
                                 const std::optional<WindowedInput> &windows) {
  auto argument = dyn_cast<BlockArgument>(window.getOperand());
  bool isInput = argument && argument.getArgNumber() < contract.inputs.size();
  if (!windows) {
    InFlightDiagnostic error = window.emitOpError("[window_c1] expects a dimension of the contract that is the places "
                                                  "of a window over one of an input, found none");
    error.attachNote() << "fix: 'window: {over: H, size: KH}' of a dimension in 'dimensions'";
    return error;
  }
  const std::string &name = contract.inputs[windows->tensor].name;
  SmallVector<StringRef> found(window.getDims().getAsValueRange<StringAttr>());
  bool isWhole = found.size() == windows->axes.size();
  for (auto [dim, axis] : llvm::zip(found, windows->axes))
    isWhole &= dim == axis.over.name;
  if (isInput && argument.getArgNumber() == windows->tensor && isWhole)
    return success();
  InFlightDiagnostic error = window.emitOpError("[window_c1] expects input '")
                             << name << "' as it is, over all dimensions over which the contract has windows, found "
                             << (isInput ? "'" + contract.inputs[argument.getArgNumber()].name + "'" : "another value")
                             << " over '" << llvm::join(found, ", ") << "'";
  error.attachNote() << "fix: 'te.window %" << name << " over " << listOf(*windows) << "'";
  return error;
}

/// A mean is divided by the number of elements of a window: the sum of ones over it, since padding does not count.
static void countElements(te::ReduceMeanOp mean) {
  OpBuilder builder(mean);
  mlir::Location at = mean.getLoc();
  Value operand = mean.getOperand();
  Value one = te::ConstantOp::create(builder, at, builder.getF64FloatAttr(1.0),
                                     TypeAttr::get(te::elementOf(operand.getType())));
  Value ones = te::BroadcastOp::create(builder, at, one, operand, TypeAttr());
  Value sum = te::ReduceSumOp::create(builder, at, operand, mean.getAxes(), mean.getKeep());
  Value count = te::ReduceSumOp::create(builder, at, ones, mean.getAxes(), mean.getKeep());
  mean.replaceAllUsesWith(te::DivOp::create(builder, at, sum, count).getResult());
  mean.erase();
}

LogicalResult takeWindows(func::FuncOp function, const Contract &contract, const ShapeKey &key) {
  std::string reason;
  const std::optional<WindowedInput> windows = windowsOf(contract, reason);
  if (windows) {
    for (Operation *user : function.getArgument(unsigned(windows->tensor)).getUsers()) {
      if (isa<WindowOp>(user))
        continue;
      const std::string &name = contract.inputs[windows->tensor].name;
      InFlightDiagnostic error = user->emitOpError("[window_c2] expects windows of '")
                                 << name << "', which the contract has over '" << listOf(*windows) << "'";
      error.attachNote() << "fix: '%windows = te.window %" << name << " over " << listOf(*windows) << "'";
      return error;
    }
  }
  for (Operation &op : llvm::make_early_inc_range(function.front())) {
    auto window = dyn_cast<WindowOp>(op);
    if (!window)
      continue;
    if (failed(checkWindow(window, contract, windows)))
      return failure();
    window.getResult().replaceAllUsesWith(window.getOperand());
    window.erase();
  }
  if (!windows || key.isResident)
    return success();
  for (Operation &op : llvm::make_early_inc_range(function.front()))
    if (auto mean = dyn_cast<te::ReduceMeanOp>(op))
      countElements(mean);
  SmallVector<int64_t> steps;
  // Windows over one dimension are over planes of one row.
  if (windows->axes.size() == 1)
    steps.append({1, 1, 0});
  for (const AxisWindow &axis : windows->axes)
    steps.append({axis.stride, axis.dilation, axis.padBegin});
  // Filters that do not share their windows: each has its own channels.
  std::optional<Domain> domain = domainOf(contract, reason);
  if (std::optional<Contraction> product = domain ? contractionOf(contract, *domain, reason) : std::nullopt;
      product && product->m.dims.empty())
    steps.push_back(1);
  function.setArgAttr(unsigned(windows->tensor), TeDialect::kWindowAttr,
                      Builder(function.getContext()).getDenseI64ArrayAttr(steps));
  return success();
}

} // namespace opc
