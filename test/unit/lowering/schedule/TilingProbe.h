// A contract's tiling function, run on launches, and the elements that the loops of a key then visit.

#ifndef OPC_TEST_UNIT_LOWERING_SCHEDULE_TILINGPROBE_H
#define OPC_TEST_UNIT_LOWERING_SCHEDULE_TILINGPROBE_H

#include "lowering/schedule/tiling/TilingFunction.h"

#include "dialect/aicore/AICoreOps.h"
#include "lowering/aicore/Passes.h"
#include "lowering/emit/tiling/TilingBytecode.h"
#include "ops/contract/domain/ShapeKeys.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opc::probe {

using namespace mlir;

using Dims = std::vector<int64_t>;

inline ContractTensor packed(const char *name, Broadcast broadcast) {
  ContractTensor tensor;
  tensor.name = name;
  tensor.types = {ElementType::Float32};
  tensor.shape = {{ContractDim::Pack, "S"}};
  tensor.broadcast = broadcast;
  return tensor;
}

inline Contract elementwise(unsigned inputs, unsigned broadcasting) {
  Contract contract;
  contract.opType = "Probe";
  contract.name = "probe";
  static const char *names[] = {"x1", "x2", "x3", "x4", "x5"};
  for (unsigned i = 0; i < inputs; ++i)
    contract.inputs.push_back(packed(names[i], i < broadcasting ? Broadcast::Numpy : Broadcast::None));
  contract.outputs.push_back(packed("y", Broadcast::None));
  return contract;
}

/// Blocks of 100 elements of the first loop, and a field that only some keys have.
struct ProbePolicy : TilingPolicy {
  explicit ProbePolicy(bool rowsAcross) : rowsAcross(rowsAcross) {}
  bool takesRowsAcross() const override { return rowsAcross; }
  std::optional<int64_t> longestRow(const ShapeKey &) override { return 64; }
  std::vector<PolicyField> fields(TilingMath &math, const ShapeKey &key, const LaunchSizes &sizes) override {
    Value blocks = math.max(math.ceilDiv(sizes.size[0], math.constant(100)), math.constant(1));
    std::vector<PolicyField> fields = {{"block_num", math.min(blocks, sizes.maxBlocks)}};
    if (key.loops == 2)
      fields.push_back({"row", math.min(sizes.size[1], math.constant(64))});
    return fields;
  }
  bool rowsAcross;
};

/// A contract's tiling function, ready to run.
class Tiling {
public:
  explicit Tiling(Contract contract, bool rowsAcross = false)
      : contract(std::move(contract)), keys(shapeKeys(this->contract)) {
    context.loadDialect<aicore::AICoreDialect, func::FuncDialect, arith::ArithDialect>();
    module = ModuleOp::create(UnknownLoc::get(&context));
    ProbePolicy policy(rowsAcross);
    func::FuncOp function = buildTilingFunction(*module, UnknownLoc::get(&context), "probe_tiling", this->contract,
                                                keys, /*typeRow=*/1, policy);
    EXPECT_TRUE(succeeded(verify(*module)));
    PassManager passes(&context);
    passes.addPass(aicore::createVerifyTilingPass());
    EXPECT_TRUE(succeeded(passes.run(*module)));

    KernelInterface interface;
    interface.name = "probe";
    for (const auto *tensors : {&this->contract.inputs, &this->contract.outputs})
      for (const ContractTensor &tensor : *tensors)
        interface.tensors.push_back({tensor.name, tensor.types[0]});
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      interface.fields.push_back(
          {function.getResultAttrOfType<StringAttr>(i, "aicore.name").str(), TilingField::UInt64});
    interface.tiling = function;
    FailureOr<TilingFunction> emitted = emitTilingBytecode(interface);
    EXPECT_TRUE(succeeded(emitted));
    tiling = *emitted;
  }

  /// Fields by name; nullopt when the launch is refused.
  std::optional<std::map<std::string, int64_t>> run(const std::vector<Dims> &shapes,
                                                    const std::vector<bool> &reduced = {}, int64_t maxBlocks = 1) {
    std::vector<int64_t> inputs;
    for (const TilingInput &input : tiling.inputs) {
      const Dims *shape = input.kind == TilingInput::MaxBlocks ? nullptr : &shapes[input.tensor];
      int64_t elements = 1;
      if (shape)
        for (int64_t size : *shape)
          elements *= size;
      int64_t rank = shape ? int64_t(shape->size()) : 0, at = input.dim < 0 ? rank + input.dim : input.dim;
      switch (static_cast<int>(input.kind)) {
      case TilingInput::NumElements:
        inputs.push_back(elements);
        break;
      case TilingInput::Dim:
        inputs.push_back(at >= 0 && at < rank ? (*shape)[at] : 1);
        break;
      case TilingInput::MaxBlocks:
        inputs.push_back(maxBlocks);
        break;
      case static_cast<int>(aicore::SizeKind::Rank):
        inputs.push_back(rank);
        break;
      case static_cast<int>(aicore::SizeKind::Reduced):
        inputs.push_back(at >= 0 && reduced[at]);
        break;
      default:
        ADD_FAILURE() << "an input that no tiling function of te asks for";
      }
    }
    std::vector<int64_t> outputs(tiling.outputs.size());
    if (runTiling(tiling, inputs.data(), outputs.data()) != EvalStatus::Ok)
      return std::nullopt;
    std::map<std::string, int64_t> fields;
    for (size_t i = 0; i < outputs.size(); ++i)
      fields[tiling.outputs[i].field.name] = outputs[i];
    return fields;
  }

