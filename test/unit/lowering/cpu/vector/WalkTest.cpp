// Shape keys of one body share what LLVM takes long for: planes and the walk.

#include "lowering/cpu/CpuLevel.h"
#include "lowering/cpu/library/LLVMModule.h"
#include "lowering/cpu/vector/VectorKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Target/TargetMachine.h"

#include <gtest/gtest.h>

using namespace opc;

namespace {

/// y = x + b over one loop or two; `map` and `shape` are those of b.
std::string kernel(const std::string &name, const std::string &loops, const std::string &full, const std::string &map,
                   const std::string &shape) {
  std::string sizes, iterators = "\"parallel\"";
  std::string text = "func.func @" + name + "(%x: memref<" + full + "xf32>, %b: memref<" + shape +
                     "xf32>, %y: memref<" + full + "xf32>) attributes {te.kernel, te.shape_key = \"" + name + "\"} {\n";
  text += "%tx = bufferization.to_tensor %x restrict : memref<" + full + "xf32> to tensor<" + full +
          "xf32>\n%tb = bufferization.to_tensor %b restrict : memref<" + shape + "xf32> to tensor<" + shape + "xf32>\n";
  for (unsigned d = 0; d < (full.size() + 1) / 2; ++d) {
    std::string number = std::to_string(d);
    text += "%c" + number + " = arith.constant " + number + " : index\n%d" + number + " = tensor.dim %tx, %c" + number +
            " : tensor<" + full + "xf32>\n";
    sizes += (d ? ", %d" : "%d") + number;
    iterators += d ? ", \"parallel\"" : "";
  }
  text += "%e = tensor.empty(" + sizes + ") : tensor<" + full + "xf32>\n";
  text += "%r = linalg.generic {indexing_maps = [affine_map<" + loops + " -> " + loops + ">, affine_map<" + loops +
          " -> " + map + ">, affine_map<" + loops + " -> " + loops + ">], iterator_types = [" + iterators +
          "]} ins(%tx, %tb : tensor<" + full + "xf32>, tensor<" + shape + "xf32>) outs(%e : tensor<" + full +
          "xf32>) {\n" + "^bb0(%p: f32, %q: f32, %o: f32):\n%s = arith.addf %p, %q : f32\n" +
          "linalg.yield %s : f32\n} -> tensor<" + full + "xf32>\n";
  return text + "bufferization.materialize_in_destination %r in restrict writable %y : (tensor<" + full +
         "xf32>, memref<" + full + "xf32>) -> ()\nreturn\n}\n";
}

/// A kernel of one loop: `body` makes %s, of the type of x, b and y, of the elements %p of x and %q of b and of the
/// truth value %which.
std::string halves(const std::string &name, const std::string &type, const std::string &body) {
  const std::string memref = "memref<?x" + type + ">", tensor = "tensor<?x" + type + ">";
  auto read = [&](const std::string &input, const std::string &of) {
    return "%t" + input + " = bufferization.to_tensor %" + input + " restrict : memref<?x" + of + "> to tensor<?x" +
           of + ">\n";
  };
  return "func.func @" + name + "(%c: memref<?xi8>, %x: " + memref + ", %b: " + memref + ", %y: " + memref +
         ") attributes {te.kernel, te.shape_key = \"flat\"} {\n%zero = arith.constant 0 : i8\n" + read("c", "i8") +
         read("x", type) + read("b", type) + "%c0 = arith.constant 0 : index\n%n = tensor.dim %tx, %c0 : " + tensor +
         "\n%e = tensor.empty(%n) : " + tensor +
         "\n%r = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> "
         "(n)>, affine_map<(n) -> (n)>], iterator_types = [\"parallel\"]} ins(%tc, %tx, %tb : tensor<?xi8>, " +
         tensor + ", " + tensor + ") outs(%e : " + tensor + ") {\n^bb0(%k: i8, %p: " + type + ", %q: " + type +
         ", %o: " + type + "):\n%which = arith.cmpi ne, %k, %zero : i8\n" + body + "linalg.yield %s : " + type +
         "\n} -> " + tensor + "\nbufferization.materialize_in_destination %r in restrict writable %y : (" + tensor +
         ", " + memref + ") -> ()\nreturn\n}\n";
}

unsigned countNamed(llvm::Module &module, llvm::StringRef prefix) {
  return unsigned(
      llvm::count_if(module, [&](llvm::Function &function) { return function.getName().starts_with(prefix); }));
}

} // namespace

