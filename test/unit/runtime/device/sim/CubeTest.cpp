// The cube of the simulator: a product whose fractals, tails and start value are held against a plain sum, and a broken
// program for each check of an instruction of the cube. A program is a file that anybody can write.

#include "test/unit/runtime/device/sim/ProgramBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <random>
#include <set>

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;

namespace {

constexpr ElementType kHalf = ElementType::Float16, kFloat = ElementType::Float32;

/// y = a * b of m x k and k x n by one product, with every instruction where a test can change it.
struct Product {
  Product(int64_t m, int64_t k, int64_t n)
      : m(m), k(k), n(n), a(size_t(m * k)), x(size_t(k * n)), y(size_t(m * n), 7.0f) {
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = toHalf(float(int(i * 7 % 31) - 15) / 4);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = toHalf(float(int(i * 11 % 29) - 14) / 8);
  }

  static int64_t whole(int64_t size) { return (size + 15) / 16 * 16; }
  ProgramBuilder::Reg c(int64_t value) { return b.constant(value); }
  PipeInstruction of(PipeInstruction::Kind kind, Pipe pipe) {
    PipeInstruction instruction;
    instruction.kind = kind;
    instruction.pipe = pipe;
    return instruction;
  }
  void order(Pipe from, Pipe to, int64_t id = 3) {
    b.set(from, to, c(id));
    b.wait(from, to, c(id));
  }
  ProgramOperand at(uint16_t buffer, int64_t address, ElementType type, int64_t stride) {
    return b.ub(buffer, c(address), type, c(stride));
  }

  PipeInstruction loadNz(uint16_t to, int64_t address, uint16_t tensor, int64_t rows, int64_t columns, int64_t height) {
    PipeInstruction i = of(PipeInstruction::LoadNz, Pipe::MTE2);
    i.destination = at(to, address, kHalf, height * 32);
    i.sources[0] = b.gm(tensor, c(0), kHalf, c(columns * 2));
    i.rows = c(rows);
    i.count = c(columns);
    return i;
  }
  PipeInstruction fractals(uint16_t to, int64_t toAddress, uint16_t from, int64_t address, int64_t repeats,
                           int64_t stride, bool transposed) {
    PipeInstruction i = of(PipeInstruction::LoadFractals, Pipe::MTE1);
    i.destination = at(to, toAddress, kHalf, 512);
    i.sources[0] = at(from, address, kHalf, stride);
    i.rows = c(repeats);
    i.transposed = transposed;
    return i;
  }
  PipeInstruction mmad(int64_t rows, int64_t init) {
    PipeInstruction i = of(PipeInstruction::Mmad, Pipe::M);
    i.destination = b.ub(l0c, kFloat);
    i.sources[0] = b.ub(l0a, kHalf);
    i.sources[1] = b.ub(l0b, kHalf);
    i.rows = c(rows);
    i.count = c(n);
    i.depth = c(k);
    i.scalar = c(init);
    return i;
  }
  PipeInstruction fixpipe() {
    PipeInstruction i = of(PipeInstruction::Fixpipe, Pipe::FIX);
    i.destination = b.gm(2, c(0), kFloat, c(n * 4));
    i.sources[0] = at(l0c, windowOf(Memory::L0C), kFloat, whole(m) * 64);
    i.rows = c(m);
    i.count = c(n);
    return i;
  }
  PipeInstruction zeros(uint16_t to, int64_t bytes) {
    PipeInstruction i = of(PipeInstruction::Fill, Pipe::MTE2);
    i.destination = at(to, b0(to), kHalf, bytes);
    i.rows = c(1);
    i.count = c(bytes / 32);
    i.scalar = c(0);
    return i;
  }
  int64_t b0(uint16_t buffer) const { return buffer == right ? windowOf(Memory::L1) + 65536 : windowOf(Memory::L1); }