  const ShapeKey *keyOf(const std::map<std::string, int64_t> &fields) const {
    int64_t number = fields.at("tiling_key");
    if (number == kNoTilingKey)
      return nullptr;
    EXPECT_EQ(number / kMaxShapeKeys, 1);
    return &keys.at(number % kMaxShapeKeys);
  }

  Contract contract;
  std::vector<ShapeKey> keys;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  TilingFunction tiling;
};

inline int64_t elementsOf(const Dims &shape) {
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  return elements;
}

/// The elements of one tensor that the loops of a key visit, in their order.
inline std::vector<int64_t> visited(const ShapeKey &key, size_t tensor, const std::string &name,
                                    const std::map<std::string, int64_t> &fields) {
  auto field = [&](const std::string &which, int64_t absent) {
    auto found = fields.find(which);
    return found == fields.end() ? absent : found->second;
  };
  bool batched = key.kind != ShapeKey::Flat && (key.kind != ShapeKey::Rows || key.isBatched);
  int64_t sizes[3] = {1, 1, 1};
  for (unsigned loop = 0; loop < key.loops; ++loop)
    sizes[loop] = field("size" + std::to_string(loop), -1);
  int64_t strides[3] = {0, 0, 0}, stride = 1;
  const std::vector<int> &dims = key.operands[tensor].dims;
  for (size_t dim = dims.size(); dim-- > 0;)
    if (dims[dim] >= 0) {
      strides[dims[dim]] = stride;
      stride *= sizes[dims[dim]];
    }
  if (key.kind == ShapeKey::ReduceColumns && dims.size() == 3)
    strides[0] = field(name + "_r0", -1);
  if (key.kind == ShapeKey::SplitRows || key.kind == ShapeKey::Columns) {
    strides[0] = field(name + "_r0", -1);
    strides[1] = field(name + "_m", -1);
  }
  if (key.operands[tensor].isOfLaunch) {
    strides[0] = field(name + "_along_m", -1) * field(name + "_m", -1);
    strides[1] = field(name + "_along_n", -1) * field(name + "_n", 1);
  } else if (key.kind == ShapeKey::Any) {
    strides[0] = field(name + "_m", strides[0]);
  } else if (key.kind == ShapeKey::Strided && dims[0] >= 0) {
    strides[0] = field(name + "_m", -1);
  }
  // The distances of the trips of a loop of several runs: the last one moves fastest.
  auto distancesOf = [&](unsigned runs, const std::string &loop, const std::string &steps) {
    std::vector<int64_t> distances = {0};
    for (unsigned run = runs; run-- > 0 && runs > 1;) {
      const std::string number = std::to_string(run);
      std::vector<int64_t> inner;
      for (int64_t start : distances)
        for (int64_t trip = 0; trip < field(loop + "_r" + number, -1); ++trip)
          inner.push_back(start + trip * field(name + steps + number, -1));
      distances = inner;
    }
    if (runs > 1)
      EXPECT_EQ(int64_t(distances.size()), field(loop, -1));
    return distances;
  };
  std::vector<int64_t> outer = distancesOf(key.outerRuns, "size0", "_r");
  if (dims[0] < 0)
    std::fill(outer.begin(), outer.end(), 0);
  const std::vector<int64_t> batches = distancesOf(key.batchRuns, "batch0", "_b");
  // Of `any`: the start of each trip of the outermost batch loops.
  std::vector<int64_t> starts = {0};
  for (const char *number : {"5", "4", "3", "2"}) {
    std::vector<int64_t> inner;
    for (int64_t start : starts)
      for (int64_t trip = 0; trip < (key.kind == ShapeKey::Any ? field(std::string("batch") + number, -1) : 1); ++trip)
        inner.push_back(start + trip * field(name + "_s" + number, 0));
    starts = inner;
  }
  std::vector<int64_t> elements;
  for (int64_t start : starts)
    for (int64_t b0 = 0; b0 < (batched ? field("batch0", 1) : 1); ++b0)
      for (int64_t b1 = 0; b1 < (batched ? field("batch1", 1) : 1); ++b1)
        for (int64_t i = 0; i < sizes[0]; ++i)
          for (int64_t j = 0; j < sizes[1]; ++j)
            for (int64_t k = 0; k < sizes[2]; ++k)
              elements.push_back(start + (key.batchRuns > 1 ? batches.at(size_t(b0)) : b0 * field(name + "_s0", 0)) +
                                 b1 * field(name + "_s1", 0) +
                                 (key.outerRuns > 1 ? outer.at(size_t(i)) : i * strides[0]) + j * strides[1] +
                                 k * strides[2]);
  return elements;
}

} // namespace opc::probe

#endif // OPC_TEST_UNIT_LOWERING_SCHEDULE_TILINGPROBE_H
