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
    if (kernel->kind == FusedKernel::Kind::Contraction) {
      Value *status = emitContraction(b, *kernel, frame);
      emitted = status;
      return status ? status : b.getInt32(0);
    }
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

// The most turns in which a call runs its nests. Each turn checks the sizes of each nest again.
static constexpr int64_t kMostTurns = 32;

// Nests write neighbouring elements, such as a row and its border, and read the same inputs. So a call runs them in
// turns, each with a part of the blocks of each nest: what one has left in the cache is there for the next. Every nest
// is called in the first turn, even without blocks: each checks its sizes against the tensors.
Function *joinEntries(Module &module, StringRef kernel, ArrayRef<Function *> nests, ArrayRef<KernelField> fields,
                      const CpuLevel &level) {
  Function *entry =
      newFunction(module, "entry." + kernel + "." + level.shortName, nests.front()->getFunctionType(), level);
  CodeBuilder b(entry, level);
  Type *i64 = b.getInt64Ty();
  auto slot = [&](Value *array, Type *type, uint64_t position) -> Value * {
    return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(i64, array, position), Align(8));
  };
  Value *tiling = slot(entry->getArg(0), b.getPtrTy(), 2), *zero = b.index(0), *one = b.index(1);
  Value *before = zero, *turns = one;
  Values begins, lengths;
  for (unsigned number = 0; number < nests.size(); ++number) {
    const std::string name = "block_num_n" + std::to_string(number);
    const auto *field = find_if(fields, [&](const KernelField &each) { return each.name == name; });
    Value *blocks = zero;
    if (field != fields.end())
      blocks = field->constant ? b.index(*field->constant) : slot(tiling, i64, uint64_t(field - fields.begin()));
    blocks = b.max(blocks, zero);
    auto place = [&](unsigned argument) {
      Value *own = b.CreateBinaryIntrinsic(Intrinsic::ssub_sat, entry->getArg(argument), before);
      return b.max(b.min(own, blocks), zero);
    };
    begins.push_back(place(1));
    lengths.push_back(b.max(b.CreateSub(place(2), begins.back()), zero));
    turns = b.max(turns, lengths.back());
    before = b.CreateBinaryIntrinsic(Intrinsic::sadd_sat, before, blocks);
  }
  turns = b.min(turns, b.index(kMostTurns));
  Values last = b.loop(zero, turns, one, {b.getInt32(0)}, [&](Value *turn, ArrayRef<Value *> carried) -> Values {
    Value *status = carried[0], *isFirst = b.CreateICmpEQ(turn, zero), *next = b.CreateAdd(turn, one);
    for (auto [nest, begin, length] : zip_equal(nests, begins, lengths)) {
      Value *whole = b.CreateUDiv(length, turns), *rest = b.CreateURem(length, turns);
      auto startOf = [&](Value *turn) {
        return b.CreateAdd(begin, b.CreateAdd(b.CreateMul(whole, turn), b.min(rest, turn)));
      };
      Value *from = startOf(turn), *to = startOf(next);
      status = b.ifElse(
                    b.CreateOr(isFirst, b.CreateICmpSLT(from, to)),
                    [&]() -> Values {
                      Value *found = b.CreateCall(nest, {entry->getArg(0), from, to});
                      return {b.CreateSelect(b.CreateICmpEQ(status, b.getInt32(0)), found, status)};
                    },
                    [&]() -> Values { return {status}; })
                   .front();
    }
    return {status};
  });
  b.CreateRet(last.front());
  return entry;
}

} // namespace opc::cpu