  /// A test changes an instruction by its number before it is issued.
  std::function<void(int, PipeInstruction &)> change = [](int, PipeInstruction &) {};
  void issue(int number, PipeInstruction i) {
    change(number, i);
    b.perform(i);
  }
  void whole() {
    const int64_t mw = whole(m), kw = whole(k), nw = whole(n);
    issue(0, zeros(left, mw * kw * 2));
    issue(1, zeros(right, kw * nw * 2));
    b.barrier(Pipe::MTE2);
    issue(2, loadNz(left, b0(left), 0, m, k, mw));
    issue(3, loadNz(right, b0(right), 1, k, n, kw));
    order(Pipe::MTE2, Pipe::MTE1);
    for (int64_t i = 0; i < mw / 16; ++i)
      issue(4, fractals(l0a, windowOf(Memory::L0A) + i * kw / 16 * 512, left, b0(left) + i * 512, kw / 16,
                        mw / 16 * 512, false));
    for (int64_t i = 0; i < kw / 16; ++i)
      issue(5, fractals(l0b, windowOf(Memory::L0B) + i * nw / 16 * 512, right, b0(right) + i * 512, nw / 16,
                        kw / 16 * 512, true));
    order(Pipe::MTE1, Pipe::M);
    issue(6, mmad(std::max<int64_t>(m, 2), 1));
    b.barrier(Pipe::M);
    if (twice)
      issue(7, mmad(std::max<int64_t>(m, 2), 0));
    order(Pipe::M, Pipe::FIX);
    issue(8, fixpipe());
  }
  Outcome go() {
    whole();
    SimOptions options;
    options.sanitize = Sanitize::all();
    return run(b.finish(), {tensor("a", a), tensor("x", x), tensor("y", y, true)}, {}, options);
  }

  int64_t m, k, n;
  bool twice = false;
  std::vector<Half> a, x;
  std::vector<float> y;
  ProgramBuilder b{3};
  uint16_t left = b.buffer("left", windowOf(Memory::L1), 65536),
           right = b.buffer("right", windowOf(Memory::L1) + 65536, 65536),
           l0a = b.buffer("l0a", windowOf(Memory::L0A), 32768), l0b = b.buffer("l0b", windowOf(Memory::L0B), 32768),
           l0c = b.buffer("l0c", windowOf(Memory::L0C), 65536), inUb = b.buffer("in_ub", 0, 4096);
};

/// The change is found, under this code, in these words.
void expectFinding(std::function<void(Product &, int, PipeInstruction &)> change, Code code, const std::string &rule,
                   const std::vector<std::string> &words) {
  Product p(17, 33, 18);
  p.change = [&](int number, PipeInstruction &i) { change(p, number, i); };
  Outcome outcome = p.go();
  ASSERT_FALSE(outcome.result.completed) << "nothing was found";
  EXPECT_EQ(outcome.code(), code) << outcome.text();
  EXPECT_EQ(outcome.diagnostics.all()[0].rule, rule) << outcome.text();
  for (const std::string &word : words)
    EXPECT_THAT(outcome.text(), HasSubstr(word));
}

} // namespace

// A fractal at the wrong place, a tail that is multiplied, or a sum that starts anew would all be other numbers. The
// elements are small multiples of 1/32, so sums are exact.
TEST(Cube, MultipliesWithTails) {
  for (auto [m, k, n] : {std::array<int64_t, 3>{16, 16, 16}, {17, 33, 18}, {2, 1, 1}, {48, 80, 40}, {1, 15, 31}})
    for (bool twice : {false, true}) {
      Product p(m, k, n);
      p.twice = twice;
      Outcome outcome = p.go();
      ASSERT_TRUE(outcome.result.completed) << outcome.text();
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          float sum = 0;
          for (int64_t step = 0; step < k; ++step)
            sum += toFloat(p.a[size_t(i * k + step)]) * toFloat(p.x[size_t(step * n + j)]);
          ASSERT_EQ(p.y[size_t(i * n + j)], twice ? 2 * sum : sum)
              << m << "x" << k << "x" << n << " at " << i << ", " << j;
        }
    }
}

