// Tiling functions against shapes walked the slow way: the key, its loops, batch loops and strides must reach,
// for every element of the output, the elements that broadcasting says. The walk knows nothing of coalescing:
// it compares indices.

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

#include <array>
#include <cstdlib>
#include <random>

using namespace mlir;
using namespace opc;

namespace {

using Dims = std::vector<int64_t>;

ContractTensor packed(const char *name, Broadcast broadcast) {
  ContractTensor tensor;
  tensor.name = name;
  tensor.types = {ElementType::Float32};
  tensor.shape = {{ContractDim::Pack, "S"}};
  tensor.broadcast = broadcast;
  return tensor;
}

Contract elementwise(unsigned inputs, unsigned broadcasting) {
  Contract contract;
  contract.opType = "Probe";
  contract.name = "probe";
  static const char *names[] = {"x1", "x2", "x3", "x4", "x5"};
  for (unsigned i = 0; i < inputs; ++i)
    contract.inputs.push_back(packed(names[i], i < broadcasting ? Broadcast::Numpy : Broadcast::None));
  contract.outputs.push_back(packed("y", Broadcast::None));
  return contract;
}

Contract reduction() {
  Contract contract = elementwise(1, 0);
  contract.outputs[0].shape.clear();
  contract.outputs[0].reduces = ContractReduction{"x1", "axes", "keepdims"};
  return contract;
}

Contract onRows() {
  Contract contract = elementwise(1, 0);
  contract.inputs[0].shape = {{ContractDim::Pack, "S"}, {ContractDim::Symbol, "N"}};
  contract.outputs[0].shape = contract.inputs[0].shape;
  contract.inputs.push_back(packed("gamma", Broadcast::None));
  contract.inputs[1].shape = {{ContractDim::Symbol, "N"}};
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

int64_t elementsOf(const Dims &shape) {
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  return elements;
}

/// For each element of `output` in order, the element of `input` that broadcasting gives it.
std::vector<int64_t> broadcastIndices(const Dims &input, const Dims &output) {
  std::vector<int64_t> indices;
  for (int64_t flat = 0; flat < elementsOf(output); ++flat) {
    int64_t rest = flat, index = 0, stride = 1;
    for (size_t fromLast = 1; fromLast <= output.size(); ++fromLast) {
      int64_t size = output[output.size() - fromLast], at = rest % size;
      rest /= size;
      int64_t own = fromLast <= input.size() ? input[input.size() - fromLast] : 1;
      index += own == 1 ? 0 : at * stride;
      stride *= own;
    }
    indices.push_back(index);
  }
  return indices;
}

/// The elements of one tensor that the loops of a key visit, in their order.
std::vector<int64_t> visited(const ShapeKey &key, size_t tensor, const std::string &name,
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
              elements.push_back(start + b0 * field(name + "_s0", 0) + b1 * field(name + "_s1", 0) + i * strides[0] +
                                 j * strides[1] + k * strides[2]);
  return elements;
}

/// How many loops an elementwise launch needs, counted from the shapes.
unsigned loopsNeeded(const std::vector<Dims> &inputs, const Dims &output) {
  unsigned loops = 0;
  std::vector<bool> before;
  for (size_t fromLast = 1; fromLast <= output.size(); ++fromLast) {
    int64_t size = output[output.size() - fromLast];
    if (size == 1)
      continue;
    std::vector<bool> stretched;
    for (const Dims &input : inputs)
      stretched.push_back((fromLast <= input.size() ? input[input.size() - fromLast] : 1) != size);
    loops += loops == 0 || stretched != before;
    before = stretched;
  }
  return loops;
}

void checkElementwise(Tiling &tiling, const std::vector<Dims> &inputs, const Dims &output) {
  std::vector<Dims> shapes = inputs;
  shapes.push_back(output);
  auto fields = tiling.run(shapes);
  ASSERT_TRUE(fields);
  const ShapeKey *key = tiling.keyOf(*fields);
  if (elementsOf(output) == 0) {
    ASSERT_TRUE(key);
    EXPECT_EQ(key->number, 0u);
    EXPECT_EQ(fields->at("size0"), 0);
    return;
  }
  ASSERT_TRUE(key);
  // Up to three inputs have a key for every pattern of one loop; more than four loops are those of `any`.
  if (loopsNeeded(inputs, output) > 4)
    EXPECT_EQ(key->kind, ShapeKey::Any);
  if (inputs.size() <= 3 && loopsNeeded(inputs, output) <= 1)
    EXPECT_EQ(key->kind, ShapeKey::Flat);
  for (size_t i = 0; i < inputs.size(); ++i)
    ASSERT_EQ(visited(*key, i, tiling.contract.inputs[i].name, *fields), broadcastIndices(inputs[i], output))
        << key->name;
  std::vector<int64_t> inOrder = broadcastIndices(output, output);
  ASSERT_EQ(visited(*key, inputs.size(), "y", *fields), inOrder) << key->name;
}

Dims randomShape(std::mt19937 &random, int most) {
  Dims shape(random() % 9);
  for (int64_t &size : shape)
    size = random() % 12 == 0 ? 0 : 1 + random() % most;
  return shape;
}

/// A shape that broadcasts to `output`.
Dims stretchedShape(std::mt19937 &random, const Dims &output) {
  size_t rank = random() % (output.size() + 1);
  if (random() % 2)
    rank = output.size();
  Dims shape(output.end() - rank, output.end());
  for (int64_t &size : shape)
    if (random() % 3 == 0)
      size = 1;
  return shape;
}

/// What broadcasting makes of the shapes.
Dims joined(const std::vector<Dims> &shapes) {
  Dims output;
  for (const Dims &shape : shapes)
    output.resize(std::max(output.size(), shape.size()), 1);
  for (size_t fromLast = 1; fromLast <= output.size(); ++fromLast)
    for (const Dims &shape : shapes)
      if (fromLast <= shape.size() && shape[shape.size() - fromLast] != 1)
        output[output.size() - fromLast] = shape[shape.size() - fromLast];
  return output;
}

// Every element of every tensor is reached, whatever two shapes broadcast.
TEST(TilingFunction, ReachesWhatTwoInputsBroadcast) {
  Tiling tiling(elementwise(2, 2));
  std::mt19937 random(1);
  unsigned served = 0;
  for (unsigned i = 0; i < 6000; ++i) {
    Dims whole = randomShape(random, 3);
    std::vector<Dims> inputs = {stretchedShape(random, whole), stretchedShape(random, whole)};
    Dims output = joined(inputs);
    checkElementwise(tiling, inputs, output);
    if (HasFatalFailure())
      return;
    inputs.push_back(output);
    served += tiling.keyOf(*tiling.run(inputs)) != nullptr;
  }
  EXPECT_GT(served, 3000u);
}

TEST(TilingFunction, ReachesWhatThreeInputsBroadcast) {
  Tiling tiling(elementwise(3, 3));
  std::mt19937 random(2);
  unsigned served = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    Dims whole = randomShape(random, 3);
    std::vector<Dims> inputs = {stretchedShape(random, whole), stretchedShape(random, whole),
                                random() % 2 ? whole : stretchedShape(random, whole)};
    Dims output = joined(inputs);
    checkElementwise(tiling, inputs, output);
    if (HasFatalFailure())
      return;
    inputs.push_back(output);
    served += tiling.keyOf(*tiling.run(inputs)) != nullptr;
  }
  EXPECT_GT(served, 1000u);
}

/// Sizes of one dimension: those of three inputs that broadcast, without cases that differ in nothing.
std::vector<std::array<int64_t, 3>> broadcastsOfThree(int64_t mostSize) {
  std::vector<std::array<int64_t, 3>> found = {{1, 1, 1}};
  for (int64_t size = 0; size <= mostSize; ++size)
    for (unsigned moving = 1; size != 1 && moving < 8; ++moving)
      found.push_back({moving & 1 ? size : 1, moving & 2 ? size : 1, moving & 4 ? size : 1});
  return found;
}

// All shapes of rank 4 with sizes from 0 to 3 and all ways in which three inputs broadcast to them; a share of them by
// OPC_TEST_SEED without OPC_TEST_FULL.
TEST(TilingFunction, ReachesAllOfRankFour) {
  Tiling tiling(elementwise(3, 3));
  const auto sizes = broadcastsOfThree(3);
  const char *chosen = std::getenv("OPC_TEST_SEED"), *full = std::getenv("OPC_TEST_FULL");
  const size_t step = full ? 1 : 89, all = sizes.size() * sizes.size() * sizes.size() * sizes.size();
  ASSERT_EQ(all, 234256u);
  for (size_t number = full ? 0 : size_t(chosen ? std::atoi(chosen) : 1) % step; number < all; number += step) {
    std::vector<Dims> inputs(3);
    for (size_t dim = 0, rest = number; dim < 4; ++dim, rest /= sizes.size())
      for (size_t input = 0; input < 3; ++input)
        inputs[input].push_back(sizes[rest % sizes.size()][input]);
    checkElementwise(tiling, inputs, joined(inputs));
    if (HasFatalFailure())
      FAIL() << "case " << number;
  }
}

TEST(TilingFunction, ReachesWhatFiveInputsBroadcast) {
  Tiling tiling(elementwise(5, 5));
  std::mt19937 random(3);
  unsigned ofAny = 0;
  for (unsigned i = 0; i < 1500; ++i) {
    Dims whole = randomShape(random, 3);
    std::vector<Dims> inputs;
    for (unsigned input = 0; input < 5; ++input)
      inputs.push_back(stretchedShape(random, whole));
    Dims output = joined(inputs);
    checkElementwise(tiling, inputs, output);
    if (HasFatalFailure())
      return;
    inputs.push_back(output);
    ofAny += tiling.keyOf(*tiling.run(inputs))->kind == ShapeKey::Any;
  }
  EXPECT_GT(ofAny, 700u);
}

// An operator of one input has one loop and computes nothing of dimensions.
TEST(TilingFunction, OneInputIsFlat) {
  Tiling tiling(elementwise(1, 0));
  auto fields = tiling.run({{3, 1, 5}, {3, 1, 5}});
  ASSERT_TRUE(fields);
  EXPECT_EQ(fields->at("size0"), 15);
  EXPECT_EQ(fields->at("tiling_key"), 256);
  EXPECT_EQ(fields->size(), 3u);
}

TEST(TilingFunction, RowsAreShortOrLong) {
  Tiling tiling(onRows());
  for (int64_t length : {0, 1, 64, 65, 100000}) {
    auto fields = tiling.run({{2, 3, length}, {length}, {2, 3, length}});
    ASSERT_TRUE(fields);
    EXPECT_EQ(fields->at("size0"), 6);
    EXPECT_EQ(fields->at("size1"), length);
    // Rows without elements: the form that makes no pass over them.
    EXPECT_EQ(tiling.keyOf(*fields)->isLong, length > 64 || length == 0);
    EXPECT_EQ(fields->at("row"), std::min<int64_t>(length, 64));
  }
}

// Rows without elements have nothing to read; the short form would read one element of each.
TEST(TilingFunction, ReducedRowsAreShortOrLong) {
  Tiling tiling(reduction());
  for (int64_t length : {0, 2, 64, 65, 100000}) {
    auto fields = tiling.run({{6, length}, {6}}, {false, true});
    ASSERT_TRUE(fields);
    const ShapeKey *key = tiling.keyOf(*fields);
    ASSERT_TRUE(key);
    EXPECT_EQ(key->kind, ShapeKey::ReduceRows);
    EXPECT_EQ(key->isLong, length > 64 || length == 0) << length;
  }
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

/// A domain of up to five dimensions, one of them perhaps a pack, with a parameter that has some of them, and a body
/// that reduces some.
Contract randomDomain(std::mt19937 &random, bool permutes) {
  Contract contract = elementwise(2, 0);
  ContractBody body;
  body.level = BodyLevel::Te;
  ContractTensor &x = contract.inputs[0], &parameter = contract.inputs[1], &y = contract.outputs[0];
  x.shape.clear();
  parameter.shape.clear();
  size_t count = 1 + random() % 5, pack = random() % (2 * count);
  bool reduces = !permutes && random() % 3 > 0;
  for (size_t dim = 0; dim < count; ++dim) {
    std::string name(1, char('A' + dim));
    x.shape.push_back({dim == pack ? ContractDim::Pack : ContractDim::Symbol, name});
    if (random() % 2)
      parameter.shape.push_back(x.shape.back());
    if (reduces && random() % 2)
      body.axes.push_back(name);
  }
  y.shape.clear();
  // Results of reductions, without the dimensions, are the outputs of some.
  bool drops = random() % 3 == 0;
  for (const ContractDim &dim : x.shape)
    if (!drops || std::find(body.axes.begin(), body.axes.end(), dim.name) == body.axes.end())
      y.shape.push_back(dim);
  if (permutes) {
    std::shuffle(x.shape.begin(), x.shape.end(), random);
    std::shuffle(parameter.shape.begin(), parameter.shape.end(), random);
  }
  contract.bodies = {body};
  return contract;
}

/// Gives one symbol the size 2 by an equation, and makes products of it and its neighbours in some tensors.
void addProducts(Contract &contract, std::mt19937 &random) {
  ContractDimension given;
  given.name = std::string(1, char('A' + random() % 5));
  given.equals.emplace();
  given.equals->value = 2;
  contract.dimensions = {given};
  for (ContractTensor *tensor : {&contract.inputs[0], &contract.inputs[1], &contract.outputs[0]})
    for (size_t at = 1; at < tensor->shape.size(); ++at) {
      ContractDim &first = tensor->shape[at - 1], &second = tensor->shape[at];
      bool isPair = first.kind == ContractDim::Symbol && second.kind == ContractDim::Symbol && first.factors.empty() &&
                    (first.name == given.name || second.name == given.name);
      if (!isPair || random() % 4 == 0)
        continue;
      first.factors = {first, second};
      first.name += "*" + second.name;
      tensor->shape.erase(tensor->shape.begin() + ptrdiff_t(at));
    }
}

/// The sizes of a tensor, from those of the dimensions by name.
Dims sizesOf(const ContractTensor &tensor, const std::map<std::string, Dims> &sizes) {
  Dims shape;
  for (const ContractDim &dim : tensor.shape) {
    if (dim.factors.empty())
      shape.insert(shape.end(), sizes.at(dim.name).begin(), sizes.at(dim.name).end());
    else
      shape.push_back(sizes.at(dim.factors[0].name)[0] * sizes.at(dim.factors[1].name)[0]);
  }
  return shape;
}

/// For each element of the domain in order, the element that a tensor has there. The walk counts indices by name.
std::vector<int64_t> domainIndices(const ContractTensor &tensor, const ContractTensor &whole,
                                   const std::map<std::string, Dims> &sizes) {
  std::vector<int64_t> indices;
  const std::vector<ContractDim> dims = flatDims(whole.shape), own = flatDims(tensor.shape);
  int64_t elements = elementsOf(sizesOf(whole, sizes));
  for (int64_t flat = 0; flat < elements; ++flat) {
    int64_t rest = flat, index = 0, stride = 1;
    std::map<std::string, Dims> places;
    for (size_t dim = dims.size(); dim-- > 0;) {
      const Dims &size = sizes.at(dims[dim].name);
      Dims &place = places[dims[dim].name] = size;
      for (size_t at = size.size(); at-- > 0; rest /= size[at])
        place[at] = rest % size[at];
    }
    for (size_t dim = own.size(); dim-- > 0;) {
      const Dims &size = sizes.at(own[dim].name), &place = places.at(own[dim].name);
      for (size_t at = size.size(); at-- > 0; stride *= size[at])
        index += place[at] * stride;
    }
    indices.push_back(index);
  }
  return indices;
}

// Whatever dimensions a parameter lacks and a body reduces, each element of the domain is visited once, together with
// the elements that the other tensors have there.
void checkDomains(std::mt19937 random, bool permutes, std::map<ShapeKey::Kind, unsigned> &served, unsigned &without,
                  bool hasProducts = false) {
  for (unsigned i = 0; i < 240; ++i) {
    Contract contract = randomDomain(random, permutes);
    if (hasProducts)
      addProducts(contract, random);
    std::string reason;
    if (contractKind(contract, reason) != ContractKind::Domain) {
      without += !reason.empty();
      continue;
    }
    Tiling tiling(contract, random() % 2);
    for (unsigned launch = 0; launch < 12; ++launch) {
      std::map<std::string, Dims> sizes;
      for (const ContractDim &dim : flatDims(contract.inputs[0].shape)) {
        Dims &own = sizes[dim.name];
        own.resize(dim.kind == ContractDim::Pack ? random() % 4 : 1);
        const ContractDimension *given = contract.findDimension(dim.name);
        for (int64_t &size : own)
          size = given ? given->equals->value : random() % 16 == 0 ? 0 : 1 + random() % 3;
      }
      // Rows that are long enough for a copy of their own.
      const ContractDim last =
          flatDims(contract.outputs[0].shape).empty() ? ContractDim() : flatDims(contract.outputs[0].shape).back();
      if (permutes && random() % 2 && last.kind == ContractDim::Symbol && !contract.findDimension(last.name))
        sizes[last.name] = {64 + int64_t(random() % 3)};
      std::vector<const ContractTensor *> tensors = {&contract.inputs[0], &contract.inputs[1], &contract.outputs[0]};
      std::vector<Dims> shapes;
      for (const ContractTensor *tensor : tensors)
        shapes.push_back(sizesOf(*tensor, sizes));
      auto fields = tiling.run(shapes);
      ASSERT_TRUE(fields);
      const ShapeKey *key = tiling.keyOf(*fields);
      if (!key)
        continue; // five loops or more
      ++served[key->kind];
      std::vector<std::vector<int64_t>> expected, found;
      for (const ContractTensor *tensor : tensors)
        expected.push_back(domainIndices(*tensor, permutes ? contract.outputs[0] : contract.inputs[0], sizes));
      for (size_t tensor = 0; tensor < tensors.size(); ++tensor)
        found.push_back(visited(*key, tensor, tensors[tensor]->name, *fields));
      auto together = [](const std::vector<std::vector<int64_t>> &lists) {
        std::vector<std::vector<int64_t>> all(lists[0].size());
        for (const std::vector<int64_t> &list : lists) {
          EXPECT_EQ(list.size(), all.size());
          for (size_t at = 0; at < std::min(all.size(), list.size()); ++at)
            all[at].push_back(list[at]);
        }
        std::sort(all.begin(), all.end());
        return all;
      };
      ASSERT_EQ(together(found), together(expected)) << key->name;
    }
  }
}

TEST(TilingFunction, ReachesWhatDomainsSay) {
  std::map<ShapeKey::Kind, unsigned> served;
  unsigned without = 0;
  checkDomains(std::mt19937(5), false, served, without);
  for (ShapeKey::Kind kind : {ShapeKey::Flat, ShapeKey::Grid, ShapeKey::Rows, ShapeKey::SplitRows, ShapeKey::Columns})
    EXPECT_GT(served[kind], 50u) << kind;
  EXPECT_GT(without, 10u);
}

// Likewise when inputs have their dimensions in any order, whether rows are those of the outputs or of the inputs.
TEST(TilingFunction, ReachesWhatPermutationsSay) {
  std::map<ShapeKey::Kind, unsigned> served;
  unsigned without = 0;
  checkDomains(std::mt19937(6), true, served, without);
  EXPECT_GT(served[ShapeKey::Any], 1000u);
  EXPECT_GT(served[ShapeKey::Strided], 50u);
  EXPECT_GT(without, 10u); // two inputs that end with different dimensions
}

// Likewise when dimensions of tensors are products of those of the domain, in both orders.
TEST(TilingFunction, ReachesWhatProductsSay) {
  std::map<ShapeKey::Kind, unsigned> served;
  unsigned without = 0;
  checkDomains(std::mt19937(7), false, served, without, /*hasProducts=*/true);
  checkDomains(std::mt19937(8), true, served, without, /*hasProducts=*/true);
  for (ShapeKey::Kind kind : {ShapeKey::Flat, ShapeKey::Grid, ShapeKey::Rows, ShapeKey::SplitRows, ShapeKey::Columns})
    EXPECT_GT(served[kind], 50u) << kind;
  EXPECT_GT(served[ShapeKey::Any], 1000u);
}

ContractDim symbol(const std::string &name) {
  ContractDim dim;
  dim.name = name;
  return dim;
}

/// Two to four inputs one after another along a dimension in the middle, some of them without the first dimension.
Contract randomRanges(std::mt19937 &random) {
  Contract contract = elementwise(2 + random() % 3, 0);
  const bool hasFront = random() % 3, hasPack = random() % 2, hasBack = hasPack || random() % 3;
  ContractDim sum;
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    ContractDim term = symbol(std::string(1, char('A' + i)));
    sum.name += (i ? "+" : "") + term.name;
    sum.terms.push_back(term);
  }
  auto shape = [&](const ContractDim &dim, bool isFull) {
    std::vector<ContractDim> dims;
    if (hasFront && isFull)
      dims.push_back(symbol("N"));
    dims.push_back(dim);
    if (hasPack)
      dims.push_back({ContractDim::Pack, "S"});
    else if (hasBack)
      dims.push_back(symbol("K"));
    return dims;
  };
  for (size_t i = 0; i < contract.inputs.size(); ++i)
    contract.inputs[i].shape = shape(sum.terms[i], i == 0 || random() % 3);
  contract.outputs[0].shape = shape(sum, true);
  contract.bodies.resize(1);
  contract.bodies[0].level = BodyLevel::Te;
  contract.bodies[0].parts = {sum.name};
  return contract;
}

// The nests of a launch reach each element of the result once, together with the element of the input that lies there.
TEST(TilingFunction, ReachesWhatRangesSay) {
  std::mt19937 random(9);
  unsigned launches = 0;
  for (unsigned i = 0; i < 60; ++i) {
    Contract contract = randomRanges(random);
    std::string reason;
    ASSERT_EQ(contractKind(contract, reason), ContractKind::Domain) << reason;
    Tiling tiling(contract);
    ASSERT_EQ(tiling.keys.size(), contract.inputs.size());
    for (unsigned launch = 0; launch < 12; ++launch, ++launches) {
      auto size = [&] { return random() % 16 == 0 ? int64_t(0) : int64_t(1 + random() % 3); };
      std::map<std::string, Dims> sizes = {{"N", {size()}}, {"K", {size()}}, {"S", Dims(random() % 3)}};
      for (int64_t &each : sizes["S"])
        each = size();
      int64_t total = 0;
      for (const ContractDim &term :
           leavesOf(*std::find_if(contract.outputs[0].shape.begin(), contract.outputs[0].shape.end(),
                                  [](const ContractDim &dim) { return !dim.terms.empty(); }))) {
        sizes[term.name] = {size()};
        total += sizes[term.name][0];
      }
      auto shapeOf = [&](const ContractTensor &tensor) {
        Dims shape;
        for (const ContractDim &dim : tensor.shape)
          if (!dim.terms.empty())
            shape.push_back(total);
          else
            shape.insert(shape.end(), sizes.at(dim.name).begin(), sizes.at(dim.name).end());
        return shape;
      };
      std::vector<Dims> shapes;
      for (const ContractTensor &input : contract.inputs)
        shapes.push_back(shapeOf(input));
      shapes.push_back(shapeOf(contract.outputs[0]));
      auto fields = tiling.run(shapes);
      ASSERT_TRUE(fields);
      EXPECT_EQ(fields->at("tiling_key"), kMaxShapeKeys);

      // What lies where, element by element of the result.
      const bool hasFront = contract.outputs[0].shape.front().terms.empty();
      int64_t front = hasFront ? sizes["N"][0] : 1, back = elementsOf(shapes.back()) == 0 ? 0 : 1;
      if (back)
        back = elementsOf(shapes.back()) / (front * total);
      std::vector<std::array<int64_t, 3>> expected, found; // input, its element, element of the result
      for (int64_t f = 0; f < front; ++f)
        for (int64_t at = 0, input = 0; input < int64_t(contract.inputs.size()); ++input) {
          int64_t own = sizes[std::string(1, char('A' + input))][0];
          bool isFull = contract.inputs[size_t(input)].shape.size() == contract.outputs[0].shape.size();
          for (int64_t c = 0; c < own; ++c, ++at)
            for (int64_t b = 0; b < back; ++b)
              expected.push_back({input, ((isFull ? f : 0) * own + c) * back + b, (f * total + at) * back + b});
        }
      for (const ShapeKey &key : tiling.keys) {
        auto field = [&](const std::string &name) {
          auto known = fields->find(name);
          return known == fields->end() ? 0 : known->second;
        };
        const std::string number = std::to_string(*key.nest), suffix = "_n" + number;
        EXPECT_GE(field("block_num" + suffix), 1);
        auto place = [&](const ShapeKey::Operand &operand, const Dims &trips) {
          const char *names[] = {"_s0", "_s1", "_m"};
          int64_t at = field(operand.name + "_at") + (operand.dims[1] < 0 ? 0 : trips[3]);
          for (size_t loop = 0; loop < 3; ++loop)
            at += loop == 2 && operand.dims[0] < 0 ? 0 : trips[loop] * field(operand.name + names[loop]);
          return at;
        };
        ASSERT_EQ(key.operands.size(), 2u);
        ASSERT_EQ(key.operands[0].tensor, *key.nest);
        for (int64_t b0 = 0; b0 < field("batch0" + suffix); ++b0)
          for (int64_t b1 = 0; b1 < field("batch1" + suffix); ++b1)
            for (int64_t m = 0; m < field("size0" + suffix); ++m)
              for (int64_t n = 0; n < field("size1" + suffix); ++n)
                found.push_back({int64_t(*key.nest), place(key.operands[0], {b0, b1, m, n}),
                                 place(key.operands[1], {b0, b1, m, n})});
      }
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected);
    }
  }
  EXPECT_EQ(launches, 720u);
}

