#include "lowering/cpu/vector/Copies.h"

#include "lowering/cpu/vector/Walk.h"

using namespace llvm;

namespace opc::cpu {

// Calls the function of that name, which `emit` defines on first use. The arguments are two pointers, then numbers.
static void call(CodeBuilder &b, StringRef name, ArrayRef<Value *> arguments, function_ref<void(CodeBuilder &)> emit) {
  Module &module = *b.function->getParent();
  Function *function = module.getFunction(name);
  if (!function) {
    SmallVector<Type *> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    auto *type = FunctionType::get(b.getVoidTy(), types, false);
    CodeBuilder inside(newFunction(module, name, type, b.level), b.level);
    emit(inside);
    inside.CreateRetVoid();
    function = inside.function;
  }
  b.CreateCall(function, arguments);
}

static Value *byteAt(CodeBuilder &b, Value *pointer, Value *byte) {
  return b.at(pointer, b.getInt8Ty(), byte);
}

static void move(CodeBuilder &b, Type *type, Value *to, Value *from, Value *byte) {
  Value *value = b.CreateAlignedLoad(type, byteAt(b, from, byte), Align(1));
  b.CreateAlignedStore(value, byteAt(b, to, byte), Align(1));
}

// Copies words, then bytes, and accesses no byte beyond the end.
void copyBytes(CodeBuilder &b, Value *to, Value *from, Value *bytes) {
  call(b, "copy", {to, from, bytes}, [](CodeBuilder &b) {
    Value *to = b.function->getArg(0), *from = b.function->getArg(1);
    Value *bytes = b.function->getArg(2), *words = b.CreateAnd(bytes, b.index(-8));
    b.loop(b.index(0), words, b.index(8), [&](Value *i) { move(b, b.getInt64Ty(), to, from, i); });
    b.loop(words, bytes, b.index(1), [&](Value *i) { move(b, b.getInt8Ty(), to, from, i); });
  });
}

// Copies rows one by one until they fill a step of the vector loop. The rest is copied from one period back.
void repeatBytes(CodeBuilder &b, Value *to, Value *from, Value *rowBytes, Value *bytes) {
  call(b, "repeat", {to, from, rowBytes, bytes}, [](CodeBuilder &b) {
    Value *to = b.function->getArg(0), *from = b.function->getArg(1);
    Value *rowBytes = b.function->getArg(2), *bytes = b.function->getArg(3);
    const int64_t turn = b.level.vectorBits / 8 * 2;
    Value *whole = b.CreateUDiv(b.index(turn - 1), rowBytes);
    Value *period = b.CreateMul(b.CreateAdd(whole, b.index(1)), rowBytes);
    Value *first = b.min(period, bytes);
    b.loop(b.index(0), first, rowBytes, [&](Value *i) { copyBytes(b, byteAt(b, to, i), from, rowBytes); });
    Type *vector = withLanes(b.getInt64Ty(), turn / 8);
    Value *behind = byteAt(b, to, b.CreateNeg(period));
    b.loop(first, bytes, b.index(turn), [&](Value *i) { move(b, vector, to, behind, i); });
  });
}

void spreadElements(CodeBuilder &b, Value *to, Value *from, Value *rows, Value *n, Value *elementBytes) {
  call(b, "spread", {to, from, rows, n, elementBytes}, [](CodeBuilder &b) {
    Value *to = b.function->getArg(0), *from = b.function->getArg(1);
    Value *rows = b.function->getArg(2), *n = b.function->getArg(3);
    constexpr unsigned kTurn = 64;
    for (unsigned bytes : {1, 2, 4, 8})
      b.ifThen(b.CreateICmpEQ(b.function->getArg(4), b.index(bytes)), [&] {
        Type *element = b.getIntNTy(bytes * 8);
        Value *length = b.CreateMul(n, b.index(bytes));
        b.loop(b.index(0), rows, b.index(1), [&](Value *row) {
          Value *value = b.CreateAlignedLoad(element, b.at(from, element, row), Align(bytes));
          Value *vector = b.CreateVectorSplat(kTurn / bytes, value);
          Value *start = byteAt(b, to, b.CreateMul(row, length));
          b.loop(b.index(0), length, b.index(kTurn),
                 [&](Value *i) { b.CreateAlignedStore(vector, byteAt(b, start, i), Align(bytes)); });
        });
      });
  });
}

} // namespace opc::cpu
