// What strided calls of a kernel become: repeats under masks, with gaps, over operands of several widths.

#include "test/unit/runtime/device/sim/RecorderScene.h"

using namespace opc::test;
using testing::ElementsAre;

// Repeats that lie close are one instruction; a source that stands still, gaps and masks are one for each run of lanes.
TEST(RecorderRepeats, Runs) {
  Scene scene;
  scene.record([] {
    Tiles<float> t;
    Add(t.c, t.a, t.b, 64, 4, {1, 1, 1, 8, 8, 8});
    Add(t.c, t.a, t.b, 64, 2, {1, 1, 1, 8, 8, 0});
    Add(t.c, t.a, t.b, 9, 2, {1, 1, 1, 2, 2, 2});
    Add(t.c, t.a, t.b, 16, 1, {1, 2, 1, 8, 8, 8});
    uint64_t bits[2] = {0x30000000c0000006ull, ~uint64_t(0)}; // the second word is of 16 bits
    Relu(t.c, t.a, bits, 1, {1, 1, 8, 8});
    Duplicate(t.c, 1.0f, 8, 2, 1, 1);
    Add(t.c, t.a, t.b, 64, 0, {1, 1, 1, 8, 8, 8});
  });
  EXPECT_THAT(scene.steps(), ElementsAre("vadd 256 @2048 @0 @1024", "vadd 64 @2048 @0 @1024",
                                         "vadd 64 @2304 @256 @1024", "vadd 9 @2048 @0 @1024", "vadd 9 @2112 @64 @1088",
                                         "vadd 8 @2048 @0 @1024", "vadd 8 @2080 @64 @1056", "vrelu~ 2 @2052 @4",
                                         "vrelu~ 2 @2168 @120", "vrelu~ 2 @2288 @240", "vbrc 8 @2048", "vbrc 8 @2080"));
}

// Lanes of two widths: blocks of the narrow operand hold twice as many.
TEST(RecorderRepeats, TwoWidths) {
  Scene scene;
  scene.record([] {
    Tiles<float> t;
    LocalTensor<half> narrow = t.b.ReinterpretCast<half>();
    Cast(t.c, narrow, RoundMode::CAST_NONE, 64, 2, {1, 1, 8, 4});
    Cast(t.c, narrow, RoundMode::CAST_NONE, 24, 1, {2, 1, 8, 4});
  });
  EXPECT_THAT(scene.steps(), ElementsAre("vcast 128 @2048 @1024", "vcast 8 @2048 @1024", "vcast~ 8 @2112 @1040",
                                         "vcast 8 @2176 @1056"));
}

// The mask register: bits, then a count of elements over as many repeats as it takes; all lanes at the
// start of every block.
TEST(RecorderRepeats, MaskRegister) {
  Scene scene;
  scene.record([] {
    Tiles<half> t;
    const uint8_t once = 1;
    Exp<half, false>(t.c, t.a, MASK_PLACEHOLDER, once, {1, 1, 8, 8});
    SetVectorMask<half>(0, 0xf0);
    Exp<half, false>(t.c, t.a, MASK_PLACEHOLDER, once, {1, 1, 8, 8});
    SetVectorMask<half>(70);
    Exp<half, false>(t.c, t.a, MASK_PLACEHOLDER, once, {1, 1, 8, 8});
    SetMaskCount();
    SetVectorMask<half, MaskMode::COUNTER>(300);
    Exp<half, false>(t.c, t.a, MASK_PLACEHOLDER, once, {1, 1, 8, 8});
    Exp<half, false>(t.c, t.a, MASK_PLACEHOLDER, once, {1, 1, 8, 0});
    SetMaskNorm();
    Exp<half, false>(t.c, t.a, MASK_PLACEHOLDER, once, {1, 1, 8, 8});
  });
  EXPECT_THAT(scene.steps(),
              ElementsAre("vexp 128 @2048 @0", "vexp~ 4 @2056 @8", "vexp 70 @2048 @0", "vexp 300 @2048 @0",
                          "vexp 128 @2048 @0", "vexp 128 @2304 @0", "vexp 44 @2560 @0", "vexp 128 @2048 @0"));
}

