// Elementwise kernels of the key `any`: loops of which the launch tells where inputs differ. Every way to read an input
// (in its tensor, as a pattern in a buffer, gathered for each piece), rows of two elements and of more than a piece, up
// to eight loops, blocks that end inside of rows, streams, inputs that are read across, and tiling data that leads
// outside of tensors.

#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "runtime/program/opc_kernel_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>

using namespace opc;
using namespace opc::test;

namespace {

class VectorAny : public LevelTest {};

/// y = ((x0 * s + x1) * s + x2) * s + x: three inputs of the launch, a full one and a scalar of the contract, all of
/// `type`. Two of the launch's may be read across.
std::string anyKernel(const std::string &type, bool across = false) {
  const std::string full = "?x?x" + type, one = "1x1x" + type;
  const bool floats = type[0] != 'i';
  const std::string mul = floats ? " = arith.mulf " : " = arith.muli ",
                    add = floats ? " = arith.addf " : " = arith.addi ";
  std::string arguments, tensors, values, types, maps, scalars;
  for (const char *name : {"x0", "x1", "x2", "x", "s"}) {
    const std::string shape = name == std::string("s") ? one : full, word = name;
    const bool isAcross = across && (word == "x0" || word == "x1");
    arguments += "%m_" + word + ": memref<" + shape +
                 (isAcross           ? "> {te.of_launch, te.across}, "
                  : word.size() == 2 ? "> {te.of_launch}, "
                                     : ">, ");
    tensors += "%t_" + word + " = bufferization.to_tensor %m_" + word + " restrict : memref<" + shape + "> to tensor<" +
               shape + ">\n";
    values += (values.empty() ? "%t_" : ", %t_") + word;
    types += (types.empty() ? "tensor<" : ", tensor<") + shape + ">";
    maps += shape == one ? "#one, " : "#id, ";
    scalars += "%" + word + ": " + type + ", ";
  }
  std::string text = "#id = affine_map<(m, n) -> (m, n)>\n#one = affine_map<(m, n) -> (0, 0)>\nfunc.func @k(" +
                     arguments + "%m_y: memref<" + full + ">) attributes {te.kernel, te.shape_key = \"any\"} {\n" +
                     tensors;
  text += "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%d0 = tensor.dim %t_x, %c0 : tensor<" +
          full + ">\n%d1 = tensor.dim %t_x, %c1 : tensor<" + full + ">\n%e = tensor.empty(%d0, %d1) : tensor<" + full +
          ">\n";
  text += "%r = linalg.generic {indexing_maps = [" + maps +
          "#id], iterator_types = [\"parallel\", \"parallel\"]} ins(" + values + " : " + types + ") outs(%e : tensor<" +
          full + ">) {\n^bb0(" + scalars + "%out: " + type + "):\n";
  text += "%a" + mul + "%x0, %s : " + type + "\n%b" + add + "%a, %x1 : " + type + "\n%c" + mul + "%b, %s : " + type +
          "\n%d" + add + "%c, %x2 : " + type + "\n%f" + mul + "%d, %s : " + type + "\n%g" + add + "%f, %x : " + type +
          "\nlinalg.yield %g : " + type + "\n} -> tensor<" + full + ">\n";
  return text + "bufferization.materialize_in_destination %r in restrict writable %m_y : (tensor<" + full +
         ">, memref<" + full + ">) -> ()\nreturn\n}\n";
}

const std::vector<std::string> kNames = {"x0", "x1", "x2", "x", "s", "y"};

std::vector<std::string> fieldsOf(bool across = false) {
  std::vector<std::string> fields = {"block_num", "block_length", "size0",  "size1",  "batch0",
                                     "batch1",    "batch2",       "batch3", "batch4", "batch5"};
  for (const char *name : {"x0", "x1", "x2", "x", "y"})
    for (unsigned loop = 0; loop < 6; ++loop)
      fields.push_back(name + ("_s" + std::to_string(loop)));
  for (const char *name : {"x0", "x1", "x2"})
    for (const char *field : {"_along_m", across && name != std::string("x2") ? "_n" : "_along_n", "_m"})
      fields.push_back(name + std::string(field));
  return fields;
}

using Sizes = std::vector<int64_t>; ///< of eight loops, outermost first; the last two are m and n

/// A launch: which loops an input differs along (bits, the lowest is n), and the data.
struct Launch {
  Sizes sizes;
  unsigned moves[3];
  /// For x0 and x1: the loop along which its elements are neighbours; by default those of the results.
  std::array<int, 3> last = {7, 7, 7};
  bool across = false;

