// The post-conditions of coalesce (Coalesce.h, coalesce_p1 to p4) over all shapes of rank 4 with sizes from 0 to 3 and
// three operands, and over shapes of rank 8 by seed: the bytecode runs, and a walk over elements says where they are.
// The walk knows neither neighbours nor loops.

#include "lowering/schedule/tiling/Coalesce.h"

#include "dialect/aicore/AICoreOps.h"
#include "lowering/emit/tiling/TilingBytecode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace opc;

namespace {

constexpr unsigned kOperands = 3;
using Numbers = std::vector<int64_t>;

/// What coalesce returned.
struct Loops {
  int64_t count = 0;
  Numbers sizes, classes;
};

/// A tiling function that coalesces `rank` dimensions, last one first.
class Coalescing {
public:
  explicit Coalescing(unsigned rank) {
    context.loadDialect<aicore::AICoreDialect, func::FuncDialect, arith::ArithDialect>();
    module = ModuleOp::create(UnknownLoc::get(&context));
    auto builder = OpBuilder::atBlockEnd(module->getBody());
    auto function = func::FuncOp::create(builder, module->getLoc(), "coalescing", builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
    SmallVector<Value> sizes, classes;
    for (auto *values : {&sizes, &classes})
      for (unsigned dim = 0; dim < rank; ++dim)
        values->push_back(argument(function, builder, dim));
    TilingMath math(builder, function.getLoc());
    CoalescedLoops loops = coalesce(math, sizes, classes, kMaxLoops);
    SmallVector<Value> results = {loops.count};
    llvm::append_range(results, loops.size);
    llvm::append_range(results, loops.type);
    func::ReturnOp::create(builder, function.getLoc(), results);
    KernelInterface interface;
    interface.tensors = {{"x", ElementType::Float32}};
    // The first field of every tiling function has this name; here it is the number of loops.
    interface.fields = {{"block_num", TilingField::UInt32}};
    for (size_t i = 1; i < results.size(); ++i)
      interface.fields.push_back({"f" + std::to_string(i), TilingField::UInt64});
    interface.tiling = function;
    FailureOr<TilingFunction> emitted = emitTilingBytecode(interface);
    EXPECT_TRUE(succeeded(emitted));
    tiling = *emitted;
  }

  /// Dimensions in their order, first one first.
  Loops run(const Numbers &sizes, const Numbers &classes) const {
    Numbers inputs(sizes.rbegin(), sizes.rend()), outputs(tiling.outputs.size());
    inputs.insert(inputs.end(), classes.rbegin(), classes.rend());
    EXPECT_EQ(runTiling(tiling, inputs.data(), outputs.data()), EvalStatus::Ok);
    auto first = outputs.begin() + 1, half = first + kMaxLoops;
    return {outputs[0], {first, half}, {half, outputs.end()}};
  }

private:
  static Value argument(func::FuncOp function, OpBuilder &builder, unsigned dim) {
    auto size = aicore::SizeAttr::get(builder.getContext(), aicore::SizeKind::Dim, dim, builder.getStringAttr("x"));
    auto attribute = builder.getNamedAttr(aicore::AICoreDialect::kSizeAttr, size);
    unsigned index = function.getNumArguments();
    (void)function.insertArgument(index, builder.getIndexType(), builder.getDictionaryAttr(attribute),
                                  function.getLoc());
    return function.getArgument(index);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  TilingFunction tiling;
};

/// The offset of an element in an operand that stands still along the dimensions whose class has its bit; the innermost
/// dimension is the first one.
int64_t offsetOf(int64_t element, const Numbers &sizes, const Numbers &classes, unsigned operand) {
  int64_t offset = 0, stride = 1;
  for (size_t dim = 0; dim < sizes.size(); ++dim) {
    const int64_t place = element % sizes[dim];
    element /= sizes[dim];
    if ((classes[dim] >> operand & 1) != 0)
      continue;
    offset += place * stride;
    stride *= sizes[dim];
  }
  return offset;
}

int64_t productOf(const Numbers &sizes) {
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  return product;
}

/// The label of the post-condition that does not hold; empty if all do.
std::string broken(const Numbers &sizes, const Numbers &classes, const Loops &loops) {
  const int64_t elements = productOf(sizes);
  if (productOf(loops.sizes) != elements)
    return "coalesce_p1";
  for (int64_t loop = 0; loop < int64_t(kMaxLoops); ++loop)
    if (loop < loops.count ? loops.sizes[loop] == 1 : loops.sizes[loop] != 1 || loops.classes[loop] != 0)
      return "coalesce_p2";
  for (int64_t loop = 1; loop < loops.count; ++loop)
    if (loops.classes[loop] == loops.classes[loop - 1])
      return "coalesce_p3";
  const Numbers inward(sizes.rbegin(), sizes.rend()), ofInward(classes.rbegin(), classes.rend());
  for (int64_t element = 0; element < elements; ++element)
    for (unsigned operand = 0; operand < kOperands; ++operand)
      if (offsetOf(element, inward, ofInward, operand) != offsetOf(element, loops.sizes, loops.classes, operand))
        return "coalesce_p4";
  return "";
}

/// Digit number `index` of a number in a base.
int64_t digit(int64_t number, unsigned index, int64_t base) {
  while (index-- > 0)
    number /= base;
  return number % base;
}

std::string text(const Numbers &numbers) {
  std::string all;
  for (int64_t number : numbers)
    all += " " + std::to_string(number);
  return all;
}

TEST(Coalesce, KeepsItsPostConditionsOfRankFour) {
  const Coalescing coalescing(4);
  for (int64_t number = 0; number < 256 * 4096; ++number) {
    Numbers sizes, classes;
    for (unsigned dim = 0; dim < 4; ++dim) {
      sizes.push_back(digit(number % 256, dim, 4));
      classes.push_back(digit(number / 256, dim, 8));
    }
    ASSERT_EQ(broken(sizes, classes, coalescing.run(sizes, classes)), "")
        << "sizes" << text(sizes) << ", classes" << text(classes);
  }
}

TEST(Coalesce, KeepsItsPostConditionsOfRankEight) {
  const Coalescing coalescing(8);
  std::mt19937 random(13);
  for (int turn = 0; turn < 2000; ++turn) {
    Numbers sizes, classes;
    for (unsigned dim = 0; dim < 8; ++dim) {
      sizes.push_back(int64_t(random() % 20 == 0 ? 0 : 1 + random() % 3));
      classes.push_back(int64_t(random() % 3 == 0 && dim != 0 ? classes.back() : random() % 8));
    }
    ASSERT_EQ(broken(sizes, classes, coalescing.run(sizes, classes)), "")
        << "sizes" << text(sizes) << ", classes" << text(classes);
  }
}

} // namespace
