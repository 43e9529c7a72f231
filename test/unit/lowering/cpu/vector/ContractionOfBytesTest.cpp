// Matrix products of bytes, with and without signs, and what few rows read of their matrices, of any type.

#include "test/unit/lowering/cpu/vector/ProductBodies.h"

#include "runtime/program/opc_kernel_library.h"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

using namespace opc;
using namespace opc::test;
using namespace opc::test::products;

namespace {

class ContractionOfBytes : public ::testing::TestWithParam<std::string> {};

/// The number that a byte is.
int32_t numberOf(int8_t byte, bool isUnsigned) {
  return isUnsigned ? int32_t(uint8_t(byte)) : int32_t(byte);
}

} // namespace

// All bytes occur, the extreme ones often: nothing saturates, whatever the signs, in any order and at any tail; of a
// single row, in panels, and packed before.
TEST_P(ContractionOfBytes, AreExact) {
  const std::vector<Launch> launches = {{1, 1, 1},     {1, 70, 41},     {1, 130, 203},  {1, 5, 67},     {5, 3, 7},
                                        {6, 64, 8},    {7, 17, 9},      {13, 70, 1043}, {25, 130, 6},   {205, 65, 12},
                                        {10, 24, 0},   {2, 40, 1},      {1, 24, 0},     {3, 40, 20, 4}, {2, 33, 2051},
                                        {16, 530, 70}, {11, 131, 5003}, {17, 70, 300},  {1, 700, 777}};
  // Orders and signs; those with signs alike are computed in another way than mixed ones.
  const std::vector<Form> forms = {{false, false, false, true, false, false}, {true, true, false, true, false, false},
                                   {true, false, false, true, true, true},    {false, true, false, true, true, true},
                                   {false, true, false, true, true, false},   {true, false, false, true, false, true}};
  std::mt19937 random(29);
  auto draw = [&](int64_t count) {
    std::vector<int8_t> bytes(static_cast<size_t>(count));
    for (int8_t &byte : bytes)
      byte = random() % 2 ? int8_t(random()) : int8_t(random() % 3 + 127); // 127, -128, -127
    return bytes;
  };
  for (const Form &form : forms) {
    if (!takesLevel(GetParam(), size_t(&form - forms.data())))
      continue;
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    std::vector<Launch> all = launches;
    if (&form == &forms.front()) // a row with several parts of k, once
      all.push_back({1, 66, 65544});
    for (const Launch &launch : all) {
      const std::vector<int8_t> a = draw(launch.batches * launch.m * launch.k),
                                b = draw(launch.batches * launch.k * launch.n);
      std::vector<int32_t> y(size_t(launch.batches * launch.m * launch.n) + Data::kMargin, -77), expected = y;
      for (int64_t batch = 0; batch < launch.batches; ++batch)
        for (int64_t i = 0; i < launch.m; ++i)
          for (int64_t j = 0; j < launch.n; ++j) {
            int32_t sum = 0;
            for (int64_t k = 0; k < launch.k; ++k) {
              const int64_t left = form.isLeftTurned ? k * launch.m + i : i * launch.k + k;
              const int64_t right = form.isRightTurned ? j * launch.k + k : k * launch.n + j;
              sum += numberOf(a[size_t(batch * launch.m * launch.k + left)], form.isLeftUnsigned) *
                     numberOf(b[size_t(batch * launch.k * launch.n + right)], form.isRightUnsigned);
            }
            expected[size_t((batch * launch.m + i) * launch.n + j)] = sum;
          }
      const std::vector<VectorHarness::Tensor> tensors = {
          tensor(a), tensor(b), {y.data(), int64_t(y.size() - Data::kMargin)}};
      const std::vector<int64_t> tiling = tilingOf(form, launch.fields(form));
      const std::string title = form.title() + ": " + std::to_string(launch.m) + "x" + std::to_string(launch.n) + "x" +
                                std::to_string(launch.k);
      ASSERT_EQ(harness.run("k", tensors, tiling, 0, launch.tiles()), 0);
      EXPECT_EQ(y, expected) << title;
      for (int64_t place = 0; place < OPC_KERNEL_PACKED_PLACES; ++place) {
        std::fill(y.begin(), y.end(), -77);
        const int32_t status = harness.runPacked("k", place, tensors, tiling, 0, launch.tiles());
        EXPECT_EQ(y, expected) << "packed " << place << ": " << title;
        // The packed right operand has room for sums of columns after it unless a column has a single element. Rows of
        // which 1 to 3 are after the last part of the launch are not packed. For a single row only fours are packed
        // that it would have to interleave.
        const bool hasDots = GetParam().find("-vnni") != std::string::npos;
        const bool hasSums = hasDots && form.isLeftUnsigned == form.isRightUnsigned;
        const bool isPacked = !(hasSums && launch.k < 2) && (launch.m > 1 || (hasDots && !form.isRightTurned));
        if (place == 1)
          EXPECT_EQ(status, isPacked ? 0 : OPC_KERNEL_NOT_PACKED) << title;
      }
    }
  }
}