  int64_t items() const { return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>()); }
  /// The steps of a tensor that differs along these loops, outermost first.
  Sizes steps(unsigned moving, int last = 7) const {
    Sizes result(8, 0);
    int64_t step = 1;
    std::vector<int> order = {last};
    for (int loop = 7; loop >= 0; --loop)
      if (loop != last)
        order.push_back(loop);
    for (int loop : order)
      if (moving >> (7 - loop) & 1) {
        result[loop] = step;
        step *= sizes[loop];
      }
    return result;
  }
  int64_t elements(unsigned moving) const {
    int64_t count = 1;
    for (unsigned loop = 0; loop < 8; ++loop)
      count *= moving >> (7 - loop) & 1 ? sizes[loop] : 1;
    return count;
  }
  /// The offset of each item, by dividing its number through all loops.
  std::vector<int64_t> offsets(unsigned moving, int last = 7) const {
    const Sizes step = steps(moving, last);
    std::vector<int64_t> result(items(), 0);
    for (int64_t item = 0; item < int64_t(result.size()); ++item)
      for (int64_t loop = 7, rest = item; rest > 0; --loop) {
        result[item] += rest % sizes[loop] * step[loop];
        rest /= sizes[loop];
      }
    return result;
  }
  std::map<std::string, int64_t> fields(int64_t length) const {
    std::map<std::string, int64_t> values = {{"block_num", (items() + length - 1) / length}, {"block_length", length}};
    // batch5 is the outermost loop, then batch4 .. batch2; batch1 is within batch0.
    static const char *const kLoops[] = {"batch5", "batch4", "batch3", "batch2", "batch0", "batch1", "size0", "size1"};
    static const char *const kSteps[] = {"_s5", "_s4", "_s3", "_s2", "_s0", "_s1"};
    for (unsigned loop = 0; loop < 8; ++loop)
      values[kLoops[loop]] = sizes[loop];
    auto add = [&](const std::string &name, unsigned moving, int last = 7) {
      Sizes step = steps(moving, last);
      for (unsigned loop = 0; loop < 6; ++loop)
        values[name + kSteps[loop]] = step[loop];
      return step;
    };
    add("x", 255);
    add("y", 255);
    for (unsigned i = 0; i < 3; ++i) {
      std::string name = "x" + std::to_string(i);
      Sizes step = add(name, moves[i], last[i]);
      values[name + "_along_m"] = moves[i] >> 1 & 1;
      values[name + "_along_n"] = moves[i] & 1;
      if (across)
        values[name + "_n"] = step[7];
      values[name + "_m"] = std::max<int64_t>(step[6], 1);
    }
    return values;
  }
  std::vector<int64_t> listed(const std::map<std::string, int64_t> &values) const {
    std::vector<int64_t> list;
    for (const std::string &field : fieldsOf(across))
      list.push_back(values.at(field));
    return list;
  }
};

