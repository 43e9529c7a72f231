// Tiling functions of contracts with domains against a slow walk: each element of the domain must be visited once,
// together with the elements that the other tensors have there. The walk counts indices by name.

#include "test/unit/lowering/schedule/TilingProbe.h"

#include <array>
#include <random>

using namespace opc;
using namespace opc::probe;

namespace {

/// A domain of up to seven dimensions, or five in any order, one of them perhaps a pack, with a parameter that has some
/// of them, and a body that reduces some.
Contract randomDomain(std::mt19937 &random, bool permutes) {
  Contract contract = elementwise(2, 0);
  ContractBody body;
  body.level = BodyLevel::Te;
  ContractTensor &x = contract.inputs[0], &parameter = contract.inputs[1], &y = contract.outputs[0];
  x.shape.clear();
  parameter.shape.clear();
  size_t count = 1 + random() % (permutes ? 5 : 7), pack = random() % (2 * count);
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
  unsigned scattered = 0, scatteredBatches = 0;
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
      const std::vector<ContractDim> dims = flatDims(contract.inputs[0].shape);
      const size_t most = kMaxRank + 2 - dims.size(); // with which a pack leads to no rank of more than 8
      for (const ContractDim &dim : dims) {
        Dims &own = sizes[dim.name];
        own.resize(dim.kind == ContractDim::Pack ? random() % std::min<size_t>(4, most) : 1);
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
      scattered += key->outerRuns > 1;
      scatteredBatches += key->batchRuns > 1;
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
  EXPECT_EQ(scattered > 20, !permutes);
  EXPECT_EQ(scatteredBatches > 20, !permutes);
}

TEST(TilingDomains, ReachesWhatDomainsSay) {
  std::map<ShapeKey::Kind, unsigned> served;
  unsigned without = 0;
  checkDomains(std::mt19937(5), false, served, without);
  for (ShapeKey::Kind kind : {ShapeKey::Flat, ShapeKey::Grid, ShapeKey::Rows, ShapeKey::SplitRows, ShapeKey::Columns})
    EXPECT_GT(served[kind], 50u) << kind;
  EXPECT_EQ(without, 0u); // whatever is reduced, beside whatever parameter
}

// Likewise when inputs have their dimensions in any order, whether rows are those of the outputs or of the inputs.
TEST(TilingDomains, ReachesWhatPermutationsSay) {
  std::map<ShapeKey::Kind, unsigned> served;
  unsigned without = 0;
  checkDomains(std::mt19937(6), true, served, without);
  EXPECT_GT(served[ShapeKey::Any], 1000u);
  EXPECT_GT(served[ShapeKey::Strided], 50u);
  EXPECT_GT(without, 10u); // two inputs that end with different dimensions
}

// Likewise when dimensions of tensors are products of those of the domain, in both orders.
TEST(TilingDomains, ReachesWhatProductsSay) {
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
TEST(TilingDomains, ReachesWhatRangesSay) {
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
TEST(TilingDomains, RunsOneNestOfRows) {
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

} // namespace