// Masks of bits move on by the bits of a repeat, or stay; compares take whole repeats.
TEST(RecorderRepeats, CompareAndSelect) {
  Scene scene;
  scene.record([] {
    Tiles<float> t;
    LocalTensor<uint8_t> bits = t.b.ReinterpretCast<uint8_t>();
    Compare(bits, t.a, t.c, CMPMODE::LT, 64, 2, {1, 1, 1, 8, 8, 0});
    Select(t.c, bits, t.a, t.c, SELMODE::VSEL_TENSOR_TENSOR_MODE, 32, 2, {1, 1, 1, 8, 8, 8});
    Select(t.c, bits, t.a, t.c, SELMODE::VSEL_CMPMASK_SPR, 100);
    Select(t.c, bits, t.a, 2.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 100);
  });
  EXPECT_THAT(scene.steps(),
              ElementsAre("vcmp 1 @1024 @0 @2048", "vcmp~ 1 @1032 @256 @2048", "vsel 32 @2048 @1024 @0 @2048",
                          "vsel~ 32 @2304 @1032 @256 @2304", "vsel 64 @2048 @1024 @0 @2048",
                          "vsel 36 @2304 @1024 @256 @2304", "vsels 100 @2048 @1024 @0"));
}

// Results of repeats lie where their stride says, from any element on; pairs take two.
TEST(RecorderRepeats, Reductions) {
  Scene scene;
  scene.record([] {
    Tiles<float> t;
    WholeReduceSum(t.c, t.a, 64, 4, 1, 1, 8);
    WholeReduceSum(t.c[3], t.a, 32, 2, 2, 1, 4);
    WholeReduceMax(t.c, t.a, 64, 2, 2, 1, 8);
    BlockReduceMax(t.c, t.a, 2, 64, 1, 1, 8);
    PairReduceSum(t.c, t.a, 1, 64, 1, 1, 8);
    ReduceMax(t.c, t.a, t.b, 64, 3, 8, true);
  });
  EXPECT_THAT(scene.steps(), ElementsAre("vreduce_repeat_sum 256 @2048 @0", "vreduce_repeat_sum~ 32 @2060 @0",
                                         "vreduce_repeat_sum~ 32 @2068 @128", "vreduce_repeat_max 64 @2048 @0",
                                         "vreduce_repeat_max~ 64 @2064 @256", "vreduce_block_max 128 @2048 @0",
                                         "vreduce_pair_sum 64 @2048 @0", "vreduce_max 192 @2048 @0 @1024"));
}

// Operands of repeats start with a block, masks and repeats have their ranges, tiles their ends.
TEST(RecorderRepeats, Refused) {
  expectRefused(
      [] {
        Tiles<float> t;
        Add(t.c[1], t.a, t.b, 8, 1, {1, 1, 1, 8, 8, 8});
      },
      "OPC-E0561 .*multiples of 32 bytes, found one at 2052");
  expectRefused(
      [] {
        Tiles<float> t;
        Add(t.c, t.a, t.b, 65, 1, {1, 1, 1, 8, 8, 8});
      },
      "OPC-E0563 .*a mask of 1 to 64 lanes, found 65");
  expectRefused(
      [] {
        Tiles<float> t;
        Add(t.c, t.a, t.b, 64, 5, {1, 1, 1, 8, 8, 8});
      },
      "OPC-E0562 .*the 1024 bytes that are left of its tensor, found 1280");
  expectRefused(
      [] {
        Tiles<float> t;
        WholeReduceSum(t.c, t.a, 64, 256, 1, 1, 8);
      },
      "OPC-E0563 .*at most 255 repeats, found 256");
  expectRefused(
      [] {
        Tiles<float> t;
        uint64_t bits[2] = {2, 0};
        BlockReduceSum(t.c, t.a, 1, bits, 1, 1, 8);
      },
      "OPC-E0802 .*other lanes than the first");
}