/// The right matrix of 16 columns is one column of fractals in memory.
static void packRight(Product &p, PipeInstruction &i, int64_t columns, int64_t elements) {
  i.packed = true;
  i.rows = p.c(columns);
  i.count = p.c(elements);
  i.sources[0].stride = p.c(elements * 2);
}

TEST(Cube, TakesColumnsOfFractalsAsTheyAre) {
  Product rows(16, 32, 16), columns(16, 32, 16);
  ASSERT_TRUE(rows.go().result.completed);
  columns.change = [&](int number, PipeInstruction &i) {
    if (number == 3)
      packRight(columns, i, 1, 32 * 16);
  };
  Outcome outcome = columns.go();
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  EXPECT_EQ(columns.y, rows.y);
}

TEST(Cube, ColumnsOfFractalsAreWholeBlocks) {
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 3)
          packRight(p, i, 1, 24);
      },
      Code::E0561, "sim_c12", {"expects columns of fractals in whole blocks of 32 bytes, found 48"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 3)
          packRight(p, i, 4096, 0);
      },
      Code::E0563, "sim_c11", {"0 to 4095 columns of fractals, found 4096"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 3)
          packRight(p, i, 1, 65536 * 16);
      },
      Code::E0563, "sim_c11", {"0 to 65535 blocks of a column, found 65536"});
}

TEST(Cube, CountsTheCyclesOfItsPipes) {
  Product p(48, 80, 40);
  Outcome outcome = p.go();
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  const Target &chip = *findTarget("Ascend310B1");
  EXPECT_EQ(outcome.result.usage(Pipe::M).busyCycles, 6 + 3 * 5 * 3);
  EXPECT_EQ(outcome.result.usage(Pipe::FIX).busyCycles, chip.fixpipeCycles(48, 40));
  EXPECT_EQ(outcome.result.usage(Pipe::MTE1).busyCycles,
            3 * chip.fractalCycles(Memory::L0A, 5 * 512) + 5 * chip.fractalCycles(Memory::L0B, 3 * 512));
}

// Without zeros beyond k the product has what is left from before.
TEST(Cube, MissingZerosAreFound) {
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 1)
          i.count = p.c(0);
      },
      Code::E0566, "sim_c20", {"'mmad' on pipe m expects buffer 'l0b' to hold what it reads"});
}

TEST(Cube, SizesAndTheStartValueAreChecked) {
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 6)
          i.rows = p.c(1);
      },
      Code::E0563, "sim_c10", {"'mmad' on pipe m expects m of 2 or more"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 6)
          i.scalar = p.c(2);
      },
      Code::E0563, "sim_c10", {"0 or 1 as the start value, found 2"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 6)
          i.depth = p.c(4096);
      },
      Code::E0563, "sim_c11", {"0 to 4095 k, found 4096"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 6)
          i.depth = p.c(INT64_MAX);
      },
      Code::E0563, "sim_c11", {"found 9223372036854775807"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 3)
          i.rows = p.c(-1);
      },
      Code::E0563, "sim_c10", {"'load_nz' on pipe mte2 expects a count of 0 or more, found -1"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 4)
          i.rows = p.c(256);
      },
      Code::E0563, "sim_c11", {"0 to 255 repeats, found 256"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 8)
          i.rows = p.c(8193);
      },
      Code::E0563, "sim_c11", {"0 to 8192 rows, found 8193"});
}