// Of two nests with the same rows a launch runs one, and none that has no results.
TEST(TilingFunction, RunsOneNestOfRows) {
  Contract contract = elementwise(2, 0);
  const ContractDim n{ContractDim::Symbol, "N"}, c{ContractDim::Symbol, "C"}, s{ContractDim::Symbol, "S"};
  contract.inputs[0].shape = {n, c, s};
  contract.inputs[1].shape = {};
  contract.inputs[1].broadcast = Broadcast::Scalar;
  contract.outputs = {packed("a", Broadcast::None), packed("b", Broadcast::None)};
  contract.outputs[0].shape = {n, c};
  contract.outputs[1].shape = {n, s};
  contract.bodies.resize(1);
  contract.bodies[0].level = BodyLevel::Te;
  contract.bodies[0].axes = {"S", "C"};
  contract.bodies[0].results = {{{{"S"}}, {0, 1}}, {{{"C"}}, {0, 1}}};
  Tiling tiling(contract);
  ASSERT_EQ(tiling.keys.size(), 3u);
  for (int64_t rows : {0, 1, 5})
    for (int64_t channels : {0, 3})
      for (int64_t length : {0, 1, 64, 65, 100000}) {
        auto fields = tiling.run({{rows, channels, length}, {}, {rows, channels}, {rows, length}});
        ASSERT_TRUE(fields);
        EXPECT_EQ(fields->at("tiling_key"), kMaxShapeKeys);
        const bool isLong = length > 64 || length == 0, hasRows = rows * channels > 0;
        EXPECT_EQ(fields->at("runs_n0"), hasRows && !isLong) << length;
        EXPECT_EQ(fields->at("runs_n1"), rows * length > 0) << length;
        EXPECT_EQ(fields->at("runs_n2"), hasRows && isLong) << length;
        EXPECT_EQ(fields->at("size0_n2"), rows * channels);
        EXPECT_EQ(fields->at("size1_n2"), length);
        EXPECT_EQ(fields->at("size1_n1"), channels);
        EXPECT_EQ(fields->at("batch1_n1"), rows);
        EXPECT_EQ(fields->at("x1__n1_s1"), channels * length);
        EXPECT_EQ(fields->at("b__n1_s1"), length);
        EXPECT_EQ(fields->at("x2_s0"), 0);
      }
}

