// Windows of images, biases and scales on the simulator's cube: each against a plain formula, and a broken program for
// each check.

#include "test/unit/runtime/device/sim/ProgramBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;

namespace {

constexpr ElementType kHalf = ElementType::Float16, kFloat = ElementType::Float32;

PipeInstruction instructionOf(PipeInstruction::Kind kind, Pipe pipe) {
  PipeInstruction instruction;
  instruction.kind = kind;
  instruction.pipe = pipe;
  return instruction;
}

/// The part of the matrix of windows of an image of halfs, times the identity, is what L0A has.
struct Windows {
  int64_t blocks = 1, height = 5, width = 6, top = 0, bottom = 0, left = 0, right = 0, filterHeight = 1,
          filterWidth = 1, strideHeight = 1, strideWidth = 1, dilationHeight = 1, dilationWidth = 1;
  int64_t firstRow = 0, rows = 16, firstColumn = 0, columns = 16;
  int64_t used = 16;   ///< rows of L0A that are multiplied
  float pad = 0.5f;    ///< exact in f16
  bool isWhole = true; ///< whether all of the image is in L1

  int64_t down() const { return (height + top + bottom - dilationHeight * (filterHeight - 1) - 1) / strideHeight + 1; }
  int64_t across() const { return (width + left + right - dilationWidth * (filterWidth - 1) - 1) / strideWidth + 1; }
  /// An element of the image; they differ from one another.
  float at(int64_t block, int64_t y, int64_t x, int64_t channel) const {
    return float(((block * height + y) * width + x) * 16 + channel + 1);
  }
  /// An element of the matrix of windows.
  float expected(int64_t row, int64_t column) const {
    const int64_t channel = column % 16, element = column / 16;
    const int64_t kw = element % filterWidth, kh = element / filterWidth % filterHeight,
                  block = element / filterWidth / filterHeight;
    const int64_t y = row / across() * strideHeight + kh * dilationHeight - top;
    const int64_t x = row % across() * strideWidth + kw * dilationWidth - left;
    const bool isInside = y >= 0 && y < height && x >= 0 && x < width;
    return isInside ? at(block, y, x, channel) : pad;
  }

  bool readsImage() const {
    for (int64_t row = 0; row < used; ++row)
      for (int64_t column = 0; column < columns; column += 16)
        if (expected(firstRow + row, firstColumn + column) != pad)
          return true;
    return false;
  }

  std::function<void(ProgramBuilder &, PipeInstruction &)> change = [](ProgramBuilder &, PipeInstruction &) {};
  std::vector<Half> image, identity;
  std::vector<float> y;