TEST(VectorWalk, ShapeKeysShareWhatIsTheSame) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::bufferization::BufferizationDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect, mlir::tensor::TensorDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  auto fused = mlir::parseSourceString<mlir::ModuleOp>(kernel("flat", "(n)", "?", "(n)", "?") +
                                                           kernel("rows_b_row", "(m, n)", "?x?", "(0, n)", "1x?") +
                                                           kernel("rows_b_column", "(m, n)", "?x?", "(m, 0)", "?x1"),
                                                       &context);
  ASSERT_TRUE(fused);
  const cpu::KernelField fields[] = {{"size0"}, {"size1"}, {"block_length"}};
  for (const CpuLevel &level : cpuLevels()) {
    llvm::LLVMContext llvmContext;
    llvm::Module module("kernels", llvmContext);
    for (auto function : fused->getOps<mlir::func::FuncOp>()) {
      llvm::Function *entry = cpu::addVectorKernel(module, function, fields, {"x", "b", "y"}, level).entry;
      ASSERT_TRUE(entry);
      // As of a library, whose table refers to it.
      entry->setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
    // Both move: flat, b_row, short rows of b_column. b stands still: long rows of b_column.
    EXPECT_EQ(countNamed(module, "plane"), 2u) << level.name.str();
    EXPECT_EQ(countNamed(module, "walk"), 1u) << level.name.str();
    EXPECT_EQ(countNamed(module, "entry."), 3u) << level.name.str();

    // A flat kernel's entry knows its description, so that nothing of it is read at a launch.
    std::string error;
    std::unique_ptr<llvm::TargetMachine> machine = cpu::targetMachine(level, error);
    ASSERT_TRUE(machine) << error;
    cpu::optimise(module, *machine, cpu::CodeForm::Vectors);
    auto calls = [&](llvm::StringRef entry, llvm::StringRef callee) {
      llvm::Function *function = module.getFunction((entry + "." + level.shortName).str());
      return llvm::any_of(llvm::instructions(function), [&](llvm::Instruction &instruction) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        return call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with(callee);
      });
    };
    EXPECT_FALSE(calls("entry.flat", "walk")) << level.name.str();
    EXPECT_FALSE(calls("entry.flat", "flat")) << level.name.str();
    EXPECT_TRUE(calls("entry.flat", "plane")) << level.name.str();
    EXPECT_TRUE(calls("entry.rows_b_row", "walk")) << level.name.str();

    // What was inlined everywhere is gone.
    EXPECT_EQ(countNamed(module, "walk"), 1u) << level.name.str();
    module.getFunction(("entry.rows_b_row." + level.shortName).str())->eraseFromParent();
    module.getFunction(("entry.rows_b_column." + level.shortName).str())->eraseFromParent();
    cpu::optimise(module, *machine, cpu::CodeForm::Vectors);
    EXPECT_EQ(countNamed(module, "walk"), 0u) << level.name.str();
    EXPECT_EQ(countNamed(module, "entry."), 1u) << level.name.str();
  }
}

// The key `any` adds a walk and no plane: those of the flat keys serve all its launches.
TEST(VectorWalk, AnyTakesThePlanesOfFlatKeys) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::bufferization::BufferizationDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect, mlir::tensor::TensorDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  std::string any = kernel("any", "(m, n)", "?x?", "(m, n)", "?x?");
  const std::string argument = "%b: memref<?x?xf32>";
  any.insert(any.find(argument) + argument.size(), " {te.of_launch}");
  auto fused = mlir::parseSourceString<mlir::ModuleOp>(
      kernel("flat", "(n)", "?", "(n)", "?") + kernel("flat_b_one", "(n)", "?", "(0)", "1") + any, &context);
  ASSERT_TRUE(fused);
  std::vector<cpu::KernelField> fields = {{"size0"}, {"size1"}, {"block_length"}};
  for (const char *name : {"batch0", "batch1", "batch2", "batch3", "batch4", "batch5", "b_along_m", "b_along_n", "b_m"})
    fields.push_back({name});
  for (const char *name : {"x", "b", "y"})
    for (unsigned loop = 0; loop < 6; ++loop)
      fields.push_back({name + ("_s" + std::to_string(loop))});
  for (const CpuLevel &level : cpuLevels()) {
    llvm::LLVMContext llvmContext;
    llvm::Module module("kernels", llvmContext);
    for (auto function : fused->getOps<mlir::func::FuncOp>())
      ASSERT_TRUE(cpu::addVectorKernel(module, function, fields, {"x", "b", "y"}, level).entry);
    EXPECT_EQ(countNamed(module, "plane"), 2u) << level.name.str();
    EXPECT_EQ(countNamed(module, "walk."), 1u) << level.name.str();
    EXPECT_EQ(countNamed(module, "walk_any."), 1u) << level.name.str();
  }
}

