// opc_host_shapes.h, the header that travels with packages, against the contract's own binding of shapes: two
// implementations of one promise, over random contracts and random shapes.

#include "lowering/emit/host/support/opc_host_shapes.h"
#include "ops/contract/Shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace opc;

namespace {

/// A contract's shapes as the header's tables, as Signature.cpp prints them.
class Tables {
public:
  explicit Tables(const Contract &contract) {
    for (const ContractTensor &input : contract.inputs) {
      static constexpr opc_host::Tensor::Fit fits[] = {opc_host::Tensor::Exact, opc_host::Tensor::Numpy,
                                                       opc_host::Tensor::Scalar, opc_host::Tensor::Batch};
      signature.inputs.push_back(
          {input.name.c_str(), pattern(input.shape), fits[static_cast<size_t>(input.broadcast)], input.required});
    }
    for (const ContractTensor &output : contract.outputs)
      outputs.push_back(pattern(output.shape));
    for (const ContractDimension &dimension : contract.dimensions) {
      int64_t name = dimension.isPack ? position(packs, dimension.name) : position(symbols, dimension.name);
      signature.bounds.push_back(
          {name, dimension.isPack, dimension.minimum, dimension.maximum, dimension.minimumRank, dimension.maximumRank});
    }
    signature.emptyAllowed = contract.boundary.empty == ContractBoundary::Empty::Allowed;
    for (const std::string &name : symbols)
      signature.symbols.push_back(name.c_str());
    for (const std::string &name : packs)
      signature.packs.push_back(name.c_str());
  }

  opc_host::Signature signature;
  std::vector<std::vector<opc_host::Dim>> outputs;
  std::vector<std::string> symbols, packs;

private:
  static int64_t position(std::vector<std::string> &names, const std::string &name) {
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      found = names.insert(names.end(), name);
    return found - names.begin();
  }
  std::vector<opc_host::Dim> pattern(const std::vector<ContractDim> &shape) {
    std::vector<opc_host::Dim> dims;
    for (const ContractDim &dim : shape) {
      if (dim.kind == ContractDim::Fixed)
        dims.push_back({opc_host::Dim::Fixed, dim.size});
      else if (dim.kind == ContractDim::Pack)
        dims.push_back({opc_host::Dim::Pack, position(packs, dim.name)});
      else
        dims.push_back({opc_host::Dim::Symbol, position(symbols, dim.name)});
    }
    return dims;
  }
};

class RandomContract {
public:
  explicit RandomContract(unsigned seed) : random(seed) {}

  Contract contract() {
    Contract result;
    size_t count = 1 + pick(3);
    bool pack = pick(2);
    for (size_t i = 0; i < count; ++i) {
      ContractTensor input;
      input.name = "x" + std::to_string(i);
      input.broadcast = static_cast<Broadcast>(pick(4) ? pick(2) : 2);
      input.required = i == 0 || pick(4);
      if (pack)
        input.shape.push_back(dim(ContractDim::Pack, "S"));
      if (pack && pick(4) == 0)
        input.broadcast = Broadcast::Batch;
      for (size_t k = pick(3); k > 0; --k)
        input.shape.push_back(pick(5) ? dim(ContractDim::Symbol, std::string(1, "NMK"[pick(3)]))
                                      : dim(ContractDim::Fixed, "", int64_t(1 + pick(3))));
      result.inputs.push_back(std::move(input));
    }
    if (pick(3) == 0)
      result.dimensions.push_back(bounds("N", false));
    if (pack && pick(3) == 0)
      result.dimensions.push_back(bounds("S", true));
    if (pick(4) == 0)
      result.boundary.empty = ContractBoundary::Empty::Refused;
    return result;
  }

  std::vector<std::optional<Shape>> shapes(const Contract &contract) {
    // Mostly of one world, so that many of them fit.
    Shape world = {int64_t(pick(4)), int64_t(1 + pick(3)), int64_t(1 + pick(2))};
    Shape pack(pick(3), 2);
    std::vector<std::optional<Shape>> result;
    for (const ContractTensor &input : contract.inputs) {
      if (!input.required && pick(3) == 0) {
        result.emplace_back(std::nullopt);
        continue;
      }
      Shape shape;
      for (const ContractDim &dim : input.shape) {
        if (dim.kind == ContractDim::Pack)
          shape.insert(shape.end(), pack.begin(), pack.end());
        else if (dim.kind == ContractDim::Fixed)
          shape.push_back(dim.size);
        else
          shape.push_back(world[size_t(std::string("NMK").find(dim.name))]);
      }
      if (input.broadcast == Broadcast::Scalar && pick(3))
        shape.clear();
      for (int64_t &size : shape)
        if (pick(8) == 0)
          size = pick(2) ? 1 : int64_t(pick(5));
      if (!shape.empty() && pick(8) == 0)
        shape.erase(shape.begin());
      if (pick(12) == 0)
        shape.push_back(1);
      result.emplace_back(std::move(shape));
    }
    return result;
  }

