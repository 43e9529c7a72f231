#include "lowering/cpu/vector/VectorKernels.h"

using namespace llvm;

namespace opc::cpu {

Function *addVectorKernel(Module &module, mlir::func::FuncOp function, ArrayRef<KernelField> fields,
                          ArrayRef<std::string> tensorNames, const CpuLevel &level) {
  LLVMContext &context = module.getContext();
  std::optional<FusedKernel> kernel = FusedKernel::read(function, tensorNames, context);
  if (!kernel)
    return nullptr;
  Type *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getInt32Ty(context),
                                 {PointerType::getUnqual(context), i64, i64}, false);
  Function *entry = Function::Create(type, GlobalValue::InternalLinkage,
                                     "entry." + kernel->name + "." + level.shortName, module);
  entry->addFnAttr("target-cpu", level.cpu);
  entry->addFnAttr("target-features", level.features);
  entry->addFnAttr("prefer-vector-width", std::to_string(level.vectorBits));
  CodeBuilder b(entry, level);
  Frame frame(b, *kernel, fields);
  bool emitted = true;
  bool built = frame.build([&] {
    switch (kernel->kind) {
    case FusedKernel::Kind::Elementwise:
      emitElementwise(b, *kernel, frame);
      break;
    case FusedKernel::Kind::Rows:
    case FusedKernel::Kind::ReduceRows:
      emitted = emitRows(b, *kernel, frame);
      break;
    case FusedKernel::Kind::ReduceColumns:
      emitted = emitColumns(b, *kernel, frame);
      break;
    }
  });
  return built && emitted ? entry : nullptr;
}

} // namespace opc::cpu
