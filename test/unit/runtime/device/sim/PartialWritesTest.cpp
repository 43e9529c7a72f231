// Intrinsics that write parts of their destination, or results of another length: what is there afterwards, what is
// not, and what is refused.

#include "test/unit/runtime/device/sim/ProgramBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

using namespace opc;
using namespace opc::test;
using ::testing::HasSubstr;

namespace {

constexpr ElementType kFloat = ElementType::Float32, kByte = ElementType::UInt8, kWord = ElementType::UInt32;

/// A program over x (floats), words and masks that are loaded, and y that is stored at the end.
struct Scene {
  ProgramBuilder b{4};
  uint16_t p = b.buffer("p", 0, 1024), q = b.buffer("q", 1024, 2048), w = b.buffer("w", 3072, 1024),
           m = b.buffer("m", 4096, 64), shared = b.buffer("shared", 4160, 8192);
  ProgramBuilder::Reg zero = b.constant(int64_t(0));
  std::vector<float> x, y = std::vector<float>(512, -1.0f);
  std::vector<uint32_t> words;
  std::vector<uint8_t> mask;

  Scene() {
    for (size_t i = 0; i < 256; ++i)
      x.push_back(float(i) + 0.5f);
  }
  ProgramBuilder::Reg number(int64_t value) { return b.constant(value); }
  /// Loads what the tensors hold and hands it to the vector unit.
  void begin() {
    b.load(b.ub(p, kFloat), b.gm(0, zero, kFloat), number(int64_t(x.size())));
    if (!words.empty())
      b.load(b.ub(w, kWord), b.gm(1, zero, kWord), number(int64_t(words.size())));
    if (!mask.empty())
      b.load(b.ub(m, kByte), b.gm(2, zero, kByte), number(int64_t(mask.size())));
    b.set(Pipe::MTE2, Pipe::V, zero);
    b.wait(Pipe::MTE2, Pipe::V, zero);
  }
  /// A tile with the length that says how far it reaches.
  ProgramOperand sized(uint16_t buffer, ElementType type, int64_t address, int64_t length) {
    ProgramOperand operand = b.ub(buffer, number(address), type);
    operand.length = number(length);
    return operand;
  }
  void store(int64_t count) {
    b.set(Pipe::V, Pipe::MTE3, zero);
    b.wait(Pipe::V, Pipe::MTE3, zero);
    b.store(b.gm(3, zero, kFloat), b.ub(q, kFloat), number(count));
  }
  Outcome go() {
    return run(b.finish(), {tensor("x", x), tensor("words", words), tensor("mask", mask), tensor("y", y, true)});
  }
};

} // namespace

// Elements after the kept ones are not to be read: how far the chip writes is not known.
TEST(PartialWrites, OnlyKeptElementsAreThere) {
  for (int64_t stored : {16, 17}) {
    Scene s;
    s.mask = {0xff, 0x00, 0xaa, 0x0f, 0x00}; // 16 of 40
    s.begin();
    s.b.vector(Intrinsic::vgather_mask, s.b.ub(s.q, kFloat), {s.b.ub(s.m, kByte), s.b.ub(s.p, kFloat)}, s.number(40));
    s.store(stored);
    Outcome outcome = s.go();
    ASSERT_EQ(outcome.result.completed, stored == 16) << outcome.text();
    if (stored != 16) {
      EXPECT_EQ(outcome.diagnostics.all()[0].rule, "sim_c20");
      continue;
    }
    EXPECT_EQ(s.y[7], 7.5f);
    EXPECT_EQ(s.y[8], 17.5f);
    EXPECT_EQ(s.y[15], 27.5f);
  }
}

// What a scatter does not hit stays; what nothing has written stays unwritten.
TEST(PartialWrites, ScatterLeavesTheRest) {
  for (bool filled : {true, false}) {
    Scene s;
    s.words = {28, 0, 4};
    s.begin();
    if (filled) {
      s.b.vector(Intrinsic::vbrc, s.b.ub(s.q, kFloat), {}, s.number(8), s.b.constant(-3.0f));
      s.b.barrier(Pipe::V);
    }
    s.b.vector(Intrinsic::vscatter, s.sized(s.q, kFloat, 1024, 8), {s.b.ub(s.p, kFloat), s.b.ub(s.w, kWord)},
               s.number(3));
    s.store(filled ? 8 : 2);
    Outcome outcome = s.go();
    ASSERT_TRUE(outcome.result.completed) << outcome.text();
    EXPECT_EQ(s.y[0], 1.5f);
    EXPECT_EQ(s.y[1], 2.5f);
    if (filled) {
      EXPECT_EQ(s.y[2], -3.0f);
      EXPECT_EQ(s.y[7], 0.5f);
    }
  }
  Scene s;
  s.words = {28, 0, 4};
  s.begin();
  s.b.vector(Intrinsic::vscatter, s.sized(s.q, kFloat, 1024, 8), {s.b.ub(s.p, kFloat), s.b.ub(s.w, kWord)},
             s.number(3));
  s.store(3);
  Outcome outcome = s.go();
  EXPECT_FALSE(outcome.result.completed);
  EXPECT_THAT(outcome.text(), HasSubstr("sim_c20"));
}

