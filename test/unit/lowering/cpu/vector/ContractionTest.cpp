// Matrix products: every order of both operands, tails of rows, columns and k, batches with and without a matrix of
// their own, what follows on the results, blocks of any division, and tiling data that leads outside of tensors.

#include "test/unit/lowering/cpu/vector/ProductBodies.h"

#include "runtime/program/opc_kernel_library.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace opc;
using namespace opc::test;
using namespace opc::test::products;

namespace {

class VectorContraction : public LevelTest {};

const std::vector<Form> kForms = {{false, false, false}, {true, false, false}, {false, true, false},
                                  {true, true, false},   {false, false, true}, {true, true, true}};

} // namespace

// Whatever is a tail: of rows and columns of a register tile, of a panel, of a part of k, of a tile of the launch.
TEST_P(VectorContraction, ComputesEveryTail) {
  const std::vector<Launch> launches = {
      {1, 1, 1},      {5, 3, 7},       {6, 16, 8},      {7, 17, 9},           {13, 70, 40},
      {25, 130, 257}, {29, 50, 257},   {1, 200, 300},   {1, 7, 1000},         {2, 33, 515},
      {205, 65, 12},  {217, 20, 9},    {8, 40, 30},     {9, 33, 20},          {10, 20, 5},
      {11, 24, 0},    {3, 40, 20, 4},  {1, 40, 20, 3},  {9, 20, 33, 5, true}, {2, 511, 515},
      {16, 531, 1},   {13, 521, 1043}, {16, 1030, 257}, {15, 37, 701},        {17, 513, 512},
      {3, 5, 130, 2}, {49, 1025, 9},   {50, 512, 9},    {40, 1024, 9},        {13, 1024, 9}};
  for (const Form &form : kForms) {
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (const Launch &launch : launches) {
      Data data(launch, 31);
      const std::vector<float> expected = data.expected(form, launch);
      ASSERT_EQ(harness.run("k", data.tensors(form), tilingOf(form, launch.fields(form)), 0, launch.tiles()), 0);
      EXPECT_EQ(data.y, expected) << launch.batches << " of " << launch.m << "x" << launch.n << "x" << launch.k
                                  << (form.isLeftTurned ? " left turned" : "")
                                  << (form.isRightTurned ? " right turned" : "") << (form.follows ? " relu" : "");
      const std::vector<int64_t> tiling = tilingOf(form, launch.fields(form));
      for (int64_t place = 0; place < OPC_KERNEL_PACKED_PLACES; ++place) {
        std::fill(data.y.begin(), data.y.end(), -77.0f);
        const int32_t status = harness.runPacked("k", place, data.tensors(form), tiling, 0, launch.tiles());
        // A single row is read as it is, and so are few rows where that is faster, and rows of which 1 to 3 are after
        // the last part of the launch.
        const int64_t rest = launch.m % launch.tileM;
        const bool isFew = launch.m <= 16 && (form.isRightTurned ? launch.k >= std::max<int64_t>(128, 16 * launch.m)
                                                                 : launch.k * launch.n >= int64_t(1) << 18);
        const bool isPacked =
            launch.m > 1 && !isFew && (place != 0 || launch.m < launch.tileM || rest == 0 || rest > 3);
        EXPECT_EQ(status, isPacked ? 0 : OPC_KERNEL_NOT_PACKED);
        EXPECT_EQ(data.y, expected) << "packed " << place << ": " << launch.m << "x" << launch.n << "x" << launch.k
                                    << (form.isLeftTurned ? " left turned" : "")
                                    << (form.isRightTurned ? " right turned" : "");
      }
    }
  }
}