/// Runs a launch in blocks of several lengths, each with and without a cache that holds everything.
template <typename T> void check(const VectorHarness &harness, const Launch &launch) {
  const int64_t items = launch.items();
  std::vector<T> inputs[3], x(items), s = {T(3)};
  std::vector<T> y(items + 1, T(-7)), expected = y;
  for (unsigned i = 0; i < 3; ++i)
    for (int64_t e = 0; e < launch.elements(launch.moves[i]); ++e)
      inputs[i].push_back(T(e * (7919 + 2 * i) % 61 % (i + 11)) - T(5));
  for (int64_t e = 0; e < items; ++e)
    x[e] = T(e * 104729 % 31) - T(9);
  std::fill_n(expected.begin(), items, T(0));
  for (unsigned i = 0; i < 3; ++i) {
    const std::vector<int64_t> offsets = launch.offsets(launch.moves[i], launch.last[i]);
    for (int64_t e = 0; e < items; ++e)
      expected[e] = T((expected[e] + inputs[i][offsets[e]]) * s[0]);
  }
  for (int64_t e = 0; e < items; ++e)
    expected[e] = T(expected[e] + x[e]);
  for (int64_t cache : {int64_t(1) << 40, int64_t(0)})
    for (int64_t length : {items, items / 3 + 1, std::max<int64_t>(items / 20, 29)}) {
      std::fill(y.begin(), y.end(), T(-7));
      std::vector<int64_t> tiling = launch.listed(launch.fields(length));
      for (int64_t block = 0; block < tiling[0]; ++block)
        ASSERT_EQ(
            harness.run(
                "k", {tensor(inputs[0]), tensor(inputs[1]), tensor(inputs[2]), tensor(x), tensor(s), {y.data(), items}},
                tiling, block, block + 1, cache),
            0);
      const size_t wrong = std::mismatch(y.begin(), y.end(), expected.begin()).first - y.begin();
      ASSERT_EQ(wrong, y.size()) << "element " << wrong << " is " << +y[wrong] << " instead of " << +expected[wrong]
                                 << " of " << ::testing::PrintToString(launch.sizes) << ", inputs " << launch.moves[0]
                                 << " " << launch.moves[1] << " " << launch.moves[2] << " in blocks of " << length;
    }
}

template <typename T> void checkAll(const std::string &type, const std::string &level) {
  VectorHarness harness(anyKernel(type), kNames, fieldsOf(), {level});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  auto each = [&](const Launch &launch) {
    if (!::testing::Test::HasFatalFailure())
      check<T>(harness, launch);
  };
  // Row, column and full against each other, whose rows are short, as long as a piece, longer.
  for (int64_t n : {1, 2, 3, 7, 16, 33, 129, 700, 1024, 1025, 4096, 4097, 9000})
    for (int64_t m : {1, 2, 5, 67}) {
      each({{1, 1, 1, 1, 1, 1, m, n}, {1, 2, 3}});
      each({{1, 1, 1, 1, 1, 3, m, n}, {5, 6, 0}});
    }
  // Alternating loops: what an input repeats is long or short, and changes.
  each({{2, 2, 2, 2, 2, 2, 2, 2}, {0xaa, 0x55, 0xff}});
  each({{2, 3, 2, 3, 2, 3, 5, 3}, {0xaa, 0x55, 0x33}});
  each({{1, 1, 1, 5, 40, 3, 50, 2}, {0x14, 0x0a, 0x11}});
  each({{1, 1, 1, 1, 3, 600, 20, 6}, {0x0b, 0x09, 0x04}});
  each({{1, 1, 1, 1, 1, 70000, 2, 1}, {0x04, 0x02, 0x01}});
  std::mt19937 random(7);
  for (unsigned round = 0; round < 60; ++round) {
    Launch launch{Sizes(8, 1), {}};
    int64_t items = 1;
    for (unsigned turn = 0; turn < 8; ++turn) {
      static const int64_t kSizes[] = {1, 2, 2, 3, 4, 7, 31, 64, 900, 5000};
      int64_t size = kSizes[random() % 10];
      int64_t &place = launch.sizes[random() % 8];
      if (place == 1 && items * size < 60000) {
        place = size;
        items *= size;
      }
    }
    for (unsigned &moving : launch.moves)
      moving = random() % 256;
    each(launch);
  }
}