// More alternations than other keys have loops: the key that serves every launch, up to eight loops.
TEST(TilingFunction, EightLoopsAreOfAny) {
  Tiling tiling(elementwise(2, 2));
  Dims full(8, 2), half = {2, 1, 2, 1, 2, 1, 2, 1};
  auto fields = tiling.run({half, full, full});
  ASSERT_TRUE(fields);
  EXPECT_EQ(tiling.keyOf(*fields)->kind, ShapeKey::Any);
  EXPECT_EQ(fields->at("batch5"), 2);
  EXPECT_EQ(fields->at("x1_along_m"), 1);
  EXPECT_EQ(fields->at("x1_along_n"), 0);
  EXPECT_GE(fields->at("block_num"), 1);
}

// A reduction of five alternating loops has no kernel, and it is said.
TEST(TilingFunction, RefusesFiveReducedLoops) {
  Tiling tiling(reduction());
  auto fields = tiling.run({{2, 2, 2, 2, 2}, {2, 2}}, {true, false, true, false, true});
  ASSERT_TRUE(fields);
  EXPECT_EQ(fields->at("tiling_key"), kNoTilingKey);
  EXPECT_GE(fields->at("block_num"), 1);
}

// Products past 63 bits end in an error, not in a wrong number.
TEST(TilingFunction, OverflowIsAnError) {
  Tiling tiling(elementwise(2, 2));
  int64_t large = int64_t(1) << 40;
  Dims huge = {large, large};
  std::vector<int64_t> inputs;
  for (const TilingInput &input : tiling.tiling.inputs)
    inputs.push_back(input.kind == TilingInput::Dim && input.dim >= -2 ? large : 1);
  std::vector<int64_t> outputs(tiling.tiling.outputs.size());
  EXPECT_EQ(runTiling(tiling.tiling, inputs.data(), outputs.data()), EvalStatus::Overflow);
}

} // namespace