// Packing a matrix may write into the next one. Matrices of a batch that lie in another order than they are packed in
// stay as they are; in that order they are packed.
TEST_P(VectorContraction, PacksBatchesInTheOrderInWhichTheyLie) {
  const Form form;
  VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  constexpr int64_t kOuter = 2, kInner = 3;
  const Launch launch{6, 16, 8, kOuter * kInner};
  const int64_t matrix = launch.m * launch.k;
  for (bool isTurned : {false, true}) {
    Data data(launch, 5);
    const std::vector<float> expected = data.expected(form, launch), a = data.a;
    std::map<std::string, int64_t> fields = launch.fields(form);
    fields["batch0"] = kOuter;
    fields["batch1"] = kInner;
    fields["a_s0"] = isTurned ? matrix : kInner * matrix;
    fields["a_s1"] = isTurned ? kOuter * matrix : matrix;
    fields["b_s0"] = kInner * launch.k * launch.n;
    fields["y_s0"] = kInner * launch.m * launch.n;
    for (int64_t outer = 0; outer < kOuter && isTurned; ++outer)
      for (int64_t inner = 0; inner < kInner; ++inner)
        std::copy_n(a.begin() + (outer * kInner + inner) * matrix, matrix,
                    data.a.begin() + (inner * kOuter + outer) * matrix);
    const std::vector<int64_t> tiling = tilingOf(form, fields);
    ASSERT_EQ(harness.run("k", data.tensors(form), tiling, 0, launch.tiles()), 0);
    EXPECT_EQ(data.y, expected) << "as it is, turned: " << isTurned;
    std::fill(data.y.begin(), data.y.end(), -77.0f);
    // The second block begins between two matrices of the inner loop.
    ASSERT_EQ(harness.run("k", data.tensors(form), tiling, 0, kInner - 1), 0);
    ASSERT_EQ(harness.run("k", data.tensors(form), tiling, kInner - 1, launch.tiles()), 0);
    EXPECT_EQ(data.y, expected) << "in two blocks, turned: " << isTurned;
    std::fill(data.y.begin(), data.y.end(), -77.0f);
    const int32_t status = harness.runPacked("k", 0, data.tensors(form), tiling, 0, launch.tiles());
    EXPECT_EQ(status, isTurned ? OPC_KERNEL_NOT_PACKED : 0);
    if (status == 0)
      EXPECT_EQ(data.y, expected) << "packed, turned: " << isTurned;
  }
}

// One row and a few of f16: sums in registers or in memory, rows that share sets of the cache, several parts of k.
TEST_P(VectorContraction, OfHalvesAreExact) {
  const uint16_t halves[] = {0xc400, 0xc200, 0xc000, 0xbc00, 0, 0x3c00, 0x4000, 0x4200, 0x4400}; // -4 to 4
  auto halvesOf = [&](const std::vector<float> &values) {
    std::vector<uint16_t> found;
    for (float value : values)
      found.push_back(std::isinf(value) ? 0x7c00 : halves[int(value) + 4]);
    return found;
  };
  for (bool isRightTurned : {false, true}) {
    Form form;
    form.isRightTurned = isRightTurned;
    form.isOfHalves = true;
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    std::vector<Launch> launches = {{1, 600, 41}, {1, 331, 9},  {1, 2048, 11}, {1, 256, 1}, {1, 70, 200},
                                    {1, 300, 0},  {5, 530, 70}, {16, 40, 131}, {3, 9, 30},  {1, 260, 30, 3}};
    if (!isRightTurned)
      launches.push_back({1, 258, 16391});
    for (Launch launch : launches) {
      launch.tileN = 512;
      Data data(launch, unsigned(launch.n));
      // An infinite number in the last vector that the vectors before have added.
      if (const int64_t k = launch.k - 15; k > 20 && launch.batches == 1) {
        data.b[size_t(isRightTurned ? k : k * launch.n)] = INFINITY;
        for (int64_t i = 0; i < launch.m; ++i)
          data.a[size_t(i * launch.k + k)] = 1;
      }
      const std::vector<uint16_t> a = halvesOf(data.a), b = halvesOf(data.b);
      const std::vector<float> expected = data.expected(form, launch);
      const std::vector<VectorHarness::Tensor> tensors = {tensor(a), tensor(b), data.tensors(form).back()};
      ASSERT_EQ(harness.run("k", tensors, tilingOf(form, launch.fields(form)), 0, launch.tiles()), 0);
      EXPECT_EQ(data.y, expected) << launch.m << "x" << launch.n << "x" << launch.k << (isRightTurned ? " turned" : "");
    }
  }
}