  ProgramBuilder program() {
    ProgramBuilder b{3};
    const int64_t l1 = windowOf(Memory::L1), half = 1 << 19;
    const uint16_t x = b.buffer("image", l1, half), one = b.buffer("identity", l1 + half, 65536),
                   l0a = b.buffer("l0a", windowOf(Memory::L0A), 65536),
                   l0b = b.buffer("l0b", windowOf(Memory::L0B), 65536),
                   l0c = b.buffer("l0c", windowOf(Memory::L0C), 131072);
    auto c = [&](int64_t value) { return b.constant(value); };
    const int64_t places = blocks * height * width;
    image.resize(size_t(places * 16));
    for (size_t i = 0; i < image.size(); ++i)
      image[i] = toHalf(float(i + 1));
    identity.assign(size_t(columns * columns), toHalf(0.0f));
    for (int64_t i = 0; i < columns; ++i)
      identity[size_t(i * columns + i)] = toHalf(1.0f);
    y.assign(size_t(used * columns), 7.0f);

    PipeInstruction load = instructionOf(PipeInstruction::LoadNz, Pipe::MTE2);
    load.packed = true;
    load.destination = b.ub(x, c(l1), kHalf, c(half));
    load.sources[0] = b.gm(0, c(0), kHalf, c(half));
    load.rows = c(1);
    load.count = c((isWhole ? places : places - 1) * 16);
    b.perform(load);
    load.packed = false;
    load.destination = b.ub(one, c(l1 + half), kHalf, c(columns * 32));
    load.sources[0] = b.gm(1, c(0), kHalf, c(columns * 2));
    load.rows = load.count = c(columns);
    b.perform(load);
    b.set(Pipe::MTE2, Pipe::MTE1, c(3)), b.wait(Pipe::MTE2, Pipe::MTE1, c(3));

    PipeInstruction windows = instructionOf(PipeInstruction::LoadIm2col, Pipe::MTE1);
    windows.destination = b.ub(l0a, kHalf);
    windows.sources[0] = b.ub(x, kHalf);
    windows.rows = c(rows);
    windows.count = c(columns);
    windows.pad = c(int64_t(floatBits(pad)));
    const int64_t numbers[] = {firstRow,    firstColumn,  blocks * 16, height,         width,
                               top,         bottom,       left,        right,          filterHeight,
                               filterWidth, strideHeight, strideWidth, dilationHeight, dilationWidth};
    static_assert(std::size(numbers) == kNumImageNumbers);
    for (unsigned i = 0; i < kNumImageNumbers; ++i)
      windows.image[i] = c(numbers[i]);
    change(b, windows);
    b.perform(windows);
    for (int64_t i = 0; i < columns / 16; ++i) {
      PipeInstruction fractals = instructionOf(PipeInstruction::LoadFractals, Pipe::MTE1);
      fractals.destination = b.ub(l0b, c(windowOf(Memory::L0B) + i * columns / 16 * 512), kHalf, c(512));
      fractals.sources[0] = b.ub(one, c(l1 + half + i * 512), kHalf, c(columns / 16 * 512));
      fractals.rows = c(columns / 16);
      fractals.transposed = true;
      b.perform(fractals);
    }
    b.set(Pipe::MTE1, Pipe::M, c(3)), b.wait(Pipe::MTE1, Pipe::M, c(3));
    PipeInstruction mmad = instructionOf(PipeInstruction::Mmad, Pipe::M);
    mmad.destination = b.ub(l0c, kFloat);
    mmad.sources[0] = b.ub(l0a, kHalf);
    mmad.sources[1] = b.ub(l0b, kHalf);
    mmad.rows = c(used);
    mmad.count = mmad.depth = c(columns);
    mmad.scalar = c(1);
    b.perform(mmad);
    b.set(Pipe::M, Pipe::FIX, c(3)), b.wait(Pipe::M, Pipe::FIX, c(3));
    PipeInstruction fixpipe = instructionOf(PipeInstruction::Fixpipe, Pipe::FIX);
    fixpipe.destination = b.gm(2, c(0), kFloat, c(columns * 4));
    fixpipe.sources[0] = b.ub(l0c, c(windowOf(Memory::L0C)), kFloat, c((used + 15) / 16 * 1024));
    fixpipe.rows = c(used);
    fixpipe.count = c(columns);
    b.perform(fixpipe);
    return b;
  }
  Outcome go() {
    ProgramBuilder b = program();
    SimOptions options;
    options.sanitize = Sanitize::all();
    // A program is a file: what runs was read.
    const std::vector<uint8_t> bytes = writeProgram(b.finish());
    SimulatorProgram read;
    EXPECT_EQ(readProgram(bytes.data(), bytes.size(), read), "");
    return run(read, {tensor("image", image), tensor("identity", identity), tensor("y", y, true)}, {}, options);
  }
};

void expectFinding(Windows windows, Code code, const std::string &rule, const std::string &words) {
  const Outcome outcome = windows.go();
  ASSERT_FALSE(outcome.result.completed) << "nothing was found";
  EXPECT_EQ(outcome.code(), code) << outcome.text();
  EXPECT_EQ(outcome.diagnostics.all()[0].rule, rule) << outcome.text();
  EXPECT_THAT(outcome.text(), HasSubstr(words));
}

} // namespace

