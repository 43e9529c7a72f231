// What the calls of a kernel in Ascend C become: each instruction with its addresses, counts and flags, in the order
// of the calls; and the limits of the chip.

#include "test/unit/runtime/device/sim/RecorderScene.h"

using namespace opc::test;
using testing::ElementsAre;

// Calls by count: op, addresses of tiles, counts, places in tensors, in the order of the lines.
TEST(Recorder, CallsByCount) {
  Scene scene;
  scene.record([&] {
    Tiles<float> t;
    DataCopy(t.a, scene.gm(0)[8], 100); // whole blocks: 96 elements
    Add(t.c, t.a, t.b[8], 33);
    Muls(t.c[16], t.c[16], 2.0f, 5);
    ReduceSum(t.a[1], t.c, t.b, 64);
    t.c.SetValue(3, 1.0f);
    DataCopyPad(scene.gm(1)[4], t.c, {3, 20, 1, 64, 0});
  });
  EXPECT_THAT(scene.steps(),
              ElementsAre("load 96 @0 gm0@32", "vadd 33 @2048 @0 @1056", "vmuls 5 @2112 @2112",
                          "vreduce_sum~ 64 @4 @2048 @1024", "write 1 @2060", "store 5 gm1@16 3x20/84 @2048 3x20/64"));
}

// Copies of one place are one instruction, however many rows they have: a loop may load a single row, which nothing
// reads, beside rows that are read, as a window does that is all padding.
TEST(Recorder, CopiesOfOneRow) {
  Scene scene;
  scene.record([&] {
    TPipe pipe;
    TBuf<> memory;
    pipe.InitBuffer(memory, 1024);
    LocalTensor<float> loaded = memory.Get<float>();
    for (uint16_t rows : {2, 1}) {
      DataCopyPad(loaded, scene.gm(0), {rows, 20, 12, 0, 0}, {true, 0, 3, -1.0f});
      SetFlag<HardEvent::MTE2_MTE3>(2);
      WaitFlag<HardEvent::MTE2_MTE3>(2);
      if (rows == 2)
        for (uint32_t part = 0; part < 256; ++part)
          DataCopyPad(scene.gm(1)[part * 16], loaded, {1, 64, 0, 0, 0});
      SetFlag<HardEvent::MTE3_MTE2>(2);
      WaitFlag<HardEvent::MTE3_MTE2>(2);
    }
  });
  const auto isLoad = [](const auto &form) { return form.kind == opc::PipeInstruction::Load; };
  EXPECT_EQ(std::count_if(scene.program.instructions.begin(), scene.program.instructions.end(), isLoad), 1);
  EXPECT_EQ(scene.simulated(), "");
}

// A queue is flags with the buffer's own event: each handing on is a set and a wait, none is left.
TEST(Recorder, QueuesAreFlags) {
  Scene scene;
  scene.record([&] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, 256);
    pipe.InitBuffer(out, 1, 256);
    for (uint32_t i = 0; i < 4; ++i) {
      LocalTensor<float> a = in.AllocTensor<float>();
      DataCopy(a, scene.gm(0)[i * 64], 64);
      in.EnQue(a);
      a = in.DeQue<float>();
      LocalTensor<float> b = out.AllocTensor<float>();
      Abs(b, a, 64);
      out.EnQue(b);
      in.FreeTensor(a);
      b = out.DeQue<float>();
      DataCopy(scene.gm(1)[i * 64], b, 64);
      out.FreeTensor(b);
    }
  });
  EXPECT_THAT(scene.steps(),
              ElementsAre("load 64 @0 gm0@0", "set mte2 v [0]", "wait v mte2 [0]", "vabs 64 @512 @0", "set v mte3 [0]",
                          "set v mte2 [0]", "wait mte3 v [0]", "store 64 gm1@0 @512", "set mte3 v [0]",
                          // the second buffer; the output's only one is waited for
                          "load 64 @256 gm0@256", "set mte2 v [1]", "wait v mte2 [1]", "wait v mte3 [0]",
                          "vabs 64 @512 @256", "set v mte3 [0]", "set v mte2 [1]", "wait mte3 v [0]",
                          "store 64 gm1@256 @512", "set mte3 v [0]",
                          // the first again
                          "wait mte2 v [0]", "load 64 @0 gm0@512", "set mte2 v [0]", "wait v mte2 [0]",
                          "wait v mte3 [0]", "vabs 64 @512 @0", "set v mte3 [0]", "set v mte2 [0]", "wait mte3 v [0]",
                          "store 64 gm1@512 @512", "set mte3 v [0]",
                          // and the second: buffers take turns, or copies would never overlap
                          "wait mte2 v [1]", "load 64 @256 gm0@768", "set mte2 v [1]", "wait v mte2 [1]",
                          "wait v mte3 [0]", "vabs 64 @512 @256", "set v mte3 [0]", "set v mte2 [1]", "wait mte3 v [0]",
                          "store 64 gm1@768 @512", "set mte3 v [0]",
                          // the pipe's end
                          "wait mte2 v [0]", "wait mte2 v [1]", "wait v mte3 [0]"));
  EXPECT_THAT(scene.simulated(), testing::HasSubstr("never written")) << "of y beyond four tiles";
}