/// Inputs that are read across, along the rows, other loops, or where the loop has one trip; slabs of few and many
/// rows, short and long, columns that share sets of the cache.
template <typename T> void checkAcross(const std::string &type, const std::string &level) {
  VectorHarness harness(anyKernel(type, /*across=*/true), kNames, fieldsOf(/*across=*/true), {level});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  auto each = [&](Launch launch) {
    launch.across = true;
    if (!::testing::Test::HasFatalFailure())
      check<T>(harness, launch);
  };
  for (int64_t n : {1, 3, 16, 65, 129, 256})
    for (int64_t m : {1, 5, 16, 67, 256})
      each({{1, 1, 1, 1, 1, 1, m, n}, {3, 3, 3}, {6, 6, 7}});
  for (int64_t n : {2, 33, 64, 130})
    for (int64_t m : {2, 16, 37}) {
      each({{1, 1, 1, 1, 1, 3, m, n}, {7, 3, 2}, {6, 6, 7}});
      each({{1, 1, 1, 1, 2, m, 3, n}, {7, 15, 5}, {5, 5, 7}});
    }
  std::mt19937 random(8);
  for (unsigned round = 0; round < 25; ++round) {
    Launch launch{Sizes(8, 1), {}};
    int64_t items = 1;
    for (unsigned turn = 0; turn < 8; ++turn) {
      static const int64_t kSizes[] = {1, 2, 2, 3, 4, 7, 31, 64, 128, 300};
      int64_t size = kSizes[random() % 10];
      int64_t &place = launch.sizes[random() % 8];
      if (place == 1 && items * size < 20000) {
        place = size;
        items *= size;
      }
    }
    for (unsigned &moving : launch.moves)
      moving = random() % 256;
    for (unsigned i = 0; i < 2; ++i) {
      launch.last[i] = int(random() % 8);
      launch.moves[i] |= 1u << (7 - launch.last[i]) | 1u;
    }
    each(launch);
  }
}

} // namespace

TEST_P(VectorAny, AcrossFloat32) {
  checkAcross<float>("f32", GetParam());
}
TEST_P(VectorAny, AcrossInt8) {
  checkAcross<int8_t>("i8", GetParam());
}
TEST_P(VectorAny, AcrossInt16) {
  checkAcross<int16_t>("i16", GetParam());
}
TEST_P(VectorAny, AcrossInt64) {
  checkAcross<int64_t>("i64", GetParam());
}

TEST_P(VectorAny, Float32) {
  checkAll<float>("f32", GetParam());
}
TEST_P(VectorAny, Int8) {
  checkAll<int8_t>("i8", GetParam());
}
TEST_P(VectorAny, Int16) {
  checkAll<int16_t>("i16", GetParam());
}
TEST_P(VectorAny, Int64) {
  checkAll<int64_t>("i64", GetParam());
}

// A launch without elements reads nothing and writes nothing.
TEST_P(VectorAny, NoElements) {
  VectorHarness harness(anyKernel("f32"), kNames, fieldsOf(), {GetParam()});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  Launch launch{{1, 1, 1, 1, 1, 1, 0, 0}, {1, 2, 3}};
  std::vector<int64_t> tiling = launch.listed(launch.fields(1));
  std::vector<float> none, s = {1};
  EXPECT_EQ(harness.run("k", {tensor(none), tensor(none), tensor(none), tensor(none), tensor(s), tensor(none)}, tiling),
            0);
}

