// The loops of products whose batches broadcast at launch: whatever the tiling function returns, the loops visit, for
// each row of the result, the row and the matrix that broadcasting gives it. The walk here knows NumPy's rule alone.

#include "TilingProbe.h"

#include <algorithm>
#include <random>

namespace {

using namespace opc;
using namespace opc::probe;

/// A tensor [...S, dims].
ContractTensor matrices(const char *name, const std::vector<std::string> &dims, Broadcast broadcast, bool hasPack) {
  ContractTensor tensor = packed(name, broadcast);
  if (!hasPack)
    tensor.shape.clear();
  for (const std::string &dim : dims)
    tensor.shape.push_back({ContractDim::Symbol, dim});
  return tensor;
}

/// An input of the product in a test: its dimensions after the pack.
struct Operand {
  const char *name;
  std::vector<std::string> dims;
  Broadcast broadcast = Broadcast::Batch;
  bool hasPack = true;
};

Contract productOf(const std::vector<Operand> &inputs) {
  Contract contract;
  contract.opType = "Probe";
  contract.name = "probe";
  for (const Operand &input : inputs)
    contract.inputs.push_back(matrices(input.name, input.dims, input.broadcast, input.hasPack));
  contract.outputs.push_back(matrices("y", {"M", "N"}, Broadcast::None, true));
  contract.bodies.resize(1);
  contract.bodies[0].level = BodyLevel::Te;
  contract.bodies[0].multiplies = true;
  contract.bodies[0].axes = {"K"};
  return contract;
}

/// Where each tensor is at each row of the results, sorted.
using Visits = std::vector<std::vector<int64_t>>;

int64_t sizeOf(const std::string &dim) {
  return dim == "M" ? 3 : dim == "K" ? 5 : 7;
}

/// The places that broadcasting gives: `own` has the sizes of each tensor along the pack, aligned to the right.
Visits expected(const Contract &contract, const Dims &pack, const std::vector<Dims> &own, int64_t rows) {
  Visits visits;
  const int64_t all = elementsOf(pack);
  for (int64_t number = 0; number < all; ++number)
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<int64_t> places;
      for (size_t tensor = 0; tensor < own.size(); ++tensor) {
        const ContractTensor &each = contract.tensorAt(tensor);
        const bool hasPack = each.shape.front().kind == ContractDim::Pack;
        int64_t matrix = 1, at = 0, step = 1, rest = number;
        for (size_t dim = each.shape.size(); dim-- > size_t(hasPack);) {
          if (each.shape[dim].name == "M")
            at += row * matrix;
          matrix *= each.shape[dim].name == "M" ? rows : sizeOf(each.shape[dim].name);
        }
        step = matrix;
        for (size_t i = 0; i < pack.size(); ++i) {
          const int64_t index = rest % pack[pack.size() - 1 - i];
          rest /= pack[pack.size() - 1 - i];
          const int64_t size = hasPack && i < own[tensor].size() ? own[tensor][own[tensor].size() - 1 - i] : 1;
          at += size == 1 ? 0 : index * step;
          step *= size;
        }
        places.push_back(at);
      }
      visits.push_back(places);
    }
  std::sort(visits.begin(), visits.end());
  return visits;
}

/// The places that the loops of a launch visit.
Visits visitsOf(const Contract &contract, const std::map<std::string, int64_t> &fields) {
  static const char *numbers[] = {"5", "4", "3", "2", "0", "1"};
  const size_t tensors = contract.inputs.size() + 1;
  std::vector<std::vector<int64_t>> starts = {std::vector<int64_t>(tensors, 0)};
  for (const char *number : numbers) {
    std::vector<std::vector<int64_t>> inner;
    for (const std::vector<int64_t> &start : starts)
      for (int64_t trip = 0; trip < fields.at(std::string("batch") + number); ++trip) {
        inner.push_back(start);
        for (size_t tensor = 0; tensor < tensors; ++tensor)
          inner.back()[tensor] += trip * fields.at(contract.tensorAt(tensor).name + "_s" + number);
      }
    starts = inner;
  }
  Visits visits;
  for (const std::vector<int64_t> &start : starts)
    for (int64_t row = 0; row < fields.at("size0"); ++row) {
      visits.push_back(start);
      for (size_t tensor = 0; tensor < tensors; ++tensor) {
        const std::vector<ContractDim> &shape = contract.tensorAt(tensor).shape;
        auto named = [](const ContractDim &dim) { return dim.name == "M"; };
        if (std::none_of(shape.begin(), shape.end(), named))
          continue;
        // Contiguous along m, or with a distance.
        visits.back()[tensor] += row * (named(shape.back()) ? 1 : fields.at(contract.tensorAt(tensor).name + "_m"));
      }
    }
  std::sort(visits.begin(), visits.end());
  return visits;
}

