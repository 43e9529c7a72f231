// LLVM IR with loops: an IRBuilder that also knows the level, counted loops with carried values, branches, and the
// few forms of arithmetic that kernels need over and over.
//
// Kernels are written as LLVM IR and not as MLIR's vector dialect: a package has dozens of them at two levels each,
// and a conversion would take as long as their code generation.

#ifndef OPC_LOWERING_CPU_VECTOR_CODEBUILDER_H
#define OPC_LOWERING_CPU_VECTOR_CODEBUILDER_H

#include "lowering/cpu/CpuLevel.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace opc::cpu {

using Values = llvm::SmallVector<llvm::Value *, 4>;

class CodeBuilder : public llvm::IRBuilder<> {
public:
  CodeBuilder(llvm::Function *function, const CpuLevel &level);

  const CpuLevel &level;
  llvm::Function *const function;

  /// for (i = begin; i < end; i += step): `body` takes i and the carried values and returns the next ones. The
  /// result is what they are after the last turn, `initial` when there is none. Signed; step >= 1, and end + step
  /// must not overflow.
  using LoopBody = llvm::function_ref<Values(llvm::Value *i, llvm::ArrayRef<llvm::Value *>)>;
  Values loop(llvm::Value *begin, llvm::Value *end, llvm::Value *step, llvm::ArrayRef<llvm::Value *> initial,
              LoopBody body);
  void loop(llvm::Value *begin, llvm::Value *end, llvm::Value *step, llvm::function_ref<void(llvm::Value *i)> body);

  /// for (i = begin; i < end;): `body` returns the next i, then the next carried values. There is a first turn.
  void whileBefore(llvm::Value *begin, llvm::Value *end, llvm::ArrayRef<llvm::Value *> initial, LoopBody body);

  void ifThen(llvm::Value *condition, llvm::function_ref<void()> body);
  using Branch = llvm::function_ref<Values()>;
  Values ifElse(llvm::Value *condition, Branch yes, Branch no, llvm::MDNode *weights = nullptr);
  /// The same where `condition` hardly ever holds: registers are for `no`.
  Values ifRarely(llvm::Value *condition, Branch yes, Branch no);

  /// Memory of the function's frame, `count` elements, 64-byte aligned.
  llvm::Value *buffer(llvm::Type *element, uint64_t count);

  llvm::Value *index(int64_t value) { return getInt64(value); }
  llvm::Value *min(llvm::Value *a, llvm::Value *b) { return CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b); }
  llvm::Value *max(llvm::Value *a, llvm::Value *b) { return CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b); }
  /// a op b for 64-bit integers; `ok` (i1) becomes false when the result does not fit.
  llvm::Value *checkedMul(llvm::Value *a, llvm::Value *b, llvm::Value *&ok);
  llvm::Value *checkedAdd(llvm::Value *a, llvm::Value *b, llvm::Value *&ok);
  /// pointer + i elements
  llvm::Value *at(llvm::Value *pointer, llvm::Type *element, llvm::Value *i) { return CreateGEP(element, pointer, i); }
  /// 0, 1, 2, ... as i32 lanes
  llvm::Value *lanesFrom0(unsigned lanes);
  /// Whether one of several i1 is set; a single one is itself.
  llvm::Value *anyLane(llvm::Value *condition) {
    return condition->getType()->isVectorTy() ? CreateOrReduce(condition) : condition;
  }
  /// Which of `lanes` stand before `count` (i64).
  llvm::Value *lanesBefore(unsigned lanes, llvm::Value *count);

private:
  llvm::Value *checked(llvm::Intrinsic::ID id, llvm::Value *a, llvm::Value *b, llvm::Value *&ok);
};

/// `type` with `lanes` lanes of it, or itself for 0 lanes: a scalar.
llvm::Type *withLanes(llvm::Type *type, unsigned lanes);
/// 0 for a scalar.
unsigned lanesOf(llvm::Type *type);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CODEBUILDER_H
