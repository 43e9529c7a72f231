// Emits the entries of a kernel library and their table as LLVM IR.
//
//   entry(arguments, first, last):
//     allocate the kernel's buffers on the stack, 64-byte aligned
//     unpack tensors, sizes, tiling data and step limit from the arguments, as the function expects them
//     return function(...)
//
// Functions are not inlined into their entries (noinline). Inside a function every pointer is an argument that
// aliases no other, and a buffer that was never written is memory of unknown content instead of an undefined value.

#include "lowering/cpu/library/CpuLibrary.h"
#include "lowering/cpu/library/LLVMModule.h"
#include "runtime/program/opc_kernel_library.h"

#include "llvm/IR/IRBuilder.h"

#include <map>

using namespace llvm;

namespace opc::cpu {

static constexpr uint64_t kBufferAlignment = 64;

// A memref of rank 1 takes five arguments: allocated and aligned pointer, offset, size, stride.
static void pushMemref(IRBuilder<> &b, SmallVectorImpl<Value *> &arguments, Value *pointer, Value *size) {
  arguments.append({pointer, pointer, b.getInt64(0), size, b.getInt64(1)});
}

static Value *loadSlot(IRBuilder<> &b, Type *type, Value *array, uint64_t position) {
  return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), array, position), Align(8));
}

Function *addLoopsEntry(Module &module, const KernelSignature &signature) {
  LLVMContext &context = module.getContext();
  IRBuilder<> b(context);
  Function *kernel = module.getFunction(signature.name);
  // The prefix keeps kernels apart from names that LLVM knows.
  kernel->setName("kernel." + signature.name);
  kernel->setLinkage(GlobalValue::InternalLinkage);
  kernel->addFnAttr(Attribute::NoInline);
  for (Argument &argument : kernel->args())
    if (argument.getType()->isPointerTy()) {
      argument.addAttr(Attribute::NoAlias);
      argument.addAttr(Attribute::NoUndef);
    }

  Type *pointer = b.getPtrTy();
  auto *type = FunctionType::get(b.getInt32Ty(), {pointer, b.getInt64Ty(), b.getInt64Ty()}, false);
  auto *entry = Function::Create(type, GlobalValue::InternalLinkage, "entry." + signature.name, module);
  b.SetInsertPoint(BasicBlock::Create(context, "", entry));

  SmallVector<Value *> buffers;
  for (int64_t bytes : signature.bufferBytes) {
    AllocaInst *memory = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), bytes));
    memory->setAlignment(Align(kBufferAlignment));
    buffers.push_back(memory);
  }
  // opc_kernel_arguments has seven slots of 64 bits.
  static_assert(sizeof(opc_kernel_arguments) == 56);
  Value *tensors = loadSlot(b, pointer, entry->getArg(0), 0);
  Value *sizes = loadSlot(b, pointer, entry->getArg(0), 1);
  Value *tiling = loadSlot(b, pointer, entry->getArg(0), 2);
  Value *stepLimit = loadSlot(b, b.getInt64Ty(), entry->getArg(0), 3);
  SmallVector<Value *> arguments;
  for (int64_t i = 0; i < signature.tensors; ++i)
    pushMemref(b, arguments, loadSlot(b, pointer, tensors, i), loadSlot(b, b.getInt64Ty(), sizes, i));
  // Positions in the tiling data are constants of the kernel, so its size is not needed.
  pushMemref(b, arguments, tiling, b.getInt64(0));
  arguments.append({entry->getArg(1), entry->getArg(2), stepLimit});
  for (auto [memory, bytes] : llvm::zip_equal(buffers, signature.bufferBytes)) {
    unsigned aligned = arguments.size() + 1;
    kernel->addParamAttr(aligned, Attribute::getWithAlignment(context, Align(kBufferAlignment)));
    pushMemref(b, arguments, memory, b.getInt64(bytes));
  }
  b.CreateRet(b.CreateCall(kernel, arguments));
  return entry;
}

static Constant *textConstant(Module &module, StringRef text) {
  IRBuilder<> b(module.getContext());
  Constant *data = ConstantDataArray::getString(module.getContext(), text);
  auto *global = new GlobalVariable(module, data->getType(), true, GlobalValue::PrivateLinkage, data);
  global->setAlignment(Align(1));
  return global;
}

static Constant *bytesConstant(Module &module, ArrayRef<uint8_t> bytes) {
  Constant *data = ConstantDataArray::get(module.getContext(), bytes);
  auto *global = new GlobalVariable(module, data->getType(), true, GlobalValue::PrivateLinkage, data);
  global->setAlignment(Align(8));
  return global;
}

static Constant *tableConstant(Module &module, Constant *value) {
  auto *global = new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value);
  global->setAlignment(Align(8));
  return global;
}

// Kernels that share a tiling function share its bytecode.
static Constant *tilingConstant(Module &module, const std::vector<uint8_t> &code,
                                std::map<std::vector<uint8_t>, Constant *> &known) {
  Constant *&constant = known[code];
  if (!constant)
    constant = bytesConstant(module, code);
  return constant;
}

void addEntryTable(Module &module, StringRef opType, ArrayRef<CpuKernel> kernels, ArrayRef<LevelEntries> levels) {
  LLVMContext &context = module.getContext();
  IRBuilder<> b(context);
  Type *pointer = b.getPtrTy(), *i64 = b.getInt64Ty(), *i32 = b.getInt32Ty();
  auto *entryType = StructType::get(context, {pointer, i64, i64, pointer, pointer, i64});
  auto *levelType = StructType::get(context, {pointer, i64, pointer});
  auto *libraryType = StructType::get(context, {i32, i32, pointer, pointer});

  std::map<std::vector<uint8_t>, Constant *> codes;
  std::vector<Constant *> names;
  for (const CpuKernel &kernel : kernels)
    names.push_back(textConstant(module, kernel.name));
  SmallVector<Constant *> tables;
  for (const LevelEntries &level : levels) {
    SmallVector<Constant *> entries;
    for (auto [kernel, name, entry] : llvm::zip_equal(kernels, names, level.entries))
      entries.push_back(ConstantStruct::get(
          entryType, {name, b.getInt64(kernel.tilingKey), b.getInt64(entry.flags), entry.function,
                      tilingConstant(module, kernel.tilingCode, codes), b.getInt64(kernel.tilingCode.size())}));
    Constant *array = tableConstant(module, ConstantArray::get(ArrayType::get(entryType, entries.size()), entries));
    tables.push_back(
        ConstantStruct::get(levelType, {textConstant(module, level.level), b.getInt64(entries.size()), array}));
  }
  Constant *array = tableConstant(module, ConstantArray::get(ArrayType::get(levelType, tables.size()), tables));
  Constant *library = tableConstant(
      module, ConstantStruct::get(libraryType, {b.getInt32(OPC_KERNEL_LIBRARY_VERSION), b.getInt32(tables.size()),
                                                textConstant(module, opType), array}));

  auto *query = Function::Create(FunctionType::get(pointer, {i32}, false), GlobalValue::ExternalLinkage,
                                 OPC_KERNEL_LIBRARY_QUERY, module);
  b.SetInsertPoint(BasicBlock::Create(context, "", query));
  Value *known = b.CreateICmpUGE(query->getArg(0), b.getInt32(OPC_KERNEL_LIBRARY_VERSION));
  b.CreateRet(b.CreateSelect(known, library, ConstantPointerNull::get(b.getPtrTy())));
}

} // namespace opc::cpu