/// Runs launches of a contract: packs of these sizes, where `stills` has for each input a bit for each dimension that
/// it does not have, and `missing` the number of leading dimensions that its shape lacks.
class Launches {
public:
  explicit Launches(Contract contract) : tiling(std::move(contract)) {}

  void check(const Dims &pack, const std::vector<unsigned> &stills, const std::vector<size_t> &missing, int64_t rows) {
    const Contract &contract = tiling.contract;
    std::vector<Dims> shapes, own;
    Dims joined(pack.size(), 1);
    for (size_t i = 0; i < contract.inputs.size(); ++i) {
      const ContractTensor &input = contract.inputs[i];
      Dims sizes;
      const bool hasPack = input.shape.front().kind == ContractDim::Pack;
      const bool stretches = input.broadcast == Broadcast::Batch;
      for (size_t dim = stretches ? std::min(missing[i], pack.size()) : 0; dim < pack.size() && hasPack; ++dim)
        sizes.push_back(stretches && (stills[i] >> dim & 1) ? 1 : pack[dim]);
      for (size_t dim = 0; dim < sizes.size(); ++dim)
        if (int64_t &size = joined[pack.size() - sizes.size() + dim]; size == 1)
          size = sizes[dim];
      own.push_back(sizes);
      shapes.push_back(matrix(input, sizes, rows));
    }
    own.push_back(joined);
    shapes.push_back(matrix(contract.outputs[0], joined, rows));
    auto fields = tiling.run(shapes);
    ASSERT_TRUE(fields);
    EXPECT_NE(fields->at("tiling_key"), kNoTilingKey);
    EXPECT_EQ(fields->at("size1"), elementsOf(shapes.back()) ? sizeOf("N") : 0);
    ASSERT_EQ(visitsOf(contract, *fields), expected(contract, joined, own, rows)) << text(shapes);
    last = *fields;
    ++launches;
  }

  Tiling tiling;
  std::map<std::string, int64_t> last; ///< the fields of the last launch
  unsigned launches = 0;

private:
  static Dims matrix(const ContractTensor &tensor, Dims sizes, int64_t rows) {
    for (const ContractDim &dim : tensor.shape)
      if (dim.kind == ContractDim::Symbol)
        sizes.push_back(dim.name == "M" ? rows : sizeOf(dim.name));
    return sizes;
  }
  static std::string text(const std::vector<Dims> &shapes) {
    std::string text;
    for (const Dims &shape : shapes) {
      text += " [";
      for (int64_t size : shape)
        text += " " + std::to_string(size);
      text += " ]";
    }
    return text;
  }
};

const std::vector<std::vector<Operand>> &products() {
  static const std::vector<std::vector<Operand>> all = {
      {{"a", {"M", "K"}}, {"b", {"K", "N"}}},
      {{"a", {"M", "K"}}, {"b", {"N", "K"}}},
      // Rows that are not contiguous in the left operand are never those of several matrices.
      {{"a", {"K", "M"}}, {"b", {"K", "N"}}},
      // One operand decides the batch.
      {{"a", {"M", "K"}, Broadcast::None}, {"b", {"K", "N"}}},
      {{"a", {"M", "K"}}, {"b", {"K", "N"}, Broadcast::None}},
      // An input of results, a row, and an element for each row, of which some broadcast.
      {{"a", {"M", "K"}}, {"b", {"K", "N"}}, {"c", {"M", "N"}}},
      {{"a", {"M", "K"}}, {"b", {"K", "N"}}, {"c", {"N"}, Broadcast::None, false}},
      {{"a", {"M", "K"}}, {"b", {"K", "N"}}, {"c", {"N"}}},
      {{"a", {"M", "K"}}, {"b", {"K", "N"}}, {"c", {"M"}, Broadcast::None, false}},
      {{"a", {"M", "K"}}, {"b", {"K", "N"}, Broadcast::None, false}, {"c", {"M", "N"}}},
  };
  return all;
}

