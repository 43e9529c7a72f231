#include "lowering/cpu/vector/VectorKernels.h"

#include "dialect/te/InstanceNote.h"

#include "lowering/cpu/vector/code/Walk.h"

using namespace llvm;

namespace opc::cpu {

Function *addVectorKernel(Module &module, mlir::func::FuncOp function, ArrayRef<KernelField> fields,
                          ArrayRef<std::string> tensorNames, const CpuLevel &level, PackedInputs &packs) {
  LLVMContext &context = module.getContext();
  te::InstanceNote note(function);
  std::optional<FusedKernel> kernel = FusedKernel::read(function, tensorNames, context);
  if (!kernel)
    return nullptr;
  packs = kernel->packedInputs();
  for (std::optional<unsigned> &input : packs)
    if (input)
      input = kernel->tensors[*input].isPart ? std::nullopt : std::optional(kernel->tensors[*input].number);
  if (kernel->kind == FusedKernel::Kind::Elementwise)
    return addElementwise(module, *kernel, fields, level);
  Type *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getInt32Ty(context), {PointerType::getUnqual(context), i64, i64}, false);
  Function *entry = newFunction(module, "entry." + kernel->name + "." + level.shortName, type, level);
  CodeBuilder b(entry, level);
  Frame frame(b, *kernel, fields);
  bool emitted = true;
  bool built = frame.build([&]() -> Value * {
    if (kernel->kind == FusedKernel::Kind::Contraction)
      return emitContraction(b, *kernel, frame);
    if (kernel->kind == FusedKernel::Kind::Windows)
      emitted = emitWindows(b, *kernel, frame);
    else if (kernel->kind == FusedKernel::Kind::Gather || kernel->counts())
      emitted = emitGather(module, b, *kernel, frame, fields);
    else if (kernel->kind == FusedKernel::Kind::Scanned)
      emitted = emitScan(module, b, *kernel, frame, fields);
    else if (kernel->kind == FusedKernel::Kind::Sorted)
      emitted = emitSort(module, b, *kernel, frame, fields);
    else if (kernel->kind == FusedKernel::Kind::Scattered)
      emitted = emitScatter(b, *kernel, frame);
    else if (kernel->itemLoop() == 2)
      emitted = emitColumns(b, *kernel, frame);
    else
      emitted = emitRows(b, *kernel, frame);
    return b.getInt32(0);
  });
  return built && emitted ? entry : nullptr;
}

// Every nest is called, even without blocks: each checks its sizes against the tensors.
Function *joinEntries(Module &module, StringRef kernel, ArrayRef<Function *> nests, ArrayRef<KernelField> fields,
                      const CpuLevel &level) {
  Function *entry =
      newFunction(module, "entry." + kernel + "." + level.shortName, nests.front()->getFunctionType(), level);
  CodeBuilder b(entry, level);
  Type *i64 = b.getInt64Ty();
  auto slot = [&](Value *array, Type *type, uint64_t position) -> Value * {
    return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(i64, array, position), Align(8));
  };
  Value *tiling = slot(entry->getArg(0), b.getPtrTy(), 2), *zero = b.index(0), *before = zero, *status = b.getInt32(0);
  unsigned number = 0;
  for (Function *nest : nests) {
    const std::string name = "block_num_n" + std::to_string(number++);
    const auto *field = find_if(fields, [&](const KernelField &each) { return each.name == name; });
    Value *blocks = zero;
    if (field != fields.end())
      blocks = field->constant ? b.index(*field->constant) : slot(tiling, i64, uint64_t(field - fields.begin()));
    blocks = b.max(blocks, zero);
    auto place = [&](unsigned argument) {
      Value *own = b.CreateBinaryIntrinsic(Intrinsic::ssub_sat, entry->getArg(argument), before);
      return b.max(b.min(own, blocks), zero);
    };
    Value *found = b.CreateCall(nest, {entry->getArg(0), place(1), place(2)});
    status = b.CreateSelect(b.CreateICmpEQ(status, b.getInt32(0)), found, status);
    before = b.CreateBinaryIntrinsic(Intrinsic::sadd_sat, before, blocks);
  }
  b.CreateRet(status);
  return entry;
}

} // namespace opc::cpu