// Images have fewer than 2,048 elements: all differ as halfs. Without it an element of another window, of another
// channel or of the padding would be a number like others.
TEST(CubeImage, LoadsWindows) {
  std::mt19937 random(7);
  auto draw = [&](int64_t least, int64_t most) { return least + int64_t(random() % unsigned(most - least + 1)); };
  for (int tries = 0, done = 0; done < 60; ++tries) {
    ASSERT_LT(tries, 2000) << "few of the drawn images have two windows";
    Windows w;
    w.blocks = draw(1, 2);
    w.height = draw(1, 8);
    w.width = draw(1, 7);
    w.top = draw(0, 3), w.bottom = draw(0, 3), w.left = draw(0, 3), w.right = draw(0, 3);
    w.filterHeight = draw(1, 3), w.filterWidth = draw(1, 3);
    w.strideHeight = draw(1, 3), w.strideWidth = draw(1, 3);
    w.dilationHeight = draw(1, 3), w.dilationWidth = draw(1, 3);
    const int64_t reachDown = w.dilationHeight * (w.filterHeight - 1) + 1,
                  reachAcross = w.dilationWidth * (w.filterWidth - 1) + 1;
    if (w.height + w.top + w.bottom < reachDown || w.width + w.left + w.right < reachAcross)
      continue;
    const int64_t places = w.down() * w.across(), elements = w.blocks * w.filterHeight * w.filterWidth;
    if (places < 2)
      continue;
    w.firstRow = draw(0, (places - 2) / 16) * 16;
    w.rows = std::min<int64_t>((places - w.firstRow + 15) / 16, draw(1, 3)) * 16;
    w.used = std::min(places - w.firstRow, w.rows);
    if (w.used < 2)
      continue;
    const int64_t firstElement = draw(0, elements - 1);
    w.firstColumn = firstElement * 16;
    w.columns = draw(1, std::min<int64_t>(elements - firstElement, 6)) * 16;
    // Padding alone would leave the image unread, which is a finding.
    if (!w.readsImage())
      continue;
    const Outcome outcome = w.go();
    ASSERT_TRUE(outcome.result.completed) << outcome.text();
    for (int64_t row = 0; row < w.used; ++row)
      for (int64_t column = 0; column < w.columns; ++column)
        ASSERT_EQ(w.y[size_t(row * w.columns + column)], w.expected(w.firstRow + row, w.firstColumn + column))
            << "image " << done << ", row " << row << ", column " << column;
    ++done;
  }
}

TEST(CubeImage, CountsItsCycles) {
  Windows w;
  w.rows = 32, w.used = 30;
  const Outcome outcome = w.go();
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  const Target &chip = *findTarget("Ascend310B1");
  EXPECT_EQ(outcome.result.usage(Pipe::MTE1).busyCycles,
            chip.im2colCycles(32 * 16 * 2) + chip.fractalCycles(Memory::L0B, 512));
}

TEST(CubeImage, RowsBeyondTheWindowsAreUndefined) {
  Windows w;
  w.width = 3, w.height = 5; // 15 windows
  w.used = 15;
  EXPECT_TRUE(w.go().result.completed);
  w.used = 16;
  expectFinding(w, Code::E0566, "sim_c20", "'mmad' on pipe m expects buffer 'l0a' to hold what it reads");
}

// What was never loaded is found where a window has it, and only there.
TEST(CubeImage, PlacesThatWereNotLoadedAreFound) {
  Windows w;
  w.isWhole = false;
  EXPECT_TRUE(w.go().result.completed) << "the last place is in row 30";
  w.rows = 32, w.used = 30;
  expectFinding(w, Code::E0566, "sim_c20", "'l0a'");
}

TEST(CubeImage, NumbersAreChecked) {
  using N = ImageNumber;
  auto with = [](N number, int64_t value) {
    Windows w;
    w.change = [=](ProgramBuilder &b, PipeInstruction &i) { i.imageRegister(number) = b.constant(value); };
    return w;
  };
  expectFinding(with(N::FirstRow, 8), Code::E0563, "sim_c45", "expects rows in sixteens");
  expectFinding(with(N::FirstColumn, 8), Code::E0563, "sim_c45", "columns and channels in multiples of 16");
  expectFinding(with(N::Channels, 8), Code::E0563, "sim_c45", "and 8 channels");
  expectFinding(with(N::FirstRow, 32), Code::E0563, "sim_c45",
                "expects windows that the image has, 30 of 16 elements, found rows 32 to 48");
  expectFinding(with(N::FirstColumn, 16), Code::E0563, "sim_c45", "columns 16 to 32");
  expectFinding(with(N::FilterHeight, 6), Code::E0563, "sim_c45", "0 of 96 elements");
  for (auto [number, limit] : {std::pair(N::Height, 32767), {N::Width, 32767}})
    for (int64_t value : {int64_t(0), int64_t(limit) + 1, INT64_MAX, INT64_MIN})
      expectFinding(with(number, value), Code::E0563, "sim_c11", "expects 1 to 32767 as the");
  for (N number : {N::Top, N::Bottom, N::Left, N::Right})
    for (int64_t value : {int64_t(-1), int64_t(256), INT64_MAX})
      expectFinding(with(number, value), Code::E0563, "sim_c11", "expects 0 to 255 as the");
  for (N number : {N::FilterHeight, N::FilterWidth, N::DilationHeight, N::DilationWidth})
    for (int64_t value : {int64_t(0), int64_t(256)})
      expectFinding(with(number, value), Code::E0563, "sim_c11", "expects 1 to 255 as the");
  for (N number : {N::StrideHeight, N::StrideWidth})
    for (int64_t value : {int64_t(0), int64_t(64)})
      expectFinding(with(number, value), Code::E0563, "sim_c11", "expects 1 to 63 as the stride");
  // Past the slot of the image.
  expectFinding(with(N::Height, 32767), Code::E0560, "sim_c13", "'image'");
}