TEST(Cube, PlacesAreChecked) {
  // Past the end of L1 the chip raises an exception.
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 4)
          i.sources[0].address = p.c(windowOf(Memory::L1) + (1 << 20) - 512);
      },
      Code::E0560, "sim_c13", {"expects the 1048576 bytes of L1", "'left'"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 4)
          i.sources[0].address = p.c(windowOf(Memory::L1) + 65536);
      },
      Code::E0562, "sim_c15", {"expects one slot of buffer 'left'"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 6)
          i.sources[0].address = p.c(windowOf(Memory::L0A) + 32);
      },
      Code::E0561, "sim_c14", {"a multiple of 512, found 32"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 4)
          i.sources[0].stride = p.c(520);
      },
      Code::E0561, "sim_c12", {"every multiple of 512 bytes"});
  expectFinding(
      [](Product &p, int number, PipeInstruction &i) {
        if (number == 8)
          i.destination.address = p.c(64);
      },
      Code::E0560, "sim_c17", {"tensor 'y'"});
}

// What no register can mend is refused before the launch.
TEST(Cube, ProgramsAreRefused) {
  auto problemOf = [](std::function<void(Product &, int, PipeInstruction &)> change) {
    Product p(17, 33, 18);
    p.change = [&](int number, PipeInstruction &i) { change(p, number, i); };
    p.whole();
    return checkProgram(p.b.finish());
  };
  EXPECT_EQ(problemOf([](Product &, int, PipeInstruction &) {}), "");
  EXPECT_THAT(problemOf([](Product &, int number, PipeInstruction &i) {
                if (number == 6)
                  i.pipe = Pipe::V;
              }),
              HasSubstr("expects mmad on pipe m"));
  EXPECT_THAT(problemOf([](Product &p, int number, PipeInstruction &i) {
                if (number == 6)
                  i.sources[0] = p.b.ub(p.l0b, kHalf);
              }),
              HasSubstr("expects a buffer in L0A, found one in L0B"));
  EXPECT_THAT(problemOf([](Product &, int number, PipeInstruction &i) {
                if (number == 6)
                  i.depth = kNoRegister;
              }),
              HasSubstr("expects registers with the sizes and the value of mmad"));
  EXPECT_THAT(problemOf([](Product &, int number, PipeInstruction &i) {
                if (number == 6)
                  i.depth = 65000;
              }),
              HasSubstr("expects registers"));
  EXPECT_THAT(problemOf([](Product &, int number, PipeInstruction &i) {
                if (number == 6)
                  i.destination.type = kHalf;
              }),
              HasSubstr("expects mmad of two operands"));
  // Sums of products of bytes are i32.
  EXPECT_THAT(problemOf([](Product &, int number, PipeInstruction &i) {
                if (number == 6)
                  i.sources[0].type = i.sources[1].type = ElementType::Int8;
              }),
              HasSubstr("of i8 into i32"));
  EXPECT_THAT(problemOf([](Product &, int number, PipeInstruction &i) {
                if (number == 2)
                  i.transposed = true;
              }),
              HasSubstr("fractals that are transposed in copies of fractals only"));
  EXPECT_THAT(problemOf([](Product &, int number, PipeInstruction &i) {
                if (number == 6)
                  i.relu = true;
              }),
              HasSubstr("a relu on the way out of L0C only"));
  EXPECT_THAT(problemOf([](Product &p, int number, PipeInstruction &i) {
                if (number == 2)
                  i.destination = p.b.ub(p.inUb, kHalf);
              }),
              HasSubstr("expects a buffer in L1, found one in UB"));
  EXPECT_THAT(problemOf([](Product &, int number, PipeInstruction &i) {
                if (number == 2)
                  i.kind = PipeInstruction::Kind(16);
              }),
              HasSubstr("expects a known kind"));
}

// A file gives back what was written.
TEST(Cube, ProgramsAreFiles) {
  Product p(17, 33, 18);
  p.whole();
  const SimulatorProgram program = p.b.finish();
  const std::vector<uint8_t> bytes = writeProgram(program);
  SimulatorProgram again;
  ASSERT_EQ(readProgram(bytes.data(), bytes.size(), again), "");
  EXPECT_EQ(writeProgram(again), bytes);
}