namespace {

/// Memory between two pages that may not be read.
class Edge {
public:
  explicit Edge(size_t bytes) {
    const auto page = size_t(sysconf(_SC_PAGESIZE));
    const size_t room = (bytes + page - 1) / page * page;
    whole = room + 2 * page;
    void *mapped = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
      return;
    memory = static_cast<char *>(mapped);
    isReady = mprotect(memory, page, PROT_NONE) == 0 && mprotect(memory + page + room, page, PROT_NONE) == 0;
    first = memory + page;
    last = first + room - bytes;
  }
  ~Edge() {
    if (memory)
      munmap(memory, whole);
  }
  Edge(const Edge &) = delete;
  Edge &operator=(const Edge &) = delete;

  bool isReady = false;
  char *first = nullptr,
       *last = nullptr; ///< of as many bytes, after the page before them, and before the one after them

private:
  size_t whole = 0;
  char *memory = nullptr;
};

} // namespace

// A few rows, and a single one, read the matrix where it is: there is nothing before its first row and after its
// last one.
TEST_P(ContractionOfBytes, ReadNothingBesideAMatrix) {
  Form ofHalves, ofHalvesTurned{false, true};
  ofHalves.isOfHalves = ofHalvesTurned.isOfHalves = true;
  size_t number = 0;
  for (const Form &form : {Form{}, Form{false, true}, Form{false, false, false, true}, Form{false, true, false, true},
                           ofHalves, ofHalvesTurned}) {
    if (!form.isOfBytes && GetParam().find("-vnni") != std::string::npos)
      continue; // the level without it has the same kernel of floats
    if (!takesLevel(GetParam(), number++))
      continue;
    VectorHarness harness(form.text(), form.names(), fieldsOf(form), {GetParam()});
    ASSERT_TRUE(harness.ready()) << harness.errors();
    for (Launch launch :
         {Launch{5, 517, 509}, Launch{2, 6, 131}, Launch{1, 67, 131}, Launch{1, 331, 9}, Launch{1, 3, 7}}) {
      launch.tileN = 512;
      const size_t bytes = form.isOfBytes ? 1 : form.isOfHalves ? 2 : sizeof(float);
      Edge a(size_t(launch.m * launch.k) * bytes), b(size_t(launch.k * launch.n) * bytes);
      ASSERT_TRUE(a.isReady && b.isReady);
      std::vector<int32_t> y(size_t(launch.m * launch.n), -1), zeros(y.size(), 0);
      for (bool isLast : {false, true}) {
        std::fill(y.begin(), y.end(), -1);
        const std::vector<VectorHarness::Tensor> tensors = {{isLast ? a.last : a.first, launch.m * launch.k},
                                                            {isLast ? b.last : b.first, launch.k * launch.n},
                                                            tensor(y)};
        ASSERT_EQ(harness.run("k", tensors, tilingOf(form, launch.fields(form)), 0, launch.tiles()), 0);
        EXPECT_EQ(y, zeros) << form.title() << ": " << launch.m << "x" << launch.n << "x" << launch.k;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, ContractionOfBytes, ::testing::ValuesIn(levelsHere(true)), [](const auto &info) {
  std::string name = info.param.substr(7);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});
