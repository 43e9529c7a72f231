#include "lowering/cpu/vector/VectorKernels.h"

#include "dialect/te/InstanceNote.h"

#include "lowering/cpu/vector/Walk.h"

using namespace llvm;

namespace opc::cpu {

Function *addVectorKernel(Module &module, mlir::func::FuncOp function, ArrayRef<KernelField> fields,
                          ArrayRef<std::string> tensorNames, const CpuLevel &level) {
  LLVMContext &context = module.getContext();
  te::InstanceNote note(function);
  std::optional<FusedKernel> kernel = FusedKernel::read(function, tensorNames, context);
  if (!kernel)
    return nullptr;
  if (kernel->kind == FusedKernel::Kind::Elementwise)
    return addElementwise(module, *kernel, fields, level);
  Type *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getInt32Ty(context), {PointerType::getUnqual(context), i64, i64}, false);
  Function *entry = newFunction(module, "entry." + kernel->name + "." + level.shortName, type, level);
  CodeBuilder b(entry, level);
  Frame frame(b, *kernel, fields);
  bool emitted = true;
  bool built = frame.build([&] {
    if (kernel->kind == FusedKernel::Kind::Contraction)
      emitted = emitContraction(b, *kernel, frame);
    else if (kernel->itemLoop() == 2)
      emitted = emitColumns(b, *kernel, frame);
    else
      emitted = emitRows(b, *kernel, frame);
  });
  return built && emitted ? entry : nullptr;
}

} // namespace opc::cpu