/// Numbers at the edges of memories, of fields and of 64 bits.
static int64_t edge(std::mt19937 &random) {
  static const int64_t numbers[] = {INT64_MIN,
                                    INT64_MIN / 2,
                                    -65536,
                                    -33,
                                    -32,
                                    -1,
                                    0,
                                    1,
                                    2,
                                    15,
                                    16,
                                    17,
                                    32,
                                    33,
                                    255,
                                    256,
                                    512,
                                    513,
                                    1056,
                                    4095,
                                    4096,
                                    16384,
                                    32767,
                                    32768,
                                    65535,
                                    65536,
                                    int64_t(1) << 20,
                                    windowOf(Memory::L1),
                                    windowOf(Memory::L0A),
                                    windowOf(Memory::L0B),
                                    windowOf(Memory::L0C),
                                    kWindowsEnd,
                                    int64_t(1) << 31,
                                    int64_t(1) << 32,
                                    int64_t(1) << 58,
                                    int64_t(1) << 62,
                                    INT64_MAX / 32,
                                    INT64_MAX};
  return numbers[random() % std::size(numbers)];
}

static void changeField(Product &product, PipeInstruction &i, std::mt19937 &random) {
  const auto number = product.c(edge(random));
  switch (random() % 11) {
  case 0:
    i.rows = number;
    break;
  case 1:
    i.count = number;
    break;
  case 2:
    i.depth = number;
    break;
  case 3:
    i.scalar = number;
    break;
  case 4:
    i.destination.address = number;
    break;
  case 5:
    i.destination.stride = number;
    break;
  case 6:
    i.sources[0].address = number;
    break;
  case 7:
    i.sources[0].stride = number;
    break;
  case 8:
    i.transposed = !i.transposed;
    break;
  case 9:
    i.relu = !i.relu;
    break;
  case 10:
    i.destination.type = i.sources[0].type = ElementType(random() % kNumElementTypes);
    break;
  }
}

// A program is a file that anybody may write. With up to three fields at the edges it is refused when it is read, it is
// refused when it runs, or it runs; sanitizers of this build look on. Without it: a size overflows, or memory is left.
TEST(Cube, ChangedProgramsEnd) {
  const char *chosen = std::getenv("OPC_TEST_SEED"), *full = std::getenv("OPC_TEST_FULL");
  const unsigned first = chosen ? unsigned(std::strtoul(chosen, nullptr, 10)) : 0, programs = full ? 3000 : 120;
  static const int64_t sizes[][3] = {{16, 16, 16}, {17, 33, 18}, {2, 1, 1}, {1, 15, 31}, {48, 80, 40}};
  unsigned ran = 0, refused = 0;
  for (unsigned seed = first; seed < first + programs; ++seed) {
    std::mt19937 random(seed);
    const auto &size = sizes[random() % std::size(sizes)];
    Product product(size[0], size[1], size[2]);
    product.twice = random() % 2;
    std::set<int> numbers;
    for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
      numbers.insert(int(random() % 9));
    product.change = [&](int number, PipeInstruction &i) {
      if (numbers.count(number))
        changeField(product, i, random);
    };
    product.whole();
    SimOptions options;
    options.sanitize = random() % 2 ? Sanitize::all() : Sanitize{};
    options.order = random() % 2 ? SimOrder::Adversarial : SimOrder::Time;
    options.orderSeed = seed;
    std::string trace;
    if (random() % 2)
      options.traceText = &trace;
    const std::vector<uint8_t> bytes = writeProgram(product.b.finish());
    SimulatorProgram program;
    if (!readProgram(bytes.data(), bytes.size(), program).empty()) {
      ++refused;
      continue;
    }
    const Outcome outcome =
        run(program, {tensor("a", product.a), tensor("x", product.x), tensor("y", product.y, true)}, {}, options);
    ASSERT_TRUE(outcome.result.completed || outcome.diagnostics.hasErrors()) << "seed " << seed;
    ++(outcome.result.completed ? ran : refused);
  }
  EXPECT_GE(ran, programs / 10);
  EXPECT_GE(refused, programs / 3);
}