// All packs of up to three dimensions with sizes from 0 to 3, and all broadcasts of the first two inputs.
TEST(BatchLoops, VisitWhatBroadcastingGives) {
  for (const std::vector<Operand> &inputs : products()) {
    Launches launches(productOf(inputs));
    for (size_t rank = 0; rank <= 3; ++rank)
      for (unsigned code = 0; code < 1u << (2 * rank); ++code) {
        Dims pack;
        for (size_t dim = 0; dim < rank; ++dim)
          pack.push_back(code >> (2 * dim) & 3);
        for (unsigned left = 0; left < 1u << rank; ++left)
          for (unsigned right = 0; right < 1u << rank; ++right)
            launches.check(pack, {left, right, (left ^ right) & 5}, {0, 0, 0}, code % 3);
      }
    EXPECT_EQ(launches.launches, 1u + 4 * 4 + 16 * 16 + 64 * 64);
  }
}

// Broadcasts that alternate over all dimensions that a shape may have, and shapes that lack leading dimensions.
TEST(BatchLoops, SixLoops) {
  std::mt19937 random(1);
  for (const std::vector<Operand> &inputs : products()) {
    Launches launches(productOf(inputs));
    launches.check({2, 3, 2, 2, 3, 2}, {0b010101, 0b101010, 0b010101}, {0, 0, 0}, 3);
    launches.check({2, 3, 2, 2, 3, 2}, {0b101010, 0b010101, 0b111111}, {0, 1, 6}, 1);
    for (int i = 0; i < 300; ++i) {
      Dims pack;
      for (size_t dim = random() % 7; dim > 0; --dim)
        pack.push_back(random() % 8 == 0 ? 0 : 1 + random() % 3);
      std::vector<unsigned> stills;
      std::vector<size_t> missing;
      for (int input = 0; input < 3; ++input) {
        stills.push_back(random() % 64);
        missing.push_back(random() % 3 ? 0 : random() % 7);
      }
      launches.check(pack, stills, missing, random() % 4);
    }
  }
}

// Rows of a batch that one matrix multiplies are rows of one product; so are single rows of a batch.
TEST(BatchLoops, RowsOfABatchAreOneLoop) {
  Launches launches(productOf(products().front()));
  auto expectLoops = [&](const Dims &pack, unsigned left, unsigned right, int64_t rows, const Dims &loops) {
    launches.check(pack, {left, right}, {0, 0}, rows);
    const auto &fields = launches.last;
    EXPECT_EQ((Dims{fields.at("size0"), fields.at("batch1"), fields.at("batch0"), fields.at("batch2")}), loops);
  };
  expectLoops({4, 5}, 0, 3, 3, {60, 1, 1, 1});
  expectLoops({4, 5}, 0, 2, 3, {15, 4, 1, 1}); // the right operand has the outer dimension
  expectLoops({4, 5}, 0, 1, 3, {3, 5, 4, 1});
  expectLoops({4, 5}, 3, 0, 3, {3, 20, 1, 1});
  expectLoops({4, 5}, 0, 3, 1, {20, 1, 1, 1});
  expectLoops({4, 5}, 0, 0, 1, {1, 20, 1, 1});
  expectLoops({4, 5}, 2, 1, 1, {1, 5, 4, 1});
  expectLoops({4, 1, 5}, 0, 0, 3, {3, 20, 1, 1});
  // The left operand [...S, K, M] is contiguous along m: its batches are not rows.
  Launches turned(productOf(products()[2]));
  turned.check({4, 5}, {0, 3}, {0, 0}, 3);
  EXPECT_EQ(turned.last.at("size0"), 3);
  EXPECT_EQ(turned.last.at("batch1"), 20);
}

} // namespace