// Each field of the tiling data, larger than its launch allows, negative, and so large that products overflow: refused,
// and nothing is written. Without the checks the kernel would read and write outside of tensors.
static void checkRefusals(const Launch &launch, const std::string &level) {
  VectorHarness harness(anyKernel("f32", launch.across), kNames, fieldsOf(launch.across), {level});
  ASSERT_TRUE(harness.ready()) << harness.errors();
  std::map<std::string, int64_t> good = launch.fields(launch.items());
  // Of what is read across the distance says it all, and x2 is not.
  for (const char *unread : {"x0_along_n", "x1_along_n", "x2_n"})
    if (launch.across)
      good.erase(unread);
  std::vector<float> x0(launch.elements(launch.moves[0]), 1), x1(launch.elements(launch.moves[1]), 1), x2(256, 1),
      x(256, 1), s = {1}, y(256, -7);
  auto run = [&](const std::map<std::string, int64_t> &fields, int64_t elements) {
    return harness.run("k", {tensor(x0), tensor(x1), {x2.data(), elements}, tensor(x), tensor(s), {y.data(), elements}},
                       launch.listed(fields));
  };
  ASSERT_EQ(run(good, 256), 0);
  std::fill(y.begin(), y.end(), -7.0f);
  const std::vector<float> untouched = y;
  EXPECT_EQ(run(good, 255), OPC_KERNEL_OUTSIDE_TENSOR);
  for (const auto &[field, value] : good) {
    // Full tensors are passed through in the order of their elements, without steps.
    if (field == "block_num" || field == "block_length" || field[0] == 'y' || field.substr(0, 2) == "x_")
      continue;
    // The rows of an input that stands still along m are at no distance.
    bool isIdle = field.size() == 4 && field.substr(2) == "_m" && good.at(field.substr(0, 2) + "_along_m") == 0;
    for (int64_t wrong : {value + 200, int64_t(-1), INT64_MIN, INT64_MAX, INT64_MAX / 2 + 1, int64_t(1) << 32}) {
      std::map<std::string, int64_t> fields = good;
      fields[field] = wrong;
      if (isIdle && wrong >= 0)
        continue;
      EXPECT_EQ(run(fields, 256), OPC_KERNEL_OUTSIDE_TENSOR) << field << " = " << wrong;
      ASSERT_EQ(y, untouched) << field << " = " << wrong;
    }
  }
}

TEST_P(VectorAny, RefusesWhatLeadsOutside) {
  checkRefusals({{2, 2, 2, 2, 2, 2, 2, 2}, {0xaa, 0x55, 0xff}}, GetParam());
}
TEST_P(VectorAny, RefusesWhatLeadsOutsideAcross) {
  checkRefusals({{2, 2, 2, 2, 2, 2, 2, 2}, {0xab, 0x57, 0xff}, {6, 6, 7}, true}, GetParam());
}

// Fields that no kernel of the key can do without.
TEST(VectorAnyFields, AreExpected) {
  std::vector<std::string> fields = fieldsOf();
  for (const std::string missing : {"batch5", "x1_along_m", "x0_m", "x2_s4"}) {
    std::vector<std::string> fewer;
    for (const std::string &field : fields)
      if (field != missing)
        fewer.push_back(field);
    VectorHarness harness(anyKernel("f32"), kNames, fewer, {levelsHere().front()});
    EXPECT_FALSE(harness.ready());
    EXPECT_THAT(harness.errors(),
                ::testing::HasSubstr("[cpu_c7]: 'func.func' op expects a tiling function with the fields '" + missing));
  }
}

// A row is an input of the launch, or the kernel would be called for launches in which it is none. Other keys have rows
// and columns of their own, about which no launch decides.
TEST(VectorAnyOperands, AreFullOrOne) {
  auto expectRefusal = [](const std::string &from, const std::string &to) {
    std::string text = anyKernel("f32");
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
    VectorHarness harness(text, kNames, fieldsOf(), {levelsHere().front()});
    EXPECT_FALSE(harness.ready());
    EXPECT_THAT(harness.errors(),
                ::testing::HasSubstr("[cpu_c5]: 'func.func' op expects tensors of the key 'any' to be "
                                     "full, or inputs of one element"))
        << to;
  };
  expectRefusal("1x1xf32", "1x?xf32");
  expectRefusal("\"any\"", "\"grid\"");
  expectRefusal("%m_s: memref<1x1xf32>", "%m_s: memref<1x1xf32> {te.of_launch}");
}

INSTANTIATE_TEST_SUITE_P(Levels, VectorAny, ::testing::ValuesIn(levelsHere()),
                         [](const auto &info) { return info.param.substr(7); });