  size_t pick(size_t count) { return random() % count; }

private:
  static ContractDim dim(ContractDim::Kind kind, const std::string &name, int64_t size = 0) {
    ContractDim result;
    result.kind = kind;
    result.name = name;
    result.size = size;
    return result;
  }
  ContractDimension bounds(const std::string &name, bool isPack) {
    ContractDimension result;
    result.name = name;
    result.isPack = isPack;
    result.minimum = int64_t(pick(3));
    result.maximum = int64_t(2 + pick(3));
    if (isPack)
      result.maximumRank = unsigned(1 + pick(3));
    return result;
  }
  std::mt19937 random;
};

} // namespace

// A host that takes what the contract refuses launches a kernel outside of its tensors; one that refuses what the
// contract takes is a package that does not work.
TEST(HostShapes, TakesWhatTheContractTakes) {
  RandomContract random(310);
  size_t taken = 0, refused = 0;
  for (int round = 0; round < 4000; ++round) {
    Contract contract = random.contract();
    Tables tables(contract);
    for (int trial = 0; trial < 5; ++trial) {
      std::vector<std::optional<Shape>> shapes = random.shapes(contract);
      ShapeBinding expected;
      std::string wrong = bindShapes(contract, shapes, expected);
      std::vector<opc_host::Shape> given;
      std::string text;
      for (const std::optional<Shape> &shape : shapes) {
        opc_host::Shape one;
        one.given = shape.has_value();
        if (shape)
          one.sizes = *shape;
        text += (shape ? printShape(*shape) : "none") + " ";
        given.push_back(one);
      }
      opc_host::Binding found;
      std::string hostWrong = opc_host::Bind(tables.signature, given, found);
      ASSERT_EQ(wrong.empty(), hostWrong.empty())
          << "round " << round << ": " << text << "\ncontract: " << wrong << "\nhost: " << hostWrong;
      taken += wrong.empty();
      refused += !wrong.empty();
      if (!wrong.empty())
        continue;
      for (const auto &[name, size] : expected.symbols) {
        auto at = std::find(tables.symbols.begin(), tables.symbols.end(), name);
        ASSERT_EQ(found.symbols[size_t(at - tables.symbols.begin())], size) << name << " " << text;
      }
      for (const auto &[name, pack] : expected.packs) {
        auto at = std::find(tables.packs.begin(), tables.packs.end(), name);
        ASSERT_EQ(found.packs[size_t(at - tables.packs.begin())].sizes, pack) << name << " " << text;
      }
    }
  }
  // Both answers are tried often, or the test says nothing.
  EXPECT_GT(taken, 3000u);
  EXPECT_GT(refused, 3000u);
}

// Before a launch sizes may be unknown: what is true for some sizes is never refused.
TEST(HostShapes, UnknownSizesRefuseNothingThatMayFit) {
  RandomContract random(7);
  for (int round = 0; round < 4000; ++round) {
    Contract contract = random.contract();
    Tables tables(contract);
    std::vector<std::optional<Shape>> shapes = random.shapes(contract);
    ShapeBinding binding;
    if (!bindShapes(contract, shapes, binding).empty())
      continue;
    std::vector<opc_host::Shape> given;
    for (const std::optional<Shape> &shape : shapes) {
      opc_host::Shape one;
      one.given = shape.has_value();
      if (shape)
        one.sizes = *shape;
      for (int64_t &size : one.sizes)
        if (random.pick(3) == 0)
          size = opc_host::kUnknown;
      if (random.pick(10) == 0) {
        one.rankKnown = false;
        one.sizes.clear();
      }
      given.push_back(one);
    }
    opc_host::Binding found;
    ASSERT_EQ(opc_host::Bind(tables.signature, given, found), "") << "round " << round;
  }
}

TEST(HostShapes, Reduce) {
  opc_host::Shape in, out;
  in.sizes = {2, 3, 4};
  ASSERT_TRUE(opc_host::Reduce(in, {-1}, true, out));
  EXPECT_EQ(out.sizes, (Shape{2, 3, 1}));
  ASSERT_TRUE(opc_host::Reduce(in, {0, 2}, false, out));
  EXPECT_EQ(out.sizes, (Shape{3}));
  ASSERT_TRUE(opc_host::Reduce(in, {}, false, out));
  EXPECT_TRUE(out.sizes.empty());
  EXPECT_FALSE(opc_host::Reduce(in, {3}, false, out));
  EXPECT_FALSE(opc_host::Reduce(in, {1, -2}, false, out)) << "one axis twice";
}

TEST(HostShapes, WhatTilingFunctionsAsk) {
  opc_host::Shape shape;
  shape.sizes = {2, 3};
  EXPECT_EQ(opc_host::NumElements(shape), 6);
  EXPECT_EQ(opc_host::DimOf(shape, -1), 3);
  EXPECT_EQ(opc_host::DimOf(shape, 5), 1) << "there is none";
  EXPECT_EQ(opc_host::RankOf(shape), 2);
  EXPECT_EQ(opc_host::Reduced(shape, {-1}, 1), 1);
  EXPECT_EQ(opc_host::Reduced(shape, {-1}, 0), 0);
  EXPECT_EQ(opc_host::Reduced(shape, {}, -2), 1) << "no axes are all axes";
  EXPECT_EQ(opc_host::Reduced(shape, {}, 2), 0) << "there is none";
  shape.sizes = {INT64_MAX, 2};
  EXPECT_EQ(opc_host::NumElements(shape), opc_host::kUnknown);
  shape.sizes = {INT64_MAX, 2, 0};
  EXPECT_EQ(opc_host::NumElements(shape), 0);
}