// Threads take any ranges of blocks: the bits of a result do not depend on which, or in what order.
TEST_P(VectorContraction, BlocksDecideAboutNoSum) {
  for (bool isRightTurned : {false, true}) {
    const Form form{false, isRightTurned, true};
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (Launch launch : {Launch{100, 210, 700}, Launch{1, 500, 700}, Launch{15, 530, 700}}) {
      Data data(launch, 7);
      std::mt19937 random(3);
      for (std::vector<float> *values : {&data.a, &data.b})
        for (float &value : *values)
          value = std::ldexp(float(random() % 65536) - 32768.0f, -12);
      const std::vector<int64_t> tiling = tilingOf(form, launch.fields(form));
      ASSERT_EQ(harness.run("k", data.tensors(form), tiling, 0, launch.tiles()), 0);
      const std::vector<float> whole = data.y;
      std::fill(data.y.begin(), data.y.end(), -77.0f);
      for (int64_t block = launch.tiles(); block-- > 0;)
        ASSERT_EQ(harness.run("k", data.tensors(form), tiling, block, block + 1), 0);
      EXPECT_EQ(std::memcmp(data.y.data(), whole.data(), whole.size() * sizeof(float)), 0) << launch.m;
      for (int64_t place = 0; place < OPC_KERNEL_PACKED_PLACES && launch.m > 16; ++place) {
        std::fill(data.y.begin(), data.y.end(), -77.0f);
        ASSERT_EQ(harness.runPacked("k", place, data.tensors(form), tiling, 0, launch.tiles()), 0);
        EXPECT_EQ(std::memcmp(data.y.data(), whole.data(), whole.size() * sizeof(float)), 0) << "packed " << place;
      }
      // Nor does a result depend on the tiles of the launch.
      launch.tileM = 60;
      launch.tileN = 128;
      std::fill(data.y.begin(), data.y.end(), -77.0f);
      ASSERT_EQ(harness.run("k", data.tensors(form), tilingOf(form, launch.fields(form)), 0, launch.tiles()), 0);
      EXPECT_EQ(std::memcmp(data.y.data(), whole.data(), whole.size() * sizeof(float)), 0) << launch.m;
    }
  }
}

// Rows that are reduced are whole in a tile of the launch. As many are kept at a time as have 2^17 results: here all of
// a tile, some of it, and one. The left operand is never packed before, the right one as for other products.
TEST_P(VectorContraction, KeepsWholeRows) {
  for (const auto &[isLeftTurned, isRightTurned] : {std::pair(false, false), {true, false}, {false, true}}) {
    Form form{isLeftTurned, isRightTurned};
    form.reducesRows = true;
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (Launch launch : {Launch{1, 1, 1}, Launch{5, 3, 0}, Launch{29, 50, 257}, Launch{1, 4099, 7},
                          Launch{13, 8195, 3}, Launch{70, 4001, 5}, Launch{3, 131077, 2}, Launch{25, 67, 40, 3}}) {
      launch.tileM = 60;
      launch.tileN = launch.n;
      Data data(launch, 31);
      const std::vector<float> expected = data.expected(form, launch);
      const std::vector<int64_t> tiling = tilingOf(form, launch.fields(form));
      ASSERT_EQ(harness.run("k", data.tensors(form), tiling, 0, launch.tiles()), 0);
      EXPECT_EQ(data.y, expected) << launch.m << "x" << launch.n << "x" << launch.k << " " << form.title();
      for (int64_t place = 0; place < OPC_KERNEL_PACKED_PLACES; ++place) {
        std::fill(data.y.begin(), data.y.end(), -77.0f);
        const int32_t status = harness.runPacked("k", place, data.tensors(form), tiling, 0, launch.tiles());
        EXPECT_EQ(data.y, expected) << "packed " << place << ": " << launch.m << "x" << launch.n << "x" << launch.k;
        if (place == 0) {
          EXPECT_EQ(status, OPC_KERNEL_NOT_PACKED);
        }
      }
    }
  }
}