// A nest of one block, such as a border of one column, is divided too, so that a launch writes it in turns with the
// others. A kernel without other nests counts whole blocks.
TEST(VectorWalk, NestsCountPartsOfBlocks) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::bufferization::BufferizationDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect, mlir::tensor::TensorDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  const std::string alone = kernel("flat", "(n)", "?", "(n)", "?"), kernels = "te.kernel, ";
  std::string nest = alone;
  nest.insert(nest.find(kernels) + kernels.size(), "te.nest = 0 : i64, ");
  const cpu::KernelField fields[] = {{"size0"}, {"block_length"}, {"size0_n0"}, {"block_length_n0"}};
  for (const auto &[text, divides] : {std::pair(alone, false), std::pair(nest, true)}) {
    auto fused = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(fused);
    for (const CpuLevel &level : cpuLevels()) {
      llvm::LLVMContext llvmContext;
      llvm::Module module("kernels", llvmContext);
      for (auto function : fused->getOps<mlir::func::FuncOp>()) {
        cpu::VectorKernel made = cpu::addVectorKernel(module, function, fields, {"x", "b", "y"}, level);
        ASSERT_TRUE(made.entry);
        EXPECT_EQ(made.partBits != 0, divides) << level.name.str();
      }
    }
  }
}

// What is only moved, directly or by way of f32, is bits: f16 and bf16 share the plane, and the description. What is
// computed is not.
TEST(VectorWalk, FloatsThatMoveAreBits) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::bufferization::BufferizationDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::memref::MemRefDialect, mlir::tensor::TensorDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  const std::string direct = "%s = arith.select %which, %q, %p : f16\n", sum = "%s = arith.addf %p, %q : f16\n";
  const std::string single = "%s = arith.select %which, %q, %p : f32\n";
  const std::string whole = "%s = arith.select %which, %q, %p : i32\n";
  const std::string wide = "%v = arith.extf %p : bf16 to f32\n%w = arith.extf %q : bf16 to f32\n";
  const std::string narrow = "%s = arith.truncf %t : f32 to bf16\n";
  const std::string byF32 = wide + "%t = arith.select %which, %w, %v : f32\n" + narrow;
  const std::string product = wide + "%m = arith.mulf %w, %v : f32\n%t = arith.select %which, %w, %m : f32\n" + narrow;
  struct {
    std::string text;
    unsigned planes;
    bool moves;
  } const cases[] = {
      {halves("a", "f16", direct) + halves("b", "bf16", byF32), 1, true},
      {halves("a", "f32", single) + halves("b", "i32", whole), 1, true},
      {halves("a", "f16", sum) + halves("b", "bf16", product), 2, false},
      {halves("a", "f32", "%m = arith.mulf %p, %q : f32\n%s = arith.select %which, %m, %p : f32\n"), 1, false}};
  const cpu::KernelField fields[] = {{"size0"}, {"block_length"}};
  for (const auto &[text, planes, moves] : cases) {
    auto fused = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(fused);
    for (const CpuLevel &level : cpuLevels()) {
      llvm::LLVMContext llvmContext;
      llvm::Module module("kernels", llvmContext);
      for (auto function : fused->getOps<mlir::func::FuncOp>()) {
        llvm::Function *entry = cpu::addVectorKernel(module, function, fields, {"c", "x", "b", "y"}, level).entry;
        ASSERT_TRUE(entry);
        entry->setLinkage(llvm::GlobalValue::ExternalLinkage); // else nothing is left to optimise
      }
      EXPECT_EQ(countNamed(module, "plane"), planes) << level.name.str();
      // Entries that differ in the plane alone share the description and a function that takes the plane.
      EXPECT_EQ(module.global_size(), 1u) << level.name.str();
      EXPECT_EQ(countNamed(module, "flat_entry"), planes - 1) << level.name.str();
      for (llvm::Function &function : module)
        if (function.getName().starts_with("plane"))
          EXPECT_NE(moves, llvm::any_of(llvm::instructions(function),
                                        [](llvm::Instruction &instruction) {
                                          return instruction.getType()->isFPOrFPVectorTy();
                                        }))
              << level.name.str();
      // What takes a plane names none.
      std::string error;
      std::unique_ptr<llvm::TargetMachine> machine = cpu::targetMachine(level, error);
      ASSERT_TRUE(machine) << error;
      cpu::optimise(module, *machine, cpu::CodeForm::Vectors);
      EXPECT_EQ(countNamed(module, "flat_entry"), planes - 1) << level.name.str();
      for (llvm::Function &function : module)
        if (function.getName().starts_with("flat_entry"))
          for (llvm::Instruction &instruction : llvm::instructions(function))
            for (llvm::Value *operand : instruction.operands())
              EXPECT_FALSE(llvm::isa<llvm::Function>(operand) && operand->getName().starts_with("plane"));
    }
  }
}