// A depth of several holds several; a queue of the vector unit alone has barriers for flags.
TEST(Recorder, DepthsAndVectorQueues) {
  Scene scene;
  scene.record([&] {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> in;
    TQue<TPosition::VECCALC, 1> calc;
    pipe.InitBuffer(in, 2, 33); // 64 bytes each
    pipe.InitBuffer(calc, 1, 32);
    LocalTensor<float> a = in.AllocTensor<float>(), b = in.AllocTensor<float>();
    EXPECT_FALSE(in.HasIdleBuffer());
    in.EnQue(a);
    EXPECT_TRUE(in.VacantInQue());
    in.EnQue(b);
    EXPECT_FALSE(in.VacantInQue());
    EXPECT_EQ(in.GetTensorCountInQue(), 2);
    EXPECT_EQ(in.DeQue<float>().address, 0);
    b = in.DeQue<float>();
    EXPECT_EQ(b.address, 64);
    EXPECT_EQ(b.GetPosition(), TPosition::VECIN);
    in.FreeTensor(a);
    in.FreeTensor(b);
    LocalTensor<float> c = calc.AllocTensor<float>();
    EXPECT_EQ(c.address, 128);
    calc.EnQue(c);
    c = calc.DeQue<float>();
    calc.FreeTensor(c);
  });
  EXPECT_EQ(scene.steps()[6], "barrier v");
}

// Every event of the pipes that there are, both ends in their places.
TEST(Recorder, EventsAndBarriers) {
  Scene scene;
  scene.record([] {
    auto both = [](auto event, int32_t id) {
      SetFlag<decltype(event)::value>(id);
      WaitFlag<decltype(event)::value>(id);
    };
    both(std::integral_constant<HardEvent, HardEvent::MTE2_V>(), 0);
    both(std::integral_constant<HardEvent, HardEvent::V_MTE2>(), 1);
    both(std::integral_constant<HardEvent, HardEvent::MTE3_V>(), 2);
    both(std::integral_constant<HardEvent, HardEvent::V_MTE3>(), 3);
    both(std::integral_constant<HardEvent, HardEvent::MTE2_MTE3>(), 4);
    both(std::integral_constant<HardEvent, HardEvent::MTE3_MTE2>(), 5);
    both(std::integral_constant<HardEvent, HardEvent::S_V>(), EVENT_ID0);
    both(std::integral_constant<HardEvent, HardEvent::V_S>(), EVENT_ID1);
    both(std::integral_constant<HardEvent, HardEvent::S_MTE2>(), EVENT_ID2);
    both(std::integral_constant<HardEvent, HardEvent::MTE2_S>(), EVENT_ID3);
    both(std::integral_constant<HardEvent, HardEvent::S_MTE3>(), EVENT_ID4);
    both(std::integral_constant<HardEvent, HardEvent::MTE3_S>(), EVENT_ID5);
    TQueSync<PIPE_V, PIPE_S> sync;
    sync.SetFlag(2);
    sync.WaitFlag(2);
    PipeBarrier<PIPE_MTE2>();
    PipeBarrier<PIPE_S>();
  });
  const std::vector<std::string> steps = scene.steps();
  const std::vector<std::string> pairs = {"mte2 v", "v mte2", "mte3 v", "v mte3", "mte2 mte3", "mte3 mte2",
                                          "s v",    "v s",    "s mte2", "mte2 s", "s mte3",    "mte3 s"};
  ASSERT_EQ(steps.size(), 28u);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const std::string id = " [" + std::to_string(i % 6) + "]";
    const size_t space = pairs[i].find(' ');
    EXPECT_EQ(steps[2 * i], "set " + pairs[i] + id);
    EXPECT_EQ(steps[2 * i + 1], "wait " + pairs[i].substr(space + 1) + " " + pairs[i].substr(0, space) + id);
  }
  EXPECT_EQ(steps[24], "set v s [2]");
  EXPECT_EQ(steps[26], "barrier mte2");
  EXPECT_EQ(steps[27], "barrier s");
}

// What the kernel reads is what the calls before it made; each block begins with another memory.
TEST(Recorder, ReadsWhatWasComputed) {
  Scene scene;
  scene.settings.blockNum = 2;
  scene.record([&] {
    Tiles<float> t;
    DataCopy(t.a, scene.gm(0), 64);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Adds(t.b, t.a, float(1 + GetBlockIdx()), 64);
    SetFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::V_S>(0);
    EXPECT_EQ(t.b.GetValue(63), 2.5f + float(GetBlockIdx()));
    EXPECT_TRUE(std::isnan(t.c.GetValue(0))) << "nobody wrote it";
    EXPECT_EQ(GetBlockNum(), 2);
  });
}