TEST(CubeImage, ProgramsAreRefused) {
  auto problemOf = [](std::function<void(PipeInstruction &)> change) {
    Windows w;
    w.change = [&](ProgramBuilder &, PipeInstruction &i) { change(i); };
    return checkProgram(w.program().finish());
  };
  EXPECT_EQ(problemOf([](PipeInstruction &) {}), "");
  EXPECT_THAT(problemOf([](PipeInstruction &i) { i.image[3] = kNoRegister; }),
              HasSubstr("expects registers with the numbers of an image"));
  EXPECT_THAT(problemOf([](PipeInstruction &i) { i.pad = kNoRegister; }),
              HasSubstr("expects registers with the sizes and the value of load_im2col"));
  EXPECT_THAT(problemOf([](PipeInstruction &i) { i.sources[0].type = kFloat; }),
              HasSubstr("expects load_im2col of f16, bf16, f32 or i8, of one type"));
  EXPECT_THAT(problemOf([](PipeInstruction &i) { i.pipe = Pipe::MTE2; }),
              HasSubstr("expects load_im2col on pipe mte1"));
  EXPECT_THAT(problemOf([](PipeInstruction &i) {
                i.kind = PipeInstruction::LoadFractals;
                i.count = kNoRegister;
              }),
              HasSubstr("expects an image in loads of windows only"));
  EXPECT_THAT(problemOf([](PipeInstruction &i) { std::swap(i.destination, i.sources[0]); }),
              HasSubstr("expects a buffer in L0A, found one in L1"));
}

namespace {

/// y = (a * identity + bias) * scale of bytes, or without bias or scale: what comes out of L0C.
struct Sums {
  static constexpr int64_t m = 20, n = 32;
  bool hasBias = true, hasScale = true, isNz = false, relu = false;
  int64_t init = 1;
  uint32_t dropped = 0; ///< low bits of the scale of column 3
  std::vector<int8_t> a = std::vector<int8_t>(size_t(m * n));
  std::vector<int32_t> bias = std::vector<int32_t>(size_t(n));
  std::vector<float> scales = std::vector<float>(size_t(2 * n), 0.0f);
  std::vector<Half> y = std::vector<Half>(size_t(m * n), toHalf(7.0f));

  Sums() {
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = int8_t(int(i * 37 % 251) - 125);
    for (size_t i = 0; i < bias.size(); ++i) {
      bias[i] = int32_t(i) * 3 - 40;
      scales[2 * i] = 0.25f * float(i % 5 + 1);
    }
  }
  float expected(int64_t i, int64_t j) const {
    const float sum = float(int(a[size_t(i * n + j)]) + (hasBias ? bias[size_t(j)] : 0)) * scales[size_t(2 * j)];
    return toFloat(toHalf(relu && sum < 0 ? 0.0f : sum));
  }
  std::function<void(ProgramBuilder &, PipeInstruction &)> change = [](ProgramBuilder &, PipeInstruction &) {};

