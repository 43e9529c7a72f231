// A builder for LLVM IR with structured control flow: an IRBuilder that also knows the CPU level, counted loops with
// carried values, branches, and arithmetic that kernels need often.
//
// Kernels are emitted as LLVM IR and not in MLIR's vector dialect. A package has dozens of kernels at two levels
// each, and converting them would take as long as generating their code.

#ifndef OPC_LOWERING_CPU_VECTOR_CODE_CODEBUILDER_H
#define OPC_LOWERING_CPU_VECTOR_CODE_CODEBUILDER_H

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

  /// for (i = begin; i < end; i += step): `body` takes i and the carried values and returns the next carried values.
  /// The result is their values after the last iteration, or `initial` if there is none. Comparisons are signed; step
  /// must be at least 1, and end + step must not overflow.
  using LoopBody = llvm::function_ref<Values(llvm::Value *i, llvm::ArrayRef<llvm::Value *>)>;
  Values loop(llvm::Value *begin, llvm::Value *end, llvm::Value *step, llvm::ArrayRef<llvm::Value *> initial,
              LoopBody body);
  void loop(llvm::Value *begin, llvm::Value *end, llvm::Value *step, llvm::function_ref<void(llvm::Value *i)> body);

  /// for (i = begin; i < end;): `body` returns the next i, followed by the next carried values. The first iteration
  /// always runs. The results are the carried values after the last iteration.
  Values whileBefore(llvm::Value *begin, llvm::Value *end, llvm::ArrayRef<llvm::Value *> initial, LoopBody body);

  void ifThen(llvm::Value *condition, llvm::function_ref<void()> body);
  /// One of two bodies that have no results.
  void branch(llvm::Value *condition, llvm::function_ref<void()> yes, llvm::function_ref<void()> no);
  /// As above, for a `condition` that is rarely true: its body is placed apart.
  void branchRarely(llvm::Value *condition, llvm::function_ref<void()> yes, llvm::function_ref<void()> no);
  using Branch = llvm::function_ref<Values()>;
  Values ifElse(llvm::Value *condition, Branch yes, Branch no, llvm::MDNode *weights = nullptr);
  /// As above, for a `condition` that is rarely true: registers are allocated in favour of `no`.
  Values ifRarely(llvm::Value *condition, Branch yes, Branch no);

  /// `count` elements of stack memory, 64-byte aligned.
  llvm::Value *buffer(llvm::Type *element, uint64_t count);

  llvm::Value *index(int64_t value) { return getInt64(value); }
  llvm::Value *min(llvm::Value *a, llvm::Value *b) { return CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b); }
  llvm::Value *max(llvm::Value *a, llvm::Value *b) { return CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b); }
  /// a op b for 64-bit integers; `ok` (i1) becomes false if the result overflows.
  llvm::Value *checkedMul(llvm::Value *a, llvm::Value *b, llvm::Value *&ok);
  llvm::Value *checkedAdd(llvm::Value *a, llvm::Value *b, llvm::Value *&ok);
  /// pointer + i elements
  llvm::Value *at(llvm::Value *pointer, llvm::Type *element, llvm::Value *i) { return CreateGEP(element, pointer, i); }
  /// 0, 1, 2, ... as i32 lanes
  llvm::Value *lanesFrom0(unsigned lanes);
  /// A number (i64) as i32: in each of `lanes` lanes, or as a scalar for 0 lanes.
  llvm::Value *numbers(llvm::Value *number, unsigned lanes);
  /// The same with number, number + 1, number + 2, ... in the lanes.
  llvm::Value *numbersFrom(llvm::Value *number, unsigned lanes);
  /// Whether one of several i1 is set; a single i1 is returned as it is.
  llvm::Value *anyLane(llvm::Value *condition) {
    return condition->getType()->isVectorTy() ? CreateOrReduce(condition) : condition;
  }
  /// A mask of the first `count` (i64) of `lanes` lanes.
  llvm::Value *lanesBefore(unsigned lanes, llvm::Value *count);

private:
  llvm::Value *checked(llvm::Intrinsic::ID id, llvm::Value *a, llvm::Value *b, llvm::Value *&ok);
};

/// A vector of `lanes` elements of `type`; `type` itself for 0 lanes, which denote a scalar.
llvm::Type *withLanes(llvm::Type *type, unsigned lanes);
/// The number of lanes; 0 for a scalar.
unsigned lanesOf(llvm::Type *type);

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_VECTOR_CODE_CODEBUILDER_H