// An extreme with its place: the first of equal ones, the first NaN; in the orders that a call names.
TEST(Recorder, Indices) {
  Scene scene;
  scene.x[70] = scene.x[75] = 9;
  scene.x[3] = scene.x[130] = -4;
  scene.x[140] = NAN;
  scene.record([&] {
    Tiles<float> t;
    DataCopy(t.a, scene.gm(0), 256);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    auto bits = [](const LocalTensor<float> &tensor, uint32_t i) {
      return tensor.ReinterpretCast<uint32_t>().GetValue(i);
    };
    ReduceMax(t.c, t.a, t.b, 128, true);
    EXPECT_EQ(t.c.GetValue(0), 9);
    EXPECT_EQ(bits(t.c, 1), 70u);
    ReduceMin(t.c, t.a, t.b, 256, true);
    EXPECT_TRUE(std::isnan(t.c.GetValue(0)));
    EXPECT_EQ(bits(t.c, 1), 140u);
    WholeReduceMin(t.c, t.a, 64, 2, 1, 1, 16, ReduceOrder::ORDER_INDEX_VALUE);
    EXPECT_EQ(bits(t.c, 0), 3u);
    EXPECT_EQ(t.c.GetValue(1), -4);
    EXPECT_EQ(bits(t.c, 2), 12u) << "the NaN of the third repeat";
    WholeReduceMax(t.c, t.a, 64, 2, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
    EXPECT_EQ(bits(t.c, 0), 0u);
    EXPECT_EQ(bits(t.c, 1), 6u);
  });
}

// Padding on both sides of rows, and what a kernel prints of itself.
TEST(Recorder, PaddingAndDumps) {
  Scene scene;
  for (size_t i = 0; i < 8; ++i)
    scene.x[i] = float(i);
  testing::internal::CaptureStderr();
  scene.record([&] {
    Tiles<float> t;
    DataCopyPad(t.a, scene.gm(0), {2, 12, 4, 0, 0}, {true, 2, 3, -1.0f});
    DumpTensor(t.a, 5, 16);
    DumpTensor(scene.gm(0)[4], 6, 2);
    t.a.ReinterpretCast<int32_t>().Print(1);
  });
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "DumpTensor 5: float32 [-1, -1, 0, 1, 2, -1, -1, -1, -1, -1, 4, 5, 6, -1, -1, -1]\n"
            "DumpTensor 6: float32 [4, 5]\n"
            "Print 0: int32 [-1082130432]\n");
  EXPECT_THAT(scene.steps()[0], "load 3 @0 2x32/32 gm0@0 2x12/16");
}

// The limits: 248 KiB to the byte, in blocks of 32; eight queue buffers of each position.
TEST(Recorder, Limits) {
  Scene().record([] {
    TPipe pipe;
    TBuf<> most;
    pipe.InitBuffer(most, 253952);
    pipe.Reset();
    TQue<TPosition::VECIN, 1> in[4];
    TQue<TPosition::VECOUT, 1> out[8];
    for (auto &queue : in)
      pipe.InitBuffer(queue, 2, 1);
    for (auto &queue : out)
      pipe.InitBuffer(queue, 1, 33);
    TBuf<> rest;
    pipe.InitBuffer(rest, 253952 - 8 * 32 - 8 * 64);
  });
  expectRefused(
      [] {
        TPipe pipe;
        TBuf<> most, more;
        pipe.InitBuffer(most, 253952 - 32);
        pipe.InitBuffer(more, 33);
      },
      "OPC-E0810 .*found 253920 in use and 1 of 64 more");
  expectRefused(
      [] {
        TPipe pipe;
        TQue<TPosition::VECIN, 1> in;
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
        pipe.InitBuffer(in, 8, 32);
        pipe.InitBuffer(through, 1, 32);
      },
      "OPC-E0811 .*at most 8 queue buffers in VECIN, found 9");
  expectRefused(
      [] {
        TPipe pipe;
        TBuf<> none;
        pipe.InitBuffer(none, 0);
      },
      "OPC-E0810 .*at least one byte");
}

// Tiling data: too little of it is the user's matter, another address the kernel's.
TEST(Recorder, TilingData) {
  struct Data {
    uint32_t a, b;
  };
  Data data = {3, 4};
  auto record = [&](int64_t bytes, int64_t from) {
    Scene scene;
    scene.settings.tiling = reinterpret_cast<const uint8_t *>(&data);
    scene.settings.tilingBytes = bytes;
    uint32_t sum = 0;
    scene.record([&] {
      GET_TILING_DATA_WITH_STRUCT(Data, read, reinterpret_cast<uint8_t *>(&data) + from);
      sum = read.a + read.b;
    });
    return sum;
  };
  EXPECT_EQ(record(sizeof data, 0), 7u);
  EXPECT_EXIT(record(4, 0), testing::ExitedWithCode(7), "OPC-E0804 .*expects 8 bytes of tiling data, found 4");
  EXPECT_EXIT(record(8, 4), testing::ExitedWithCode(7), "OPC-E0560 .*found 8 bytes read from byte 4 of it");
}