// An offset past the tile, though within the slot, would reach another tile.
TEST(PartialWrites, OffsetsStayInTheirTile) {
  for (uint32_t offset : {32u, 2u, 0xfffffffcu}) {
    Scene s;
    s.words = {0, offset};
    s.begin();
    s.b.vector(Intrinsic::vscatter, s.sized(s.q, kFloat, 1024, 8), {s.b.ub(s.p, kFloat), s.b.ub(s.w, kWord)},
               s.number(2));
    Outcome outcome = s.go();
    EXPECT_EQ(outcome.code(), Code::E0560) << outcome.text();
    EXPECT_THAT(outcome.text(), HasSubstr("in lane 1"));
  }
  Scene s;
  s.words = {0, 32};
  s.begin();
  s.b.vector(Intrinsic::vgather, s.b.ub(s.q, kFloat), {s.sized(s.p, kFloat, 0, 8), s.b.ub(s.w, kWord)}, s.number(2));
  EXPECT_EQ(s.go().code(), Code::E0560);
}

// Whole repeats of results: the room for them is checked, and they are all there.
TEST(PartialWrites, PartReductionsWriteWholeRepeats) {
  Scene s;
  s.begin();
  s.b.vector(Intrinsic::vreduce_block_max, s.b.ub(s.q, kFloat), {s.b.ub(s.p, kFloat)}, s.number(70));
  s.store(16);
  Outcome outcome = s.go();
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  EXPECT_EQ(s.y[7], 63.5f);
  EXPECT_EQ(s.y[8], 69.5f);
  EXPECT_EQ(s.y[9], -INFINITY);
  EXPECT_EQ(s.y[15], -INFINITY);
  Scene tight;
  tight.begin();
  // 24 bytes before the end of the slot: six results fit, sixteen are written.
  tight.b.vector(Intrinsic::vreduce_block_max, tight.b.ub(tight.q, tight.number(1024 + 2048 - 32), kFloat),
                 {tight.b.ub(tight.p, kFloat)}, tight.number(70));
  EXPECT_EQ(tight.go().code(), Code::E0562);
}

// Sorted, merged, and refused where lists or counts are not whole.
TEST(PartialWrites, SortsAndMerges) {
  Scene s;
  for (uint32_t i = 0; i < 64; ++i)
    s.words.push_back(i);
  s.begin();
  s.b.vector(Intrinsic::vsort32, s.b.ub(s.q, kFloat), {s.b.ub(s.p, kFloat), s.b.ub(s.w, kWord)}, s.number(64));
  s.b.barrier(Pipe::V);
  s.b.vector(Intrinsic::vmrgsort, s.b.ub(s.q, s.number(1024 + 512), kFloat),
             {s.sized(s.q, kFloat, 1024, 64), s.sized(s.q, kFloat, 1024 + 256, 64)}, kNoRegister);
  s.store(256);
  Outcome outcome = s.go();
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  EXPECT_EQ(s.y[0], 31.5f);
  EXPECT_EQ(floatBits(s.y[1]), 31u);
  EXPECT_EQ(s.y[128], 63.5f);
  EXPECT_EQ(floatBits(s.y[128 + 127]), 0u);

  auto refused = [](auto &&write) {
    Scene scene;
    scene.words = std::vector<uint32_t>(64);
    scene.begin();
    write(scene);
    return scene.go().code();
  };
  EXPECT_EQ(refused([](Scene &t) {
              t.b.vector(Intrinsic::vsort32, t.b.ub(t.q, kFloat), {t.b.ub(t.p, kFloat), t.b.ub(t.w, kWord)},
                         t.number(33));
            }),
            Code::E0563);
  for (auto [first, second] : {std::pair{63, 64}, {64, -2}, {-1, 64}, {2 * 4096, 2}})
    EXPECT_EQ(refused([first = first, second = second](Scene &t) {
                t.b.vector(Intrinsic::vmrgsort, t.b.ub(t.q, kFloat),
                           {t.sized(t.p, kFloat, 0, first), t.sized(t.p, kFloat, 512, second)}, kNoRegister);
              }),
              Code::E0563)
        << first << " " << second;
}

// A composed call overwrites its scratch, and reads no source that it has overwritten.
TEST(PartialWrites, ComposedCallsTakeScratchAndStayApart) {
  Scene s;
  s.begin();
  s.b.vector(Intrinsic::vfloor, s.b.ub(s.q, kFloat), {s.b.ub(s.p, kFloat)}, s.number(256)).scratch =
      s.b.ub(s.shared, kByte);
  s.store(256);
  Outcome outcome = s.go();
  ASSERT_TRUE(outcome.result.completed) << outcome.text();
  EXPECT_EQ(s.y[255], 255.0f);
  Scene place;
  place.begin();
  place.b.vector(Intrinsic::vfloor, place.b.ub(place.p, kFloat), {place.b.ub(place.p, kFloat)}, place.number(256))
      .scratch = place.b.ub(place.shared, kByte);
  EXPECT_EQ(place.go().code(), Code::E0564);
  Scene little;
  little.begin();
  little.b.vector(Intrinsic::vfloor, little.b.ub(little.q, kFloat), {little.b.ub(little.p, kFloat)}, little.number(256))
      .scratch = little.b.ub(little.m, kByte);
  EXPECT_EQ(little.go().code(), Code::E0562);
}

// Elements that move would be overwritten before they are read; a transpose may.
TEST(PartialWrites, WhatMovesElementsStaysApart) {
  const ElementType half = ElementType::Float16;
  for (Intrinsic intrinsic : {Intrinsic::vtrans5hd, Intrinsic::vgather_pattern, Intrinsic::vtranspose}) {
    Scene s;
    s.begin();
    s.b.vector(intrinsic, s.b.ub(s.p, half), {s.b.ub(s.p, half)}, s.number(256));
    Outcome outcome = s.go();
    EXPECT_EQ(outcome.result.completed, intrinsic == Intrinsic::vtranspose) << outcome.text();
  }
}
