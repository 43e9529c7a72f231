#include "lowering/cpu/vector/code/CodeBuilder.h"

#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace opc::cpu {

CodeBuilder::CodeBuilder(Function *function, const CpuLevel &level)
    : IRBuilder<>(function->getContext()), level(level), function(function) {
  SetInsertPoint(BasicBlock::Create(getContext(), "", function));
}

Values CodeBuilder::loop(Value *begin, Value *end, Value *step, ArrayRef<Value *> initial, LoopBody body) {
  BasicBlock *before = GetInsertBlock();
  BasicBlock *turn = BasicBlock::Create(getContext(), "", function);
  BasicBlock *after = BasicBlock::Create(getContext(), "", function);
  CreateCondBr(CreateICmpSLT(begin, end), turn, after);

  SetInsertPoint(turn);
  PHINode *i = CreatePHI(begin->getType(), 2);
  i->addIncoming(begin, before);
  SmallVector<PHINode *> carried;
  Values inside;
  for (Value *value : initial) {
    carried.push_back(CreatePHI(value->getType(), 2));
    carried.back()->addIncoming(value, before);
    inside.push_back(carried.back());
  }
  Values next = body(i, inside);
  Value *following = CreateAdd(i, step);
  i->addIncoming(following, GetInsertBlock());
  for (auto [phi, value] : zip_equal(carried, next))
    phi->addIncoming(value, GetInsertBlock());
  BasicBlock *last = GetInsertBlock();
  CreateCondBr(CreateICmpSLT(following, end), turn, after);

  SetInsertPoint(after);
  Values results;
  for (auto [start, value] : zip_equal(initial, next)) {
    PHINode *phi = CreatePHI(start->getType(), 2);
    phi->addIncoming(start, before);
    phi->addIncoming(value, last);
    results.push_back(phi);
  }
  return results;
}

void CodeBuilder::loop(Value *begin, Value *end, Value *step, function_ref<void(Value *i)> body) {
  loop(begin, end, step, {}, [&](Value *i, ArrayRef<Value *>) {
    body(i);
    return Values();
  });
}

Values CodeBuilder::whileBefore(Value *begin, Value *end, ArrayRef<Value *> initial, LoopBody body) {
  BasicBlock *before = GetInsertBlock();
  BasicBlock *turn = BasicBlock::Create(getContext(), "", function);
  BasicBlock *after = BasicBlock::Create(getContext(), "", function);
  CreateBr(turn);
  SetInsertPoint(turn);
  SmallVector<PHINode *> variables;
  SmallVector<Value *> starts = {begin};
  append_range(starts, initial);
  Values inside;
  for (Value *value : starts) {
    variables.push_back(CreatePHI(value->getType(), 2));
    variables.back()->addIncoming(value, before);
    inside.push_back(variables.back());
  }
  Values next = body(inside[0], ArrayRef<Value *>(inside).drop_front());
  for (auto [variable, value] : zip_equal(variables, next))
    variable->addIncoming(value, GetInsertBlock());
  CreateCondBr(CreateICmpSLT(next[0], end), turn, after);
  SetInsertPoint(after);
  return Values(drop_begin(next));
}

void CodeBuilder::ifThen(Value *condition, function_ref<void()> body) {
  branch(condition, body, [] {});
}

static auto withoutResults(function_ref<void()> body) {
  return [body] {
    body();
    return Values();
  };
}

void CodeBuilder::branch(Value *condition, function_ref<void()> yes, function_ref<void()> no) {
  ifElse(condition, withoutResults(yes), withoutResults(no));
}

void CodeBuilder::branchRarely(Value *condition, function_ref<void()> yes, function_ref<void()> no) {
  ifRarely(condition, withoutResults(yes), withoutResults(no));
}

Values CodeBuilder::ifRarely(Value *condition, Branch yes, Branch no) {
  return ifElse(condition, yes, no, MDBuilder(getContext()).createUnlikelyBranchWeights());
}

Values CodeBuilder::ifElse(Value *condition, Branch yes, Branch no, MDNode *weights) {
  BasicBlock *first = BasicBlock::Create(getContext(), "", function);
  BasicBlock *second = BasicBlock::Create(getContext(), "", function);
  BasicBlock *after = BasicBlock::Create(getContext(), "", function);
  CreateCondBr(condition, first, second, weights);
  SetInsertPoint(first);
  Values ofFirst = yes();
  first = GetInsertBlock();
  CreateBr(after);
  SetInsertPoint(second);
  Values ofSecond = no();
  second = GetInsertBlock();
  CreateBr(after);
  SetInsertPoint(after);
  Values results;
  for (auto [a, b] : zip_equal(ofFirst, ofSecond)) {
    PHINode *phi = CreatePHI(a->getType(), 2);
    phi->addIncoming(a, first);
    phi->addIncoming(b, second);
    results.push_back(phi);
  }
  return results;
}

Value *CodeBuilder::buffer(Type *element, uint64_t count) {
  BasicBlock &entry = function->getEntryBlock();
  IRBuilder<> atEntry(&entry, entry.begin());
  AllocaInst *memory = atEntry.CreateAlloca(ArrayType::get(element, count));
  memory->setAlignment(Align(64));
  return memory;
}

Value *CodeBuilder::checked(Intrinsic::ID id, Value *a, Value *b, Value *&ok) {
  Value *both = CreateBinaryIntrinsic(id, a, b);
  ok = CreateAnd(ok, CreateNot(CreateExtractValue(both, 1)));
  return CreateExtractValue(both, 0);
}

Value *CodeBuilder::checkedMul(Value *a, Value *b, Value *&ok) {
  return checked(Intrinsic::smul_with_overflow, a, b, ok);
}

Value *CodeBuilder::checkedAdd(Value *a, Value *b, Value *&ok) {
  return checked(Intrinsic::sadd_with_overflow, a, b, ok);
}

Value *CodeBuilder::lanesFrom0(unsigned lanes) {
  SmallVector<uint32_t> numbers(lanes);
  for (unsigned i = 0; i < lanes; ++i)
    numbers[i] = i;
  return ConstantDataVector::get(getContext(), numbers);
}

Value *CodeBuilder::numbers(Value *number, unsigned lanes) {
  Value *narrow = CreateTrunc(number, getInt32Ty());
  return lanes ? CreateVectorSplat(lanes, narrow) : narrow;
}

Value *CodeBuilder::numbersFrom(Value *number, unsigned lanes) {
  Value *first = numbers(number, lanes);
  return lanes ? CreateAdd(first, lanesFrom0(lanes)) : first;
}

Value *CodeBuilder::lanesBefore(unsigned lanes, Value *count) {
  Value *bounded = CreateTrunc(min(count, index(lanes)), getInt32Ty());
  return CreateICmpSLT(lanesFrom0(lanes), CreateVectorSplat(lanes, bounded));
}

Type *withLanes(Type *type, unsigned lanes) {
  return lanes ? FixedVectorType::get(type, lanes) : type;
}

unsigned lanesOf(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 0;
}

} // namespace opc::cpu