  Outcome go() {
    ProgramBuilder b{5};
    const int64_t l1 = windowOf(Memory::L1);
    std::vector<int8_t> identity(size_t(n * n), 0);
    for (int64_t i = 0; i < n; ++i)
      identity[size_t(i * n + i)] = 1;
    uint32_t bits = floatBits(scales[6]) | dropped;
    std::memcpy(&scales[6], &bits, sizeof bits);
    const uint16_t left = b.buffer("left", l1, 4096), right = b.buffer("right", l1 + 4096, 4096),
                   biasL1 = b.buffer("bias_l1", l1 + 8192, 128), scaleL1 = b.buffer("scale_l1", l1 + 8320, 256),
                   l0a = b.buffer("l0a", windowOf(Memory::L0A), 4096),
                   l0b = b.buffer("l0b", windowOf(Memory::L0B), 4096), bt = b.buffer("bt", windowOf(Memory::BT), 128),
                   l0c = b.buffer("l0c", windowOf(Memory::L0C), 8192);
    auto c = [&](int64_t value) { return b.constant(value); };
    auto load = [&](uint16_t to, int64_t address, uint16_t tensor, ElementType type, int64_t rows, int64_t columns,
                    int64_t height) {
      PipeInstruction i = instructionOf(PipeInstruction::LoadNz, Pipe::MTE2);
      i.packed = type == ElementType::Int32;
      i.destination = b.ub(to, c(address), type, c(height * 32));
      i.sources[0] = b.gm(tensor, c(0), type, c(columns * elementSize(type)));
      i.rows = c(rows);
      i.count = c(columns);
      b.perform(i);
    };
    load(left, l1, 0, ElementType::Int8, m, n, 32);
    load(right, l1 + 4096, 1, ElementType::Int8, n, n, 32);
    load(scaleL1, l1 + 8320, 3, kFloat, 1, 2 * n, 1);
    if (hasBias) {
      // Whole blocks, as they are: the bits of i32 are copied as f32.
      PipeInstruction i = instructionOf(PipeInstruction::LoadNz, Pipe::MTE2);
      i.packed = true;
      i.destination = b.ub(biasL1, c(l1 + 8192), kFloat, c(128));
      i.sources[0] = b.gm(2, c(0), kFloat, c(128));
      i.rows = c(1);
      i.count = c(n);
      b.perform(i);
    }
    b.set(Pipe::MTE2, Pipe::MTE1, c(3)), b.wait(Pipe::MTE2, Pipe::MTE1, c(3));
    b.set(Pipe::MTE2, Pipe::FIX, c(3)), b.wait(Pipe::MTE2, Pipe::FIX, c(3));
    auto fractals = [&](uint16_t to, Memory memory, uint16_t from, int64_t address) {
      // 32 rows of 32 bytes: two fractals. The identity is its own transpose.
      PipeInstruction i = instructionOf(PipeInstruction::LoadFractals, Pipe::MTE1);
      i.destination = b.ub(to, c(windowOf(memory)), ElementType::Int8, c(512));
      i.sources[0] = b.ub(from, c(address), ElementType::Int8, c(512));
      i.rows = c(2);
      b.perform(i);
    };
    fractals(l0a, Memory::L0A, left, l1);
    fractals(l0b, Memory::L0B, right, l1 + 4096);
    PipeInstruction copy = instructionOf(PipeInstruction::LoadBias, Pipe::MTE1);
    copy.destination = b.ub(bt, ElementType::Int32);
    copy.sources[0] = b.ub(biasL1, ElementType::Int32);
    copy.count = c(n * 4 / 64);
    change(b, copy);
    if (hasBias)
      b.perform(copy);
    b.set(Pipe::MTE1, Pipe::M, c(3)), b.wait(Pipe::MTE1, Pipe::M, c(3));
    PipeInstruction mmad = instructionOf(PipeInstruction::Mmad, Pipe::M);
    mmad.destination = b.ub(l0c, ElementType::Int32);
    mmad.sources[0] = b.ub(l0a, ElementType::Int8);
    mmad.sources[1] = b.ub(l0b, ElementType::Int8);
    if (hasBias)
      mmad.sources[2] = b.ub(bt, ElementType::Int32);
    mmad.rows = c(m);
    mmad.count = mmad.depth = c(n);
    mmad.scalar = c(init);
    change(b, mmad);
    b.perform(mmad);
    b.set(Pipe::M, Pipe::FIX, c(3)), b.wait(Pipe::M, Pipe::FIX, c(3));
    PipeInstruction fixpipe = instructionOf(PipeInstruction::Fixpipe, Pipe::FIX);
    fixpipe.destination = b.gm(4, c(0), kHalf, c(isNz ? m * 32 : n * 2));
    fixpipe.sources[0] = b.ub(l0c, c(windowOf(Memory::L0C)), ElementType::Int32, c(32 * 64));
    fixpipe.sources[1] = b.ub(scaleL1, kFloat);
    fixpipe.rows = c(m);
    fixpipe.count = c(n);
    fixpipe.relu = relu;
    fixpipe.packed = isNz;
    change(b, fixpipe);
    b.perform(fixpipe);
    SimOptions options;
    options.sanitize = Sanitize::all();
    SimTensor aBytes{"a", a.data(), int64_t(a.size()), ElementType::Int8, false};
    SimTensor identityBytes{"identity", identity.data(), int64_t(identity.size()), ElementType::Int8, false};
    // Loads move the bits of i32 as f32.
    SimTensor biasBits{"bias", bias.data(), int64_t(bias.size() * 4), kFloat, false};
    return run(b.finish(), {aBytes, identityBytes, biasBits, tensor("scales", scales), tensor("y", y, true)}, {},
               options);
  }
};

} // namespace