// Whatever tiling data says, rows are whole, and none is longer than what is kept.
TEST_P(VectorContraction, KeepsNoLongerRows) {
  Form form;
  form.reducesRows = true;
  VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  Launch launch{20, 30, 40};
  launch.tileN = 7;
  Data data(launch, 5);
  const std::vector<float> expected = data.expected(form, launch);
  ASSERT_EQ(harness.run("k", data.tensors(form), tilingOf(form, launch.fields(form)), 0, launch.tiles()), 0);
  EXPECT_EQ(data.y, expected);
  for (const auto &[rows, columns] :
       {std::pair<int64_t, int64_t>(0, int64_t(1) << 40), {0, INT64_MAX}, {0, int64_t(1) << 24}}) {
    std::map<std::string, int64_t> values = launch.fields(form);
    for (const char *field : {"size2", "a_m", "b_m"})
      values[field] = 0;
    values["size0"] = rows;
    values["size1"] = values["tile_n"] = values["y_m"] = columns;
    EXPECT_EQ(harness.run("k", data.tensors(form), tilingOf(form, values), 0, 1000), OPC_KERNEL_OUTSIDE_TENSOR);
    EXPECT_EQ(data.y, expected);
  }
}

// Numbers that no tiling function gives must neither write outside of the results nor run for long.
TEST_P(VectorContraction, RefusesWrongTilingData) {
  const Form form{false, true, true};
  VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  const Launch launch{20, 30, 40, 2};
  auto status = [&](const std::map<std::string, int64_t> &changes, bool &written) {
    Data data(launch, 5);
    std::map<std::string, int64_t> values = launch.fields(form);
    for (const auto &[name, value] : changes)
      values[name] = value;
    const std::vector<float> before = data.y;
    int32_t found = harness.run("k", data.tensors(form), tilingOf(form, values), 0, 1000);
    EXPECT_TRUE(std::equal(data.y.end() - Data::kMargin, data.y.end(), before.end() - Data::kMargin));
    written = data.y != before;
    return found;
  };
  bool written = false;
  for (const auto &[name, value] : std::vector<std::pair<std::string, int64_t>>{{"size0", 21},
                                                                                {"size0", -1},
                                                                                {"size0", INT64_MAX},
                                                                                {"size1", 31},
                                                                                {"size1", int64_t(1) << 40},
                                                                                {"size2", 41},
                                                                                {"size2", INT64_MIN},
                                                                                {"batch1", 3},
                                                                                {"batch0", 2},
                                                                                {"batch0", INT64_MAX},
                                                                                {"a_m", -40},
                                                                                {"a_m", 41},
                                                                                {"a_m", INT64_MAX},
                                                                                {"b_m", 41},
                                                                                {"y_m", 31},
                                                                                {"y_m", -30},
                                                                                {"a_s1", -1},
                                                                                {"a_s1", 801},
                                                                                {"b_s1", 1 << 30},
                                                                                {"y_s1", 601},
                                                                                {"y_s1", INT64_MAX - 1},
                                                                                {"bias_s1", 1}}) {
    EXPECT_EQ(status({{name, value}}, written), OPC_KERNEL_OUTSIDE_TENSOR) << name << " = " << value;
    EXPECT_FALSE(written) << name << " = " << value;
  }
  // Rows that lie at one place, and results that do, would be more work than the tensors have elements.
  EXPECT_EQ(status({{"size0", 100000}, {"a_m", 0}, {"y_m", 0}}, written), OPC_KERNEL_OUTSIDE_TENSOR);
  EXPECT_EQ(status({{"batch0", 1 << 20}}, written), OPC_KERNEL_OUTSIDE_TENSOR);
  // Tiles of any size divide the results somehow.
  for (const auto &[name, value] : std::vector<std::pair<std::string, int64_t>>{{"tile_m", 0},
                                                                                {"tile_m", -5},
                                                                                {"tile_n", 1},
                                                                                {"tile_n", INT64_MAX},
                                                                                {"tile_m", INT64_MIN},
                                                                                {"block_length", 7},
                                                                                {"block_length", -1},
                                                                                {"block_length", INT64_MAX}})
    EXPECT_EQ(status({{name, value}}, written), 0) << name << " = " << value;
  EXPECT_TRUE(written);
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorContraction, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param == "x86-64-v3" ? "v3" : "v4"; });