// A second source that stands still, by rows: along one row its block serves every repeat, across rows each has a
// block of its own. That is one instruction, or else a run of lanes each.
TEST(RecorderRepeats, Rows) {
  auto steps = [](const std::function<void(Tiles<float> &)> &call) {
    Scene scene;
    scene.record([&] {
      Tiles<float> t;
      call(t);
    });
    return scene.steps();
  };
  EXPECT_THAT(steps([](auto &t) { Add(t.c, t.a, t.b, 64, 2, {1, 1, 0, 8, 8, 0}); }),
              ElementsAre("vadd 128 @2048 @0 @1024"));
  EXPECT_THAT(steps([](auto &t) { Add(t.c, t.a, t.b, 5, 1, {1, 1, 0, 8, 8, 8}); }),
              ElementsAre("vadd 5 @2048 @0 @1024"));
  EXPECT_THAT(steps([](auto &t) { Sub(t.c, t.a, t.b, 32, 3, {3, 3, 1, 1, 1, 0}); }),
              ElementsAre("vsub 96 @2048 @0 @1024"));
  // A repeat that leaves its last lane out, lanes that are no whole blocks, rows with gaps, blocks that move on, an
  // intrinsic without that form.
  EXPECT_THAT(steps([](auto &t) { Add(t.c, t.a, t.b, 63, 2, {1, 1, 0, 8, 8, 0}); }), testing::SizeIs(16));
  EXPECT_THAT(steps([](auto &t) { Add(t.c, t.a, t.b, 28, 3, {3, 3, 1, 1, 1, 0}); }), testing::SizeIs(12));
  EXPECT_THAT(steps([](auto &t) { Div(t.c, t.a, t.b, 16, 2, {3, 3, 1, 1, 1, 0}); }), testing::SizeIs(4));
  EXPECT_THAT(steps([](auto &t) { Add(t.c, t.a, t.b, 16, 2, {2, 2, 1, 1, 1, 1}); }), testing::SizeIs(4));
  EXPECT_THAT(steps([](auto &t) { FusedMulAdd(t.c, t.a, t.b, 64, 2, {1, 1, 0, 8, 8, 0}); }), testing::SizeIs(16));
}

// Along a row every element takes the lane of the one block; across rows that of its own row's.
TEST(RecorderRepeats, RowsTakeTheirBlocks) {
  Scene scene;
  for (size_t i = 0; i < scene.x.size(); ++i)
    scene.x[i] = float(i);
  scene.record([&] {
    Tiles<float> t;
    DataCopy(t.a, scene.gm(0), 256);
    DataCopy(t.b, scene.gm(0)[1024], 256);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Add(t.c, t.a, t.b, 64, 2, {1, 1, 0, 8, 8, 0});
    for (uint32_t i : {0, 7, 8, 63, 64, 127})
      EXPECT_EQ(t.c.GetValue(i), float(i + 1024 + i % 8)) << i;
    Sub(t.c, t.a, t.b, 32, 3, {3, 3, 1, 1, 1, 0}); // four rows of 24
    for (uint32_t i : {0, 7, 8, 23, 24, 50, 95})
      EXPECT_EQ(t.c.GetValue(i), float(i) - float(1024 + i / 24 * 8 + i % 8)) << i;
  });
}

// A count that no tensor has, or that no call can say, ends the kernel before anything goes over its elements.
TEST(RecorderRepeats, RefusesHugeCounts) {
  expectRefused(
      [] {
        Tiles<float> t;
        uint64_t kept = 0;
        GatherMask(t.c, t.a, uint8_t(1), true, UINT32_MAX, {1, 1, 8, 0}, kept);
      },
      "OPC-E0562 .*'GatherMask' expects the 1024 bytes");
  expectRefused(
      [] {
        Tiles<float> t;
        ReduceSum(t.c, t.a, t.b, 64, INT32_MAX, 8);
      },
      "OPC-E0563 .*at most 2147483647 elements");
  expectRefused(
      [] {
        Tiles<float> t;
        SetMaskCount();
        SetVectorMask<float, MaskMode::COUNTER>(0, uint64_t(1) << 32);
        ReduceMax<float, false>(t.c, t.a, t.b, MASK_PLACEHOLDER, 1, 8);
      },
      "OPC-E0563 .*at most 2147483647 elements");
}