TEST(CubeImage, StartsAtBiasesAndScales) {
  for (bool hasBias : {false, true})
    for (bool relu : {false, true})
      for (bool isNz : {false, true}) {
        Sums sums;
        sums.hasBias = hasBias, sums.relu = relu, sums.isNz = isNz;
        const Outcome outcome = sums.go();
        ASSERT_TRUE(outcome.result.completed) << outcome.text();
        for (int64_t i = 0; i < Sums::m; ++i)
          for (int64_t j = 0; j < Sums::n; ++j) {
            const int64_t place = isNz ? j / 16 * Sums::m * 16 + i * 16 + j % 16 : i * Sums::n + j;
            ASSERT_EQ(toFloat(sums.y[size_t(place)]), sums.expected(i, j))
                << "row " << i << ", column " << j << (hasBias ? ", bias" : "") << (relu ? ", relu" : "")
                << (isNz ? ", nz" : "");
          }
      }
}

// The chip drops 13 bits of a scale: another number than the f32.
TEST(CubeImage, ScalesHave19Bits) {
  Sums sums;
  sums.dropped = 1u << 12;
  const Outcome outcome = sums.go();
  ASSERT_FALSE(outcome.result.completed);
  EXPECT_EQ(outcome.code(), Code::E0563) << outcome.text();
  EXPECT_EQ(outcome.diagnostics.all()[0].rule, "sim_c46") << outcome.text();
  EXPECT_THAT(outcome.text(), HasSubstr("expects scales of 19 bits"));
  sums = Sums();
  sums.dropped = 1u << 13;
  EXPECT_TRUE(sums.go().result.completed);
}

TEST(CubeImage, BiasesAndFractalsAreChecked) {
  auto find = [](std::function<void(ProgramBuilder &, PipeInstruction &)> change, bool isNz = false) {
    Sums sums;
    sums.isNz = isNz;
    sums.change = change;
    return sums.go().text();
  };
  // Half of the biases were never copied.
  EXPECT_THAT(find([](ProgramBuilder &b, PipeInstruction &i) {
                if (i.kind == PipeInstruction::LoadBias)
                  i.count = b.constant(int64_t(1));
              }),
              HasSubstr("expects buffer 'bt' to hold what it reads"));
  EXPECT_THAT(find([](ProgramBuilder &b, PipeInstruction &i) {
                if (i.kind == PipeInstruction::LoadBias)
                  i.count = b.constant(int64_t(17));
              }),
              HasSubstr("expects the 1024 bytes of the bias table"));
  EXPECT_THAT(find(
                  [](ProgramBuilder &b, PipeInstruction &i) {
                    if (i.kind == PipeInstruction::Fixpipe)
                      i.count = b.constant(int64_t(17));
                  },
                  true),
              HasSubstr("expects whole columns of fractals"));
  EXPECT_THAT(find([](ProgramBuilder &b, PipeInstruction &i) {
                if (i.kind == PipeInstruction::Fixpipe)
                  i.destination.type = kFloat;
              }),
              HasSubstr("expects fixpipe with scales of f32 to make i32 f16"));
  EXPECT_THAT(find([](ProgramBuilder &b, PipeInstruction &i) {
                if (i.kind == PipeInstruction::Mmad)
                  i.sources[2].type = kFloat;
              }),
              HasSubstr("expects biases of the type of the result"));
}
