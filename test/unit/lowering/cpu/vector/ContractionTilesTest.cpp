// The inner loops of matrix products of every level, read as assembly: they touch no stack, at levels that this machine
// cannot run too.

#include "lowering/cpu/CpuLevel.h"
#include "lowering/cpu/library/LLVMModule.h"
#include "lowering/cpu/vector/code/Walk.h"
#include "lowering/cpu/vector/contraction/Tiles.h"

#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

#include <sstream>

using namespace opc;

/// The assembly of the register tiles of a level, of f32 or of bytes.
static std::string assemblyOf(const CpuLevel &level, bool isOfBytes) {
  llvm::LLVMContext context;
  llvm::Module module("tiles", context);
  llvm::Type *pointer = llvm::PointerType::getUnqual(context), *i64 = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(context),
      {pointer, i64, pointer, i64, pointer, pointer, i64, i64, i64, llvm::Type::getInt1Ty(context)}, false);
  const cpu::PanelSizes sizes(level);
  using Rows = cpu::PanelProduct::Rows;
  for (Rows rows : {Rows::Apart, Rows::Table}) {
    if (isOfBytes && rows == Rows::Table)
      continue; // of windows, which are of floats
    llvm::Function *caller = cpu::newFunction(module, "caller", type, level);
    caller->setLinkage(llvm::GlobalValue::ExternalLinkage);
    cpu::CodeBuilder b(caller, level);
    auto argument = [&](unsigned i) { return caller->getArg(i); };
    cpu::PanelProduct product;
    if (isOfBytes)
      product.cells = {level.dotsOfBytes ? 4u : 2u, true, true};
    product.left = argument(0);
    product.leftStep = product.firstK = argument(1);
    product.isTiled = argument(9);
    product.kStep = argument(3);
    product.rowsOfRight = rows;
    product.right = product.next = argument(2);
    product.nextRows = product.nextStep = argument(1);
    product.start = nullptr;
    product.rightStep = rows == Rows::Table ? argument(4) : argument(3);
    product.sums = argument(5);
    product.sumStep = argument(6);
    product.rows = argument(7);
    product.depth = argument(8);
    product.continues = argument(9);
    cpu::multiplyPanels(b, product, isOfBytes ? sizes.ofBytes : sizes.vectors);
    b.CreateRetVoid();
  }
  std::string reason;
  std::unique_ptr<llvm::TargetMachine> machine = cpu::targetMachine(level, reason);
  EXPECT_TRUE(machine) << reason;
  cpu::optimise(module, *machine, cpu::CodeForm::Vectors);
  llvm::SmallString<0> text;
  EXPECT_TRUE(cpu::generateObject(module, *machine, cpu::CodeForm::Vectors, text, llvm::CodeGenFileType::AssemblyFile));
  return text.str().str();
}

// A sum that is spilled makes the inner loop several times as slow, and nothing else shows it.
static void keepsSums(const CpuLevel &level, bool isOfBytes) {
  const cpu::PanelSizes sizes(level);
  // Four steps of k, of pairs two where there are many columns. A pair is one instruction of x86-64, two of aarch64.
  const bool isOfPairs = isOfBytes && !level.dotsOfBytes;
  const size_t ofStep = size_t(sizes.rows) * (isOfBytes ? sizes.ofBytes : sizes.vectors);
  const size_t products = ofStep * (isOfPairs && sizes.vectors > 2 ? 2 : 4) * (isOfPairs && !level.isX86() ? 2 : 1);
  std::istringstream text(assemblyOf(level, isOfBytes));
  std::string line, block;
  size_t inBlock = 0, fullLoops = 0;
  auto endBlock = [&] {
    if (inBlock >= products) {
      fullLoops += inBlock == products;
      // Of x86-64 and of aarch64.
      EXPECT_EQ(block.find("%rsp"), std::string::npos) << level.name.str() << "\n" << block;
      EXPECT_EQ(block.find("[sp"), std::string::npos) << level.name.str() << "\n" << block;
    }
    block.clear();
    inBlock = 0;
  };
  while (std::getline(text, line)) {
    if (line.find(':') != std::string::npos && line[0] != '\t')
      endBlock();
    block += line + "\n";
    // A block ends after a jump: of x86-64, or a conditional one of aarch64.
    const bool jumps = line.rfind("\tj", 0) == 0 || line.rfind("\tb.", 0) == 0;
    for (const char *product : {"vfmadd", "\tfmla", "vpmaddwd", "vpdpbusd", "\tmla"})
      inBlock += line.find(product) != std::string::npos;
    if (jumps)
      endBlock();
  }
  endBlock();
  EXPECT_EQ(fullLoops, isOfBytes ? 1u : 2u)
      << level.name.str() << ": a loop over rows that are apart, one by a table unless it is of bytes";
}

TEST(ContractionTiles, KeepTheirSumsInRegisters) {
  for (const CpuLevel &level : cpuLevels())
    for (bool isOfBytes : {false, true})
      keepsSums(level, isOfBytes);
}
