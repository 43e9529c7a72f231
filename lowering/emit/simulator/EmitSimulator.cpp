// The program as a whole, and control flow.
//
//     iv = lower                      condition = lower-level code
//   head:                             jump_if_zero condition, else
//     more = lt iv, upper             ...then...
//     jump_if_zero more, end          results = then's values
//     ...body...                      jump end
//     carried = yielded             else: ...
//     iv = add iv, step             end:
//     jump head
//   end:

#include "lowering/emit/simulator/Emitter.h"

using namespace mlir;
using namespace opc;

FailureOr<SimulatorProgram> SimulatorEmitter::emit() {
  program.kernel = interface.name;
  program.target = std::string(target.name());
  program.numTensors = static_cast<uint16_t>(interface.tensors.size());
  program.tilingData = interface.fields;
  if (failed(emitArguments()) || failed(emitBlock(kernel.getBody().front())))
    return failure();
  if (!code.finish(program))
    return kernel.emitOpError("[simulator_c5] expects a kernel that needs at most 65534 registers");
  if (std::string problem = checkProgram(program); !problem.empty())
    return kernel.emitOpError("[simulator_c1] expects instructions that the chip has: ") << problem;
  return std::move(program);
}

LogicalResult SimulatorEmitter::emitArguments() {
  uint16_t tensor = 0;
  size_t field = interface.fields.size() - interface.launchAttributes.size();
  for (Value argument : kernel.getArguments()) {
    auto memref = dyn_cast<MemRefType>(argument.getType());
    if (!memref) {
      define(argument, Term::inRegister(code.compute(ScalarOp::Param, 0, 0, static_cast<int64_t>(field++))));
      continue;
    }
    View view;
    view.space = ProgramOperand::GM;
    view.owner = tensor;
    view.type = interface.tensors[tensor++].type;
    view.strides = {Term::constant(elementSize(view.type))};
    view.sizes = {std::nullopt};
    if (memref.hasStaticShape())
      view.sizes = {Term::constant(memref.getDimSize(0))};
    views[argument] = view;
  }
  return success();
}

LogicalResult SimulatorEmitter::emitBlock(Block &block) {
  for (Operation &op : block)
    if (failed(emitOp(&op)))
      return failure();
  return success();
}

LogicalResult SimulatorEmitter::emitOp(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return success();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  if (auto pipeOp = dyn_cast<aicore::PipeOpInterface>(op))
    return emitPipeOp(pipeOp);
  bool handled = false;
  if (LogicalResult result = emitScalarOp(op, handled); handled)
    return result;
  if (LogicalResult result = emitViewOp(op, handled); handled)
    return result;
  return op->emitOpError("[simulator_c1] expects ops that the scalar unit and the pipes have, found '")
         << op->getName() << "'";
}

FailureOr<SmallVector<uint16_t>> SimulatorEmitter::carriedRegisters(Operation *op, ValueRange values) {
  SmallVector<uint16_t> registers;
  for (Value value : values) {
    if (isa<MemRefType>(value.getType()))
      return op->emitOpError("[simulator_c4] expects tiles that are views of one buffer or tensor, found ")
             << value.getType() << " carried by '" << op->getName() << "'";
    registers.push_back(code.newRegister());
    define(value, Term::inRegister(registers.back()));
  }
  return registers;
}

// Reads all values before it writes any, since a loop may swap the values that it carries.
LogicalResult SimulatorEmitter::carry(ValueRange from, ArrayRef<uint16_t> to) {
  SmallVector<uint16_t> values;
  for (Value value : from) {
    uint16_t source = registerOf(value);
    if (to.size() > 1 && llvm::is_contained(to, source)) {
      uint16_t saved = code.newRegister();
      code.copy(saved, source);
      source = saved;
    }
    values.push_back(source);
  }
  for (auto [source, destination] : llvm::zip_equal(values, to))
    code.copy(destination, source);
  return success();
}

LogicalResult SimulatorEmitter::emitFor(scf::ForOp loop) {
  if (!loop.getInductionVar().getType().isIndex() || loop.getUnsignedCmp())
    return loop.emitOpError("[simulator_c1] expects a loop over index with a signed comparison");
  uint16_t counter = code.newRegister();
  code.copy(counter, registerOf(loop.getLowerBound()));
  uint16_t upper = registerOf(loop.getUpperBound()), step = registerOf(loop.getStep());
  define(loop.getInductionVar(), Term::inRegister(counter));
  auto carried = carriedRegisters(loop, loop.getRegionIterArgs());
  if (failed(carried) || failed(carry(loop.getInitArgs(), *carried)))
    return failure();

  ScalarCode::Label head = code.newLabel(), end = code.newLabel();
  code.place(head);
  code.jumpIfZero(code.compute(ScalarOp::Lt, counter, upper), end);
  if (failed(emitBlock(*loop.getBody())) || failed(carry(loop.getYieldedValues(), *carried)))
    return failure();
  code.append(ScalarOp::Add, counter, counter, step);
  code.jump(head);
  code.place(end);
  for (auto [result, reg] : llvm::zip_equal(loop.getResults(), *carried))
    define(result, Term::inRegister(reg));
  return success();
}

LogicalResult SimulatorEmitter::emitIf(scf::IfOp branch) {
  auto results = carriedRegisters(branch, branch.getResults());
  if (failed(results))
    return failure();
  ScalarCode::Label otherwise = code.newLabel(), end = code.newLabel();
  code.jumpIfZero(registerOf(branch.getCondition()), otherwise);
  if (failed(emitBlock(*branch.thenBlock())) || failed(carry(branch.thenYield().getOperands(), *results)))
    return failure();
  code.jump(end);
  code.place(otherwise);
  if (Block *block = branch.elseBlock())
    if (failed(emitBlock(*block)) || failed(carry(branch.elseYield().getOperands(), *results)))
      return failure();
  code.place(end);
  return success();
}

FailureOr<SimulatorProgram> opc::emitSimulatorProgram(func::FuncOp kernel, const Target &target) {
  FailureOr<KernelInterface> interface = readKernelInterface(kernel);
  if (failed(interface))
    return failure();
  return emitSimulatorProgram(kernel, *interface, target);
}

FailureOr<SimulatorProgram> opc::emitSimulatorProgram(func::FuncOp kernel, const KernelInterface &interface,
                                                      const Target &target) {
  if (kernel.isExternal() || !kernel.getBody().hasOneBlock())
    return kernel.emitOpError("[simulator_c1] expects a kernel of one block with structured control flow");
  return SimulatorEmitter(kernel, interface, target).emit();
}
