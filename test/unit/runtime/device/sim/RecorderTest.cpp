// What the calls of a kernel in Ascend C become: each instruction with its addresses, counts and
// flags, in the order of the calls; and the limits of the chip.

#include "runtime/device/sim/ascendc/Recorder.h"
#include "runtime/device/sim/Capture.h"
#include "runtime/device/sim/ascendc/kernel_operator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <iostream>

using namespace AscendC;
using opc::ascendc::Recorder;
using opc::ascendc::Recording;
using testing::ElementsAre;

namespace {

struct Scene {
  std::vector<float> x = std::vector<float>(4096, 1.5f), y = x;
  opc::ascendc::RecordSettings settings;
  opc::Diagnostics diagnostics;
  std::vector<opc::SimTensor> tensors;
  opc::SimulatorProgram program;

  Scene() {
    settings.target = opc::findTarget("Ascend310B1");
    settings.kernel = "kernel";
    add("x", x, false);
    add("y", y, true);
  }
  GlobalTensor<float> gm(size_t i) const {
    GlobalTensor<float> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<float *>(settings.tensors[i].base), x.size());
    return tensor;
  }
  /// Records `kernel` block by block; an error is written to stderr and ends the process.
  Scene &record(const std::function<void()> &kernel) {
    Recorder recorder(settings, diagnostics, [this] { end(); });
    opc_kernel_machine = &recorder;
    for (int64_t block = 0; block < settings.blockNum; ++block) {
      recorder.startBlock(block);
      kernel();
      recorder.endBlock();
    }
    program = recorder.finish().program;
    return *this;
  }
  /// The steps of a program of one block.
  std::vector<std::string> steps() const;
  std::string simulated() {
    opc::SimOptions options;
    options.sanitize = opc::Sanitize::all();
    simulate(program, *settings.target, tensors, {}, settings.blockNum, options, diagnostics);
    return diagnostics.hasErrors() ? diagnostics.all().front().message : "";
  }

private:
  void add(const char *name, std::vector<float> &values, bool isOutput) {
    const auto bytes = int64_t(values.size() * sizeof(float));
    settings.tensors.push_back({name,
                                int64_t(settings.tensors.size() + 1) * opc::ascendc::kTensorSpan,
                                bytes, opc::ElementType::Float32, isOutput, values.data()});
    tensors.push_back({name, values.data(), bytes, opc::ElementType::Float32, isOutput});
  }
  [[noreturn]] void end() const {
    for (const opc::Diagnostic &diagnostic : diagnostics.all())
      printText(std::cerr, diagnostic);
    std::cerr.flush();
    std::_Exit(7);
  }
};

/// "vadd 64 @0 @256 @512": the accesses in the order destination, sources, scratch; "~" marks lanes
/// of a wider call, "[event]" a flag, "3 x 32 / 64" rows of a copy and their distance.
std::string textOf(const opc::sim::Launch &launch, uint32_t index, const int64_t *registers) {
  opc::SimInstruction op;
  opc::sim::capture(launch, index, registers, op);
  const opc::PipeInstruction &form = *op.instruction;
  using I = opc::PipeInstruction;
  const auto pipes = [&form] {
    return std::string(opc::pipeName(form.pipe)) + " " + std::string(opc::pipeName(form.other));
  };
  switch (form.kind) {
  case I::SetFlag:
    return "set " + pipes() + " [" + std::to_string(op.flagId) + "]";
  case I::WaitFlag:
    return "wait " + pipes() + " [" + std::to_string(op.flagId) + "]";
  case I::Barrier:
    return "barrier " + std::string(opc::pipeName(form.pipe));
  default:
    break;
  }
  std::string text = form.kind == I::Load         ? "load"
                     : form.kind == I::Store      ? "store"
                     : form.kind == I::ScalarRead ? "read"
                     : form.kind == I::ScalarWrite
                         ? "write"
                         : std::string(opc::intrinsicInfo(form.intrinsic).name);
  text += (form.partial ? "~ " : " ") + std::to_string(op.count);
  for (unsigned i = 0; i < op.numAccesses; ++i) {
    const opc::SimAccess &access = op.accesses[i];
    const bool isGlobal = access.operand->space == opc::ProgramOperand::GM;
    text += (isGlobal ? " gm" + std::to_string(access.operand->tensor) + "@" : " @") +
            std::to_string(access.address);
    if (access.rows != 1)
      text += " " + std::to_string(access.rows) + "x" + std::to_string(access.rowBytes) + "/" +
              std::to_string(access.stride);
  }
  return text;
}

std::vector<std::string> Scene::steps() const {
  const opc::SimOptions options;
  opc::Diagnostics unheard;
  const std::vector<int64_t> none;
  const opc::sim::Launch launch{program, *settings.target, tensors, none, options, unheard};
  std::vector<int64_t> registers(program.numRegisters);
  std::vector<std::string> steps;
  for (const opc::ScalarInstruction &step : program.code)
    if (step.op == opc::ScalarOp::Const)
      registers[step.dst] = step.imm;
    else if (step.op == opc::ScalarOp::Issue || step.op == opc::ScalarOp::Read)
      steps.push_back(textOf(launch, uint32_t(step.imm), registers.data()));
  return steps;
}

/// Three tiles of 1024 bytes one behind the other, of elements T.
template <typename T> struct Tiles {
  TPipe pipe;
  TBuf<> buffers[3];
  LocalTensor<T> a, b, c;
  Tiles() {
    for (TBuf<> &buffer : buffers)
      pipe.InitBuffer(buffer, 1024);
    a = buffers[0].Get<T>(), b = buffers[1].Get<T>(), c = buffers[2].Get<T>();
  }
};

void expectRefused(const std::function<void()> &kernel, const std::string &message) {
  EXPECT_EXIT(Scene().record(kernel), testing::ExitedWithCode(7), message);
}

} // namespace

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
  EXPECT_THAT(scene.steps(), ElementsAre("load 96 @0 gm0@32", "vadd 33 @2048 @0 @1056",
                                         "vmuls 5 @2112 @2112", "vreduce_sum~ 64 @4 @2048 @1024",
                                         "write 1 @2060", "store 5 gm1@16 3x20/84 @2048 3x20/64"));
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
    for (uint32_t i = 0; i < 3; ++i) {
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
  EXPECT_THAT(scene.steps(), ElementsAre("load 64 @0 gm0@0", "set mte2 v [0]", "wait v mte2 [0]",
                                         "vabs 64 @512 @0", "set v mte3 [0]", "set v mte2 [0]",
                                         "wait mte3 v [0]", "store 64 gm1@0 @512", "set mte3 v [0]",
                                         // the second buffer; the output's only one is waited for
                                         "load 64 @256 gm0@256", "set mte2 v [1]",
                                         "wait v mte2 [1]", "wait v mte3 [0]", "vabs 64 @512 @256",
                                         "set v mte3 [0]", "set v mte2 [1]", "wait mte3 v [0]",
                                         "store 64 gm1@256 @512", "set mte3 v [0]",
                                         // the first again
                                         "wait mte2 v [0]", "load 64 @0 gm0@512", "set mte2 v [0]",
                                         "wait v mte2 [0]", "wait v mte3 [0]", "vabs 64 @512 @0",
                                         "set v mte3 [0]", "set v mte2 [0]", "wait mte3 v [0]",
                                         "store 64 gm1@512 @512", "set mte3 v [0]",
                                         // the pipe's end
                                         "wait mte2 v [0]", "wait mte2 v [1]", "wait v mte3 [0]"));
  EXPECT_THAT(scene.simulated(), testing::HasSubstr("never written")) << "of y beyond three tiles";
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
  const std::vector<std::string> pairs = {"mte2 v",    "v mte2",    "mte3 v", "v mte3",
                                          "mte2 mte3", "mte3 mte2", "s v",    "v s",
                                          "s mte2",    "mte2 s",    "s mte3", "mte3 s"};
  ASSERT_EQ(steps.size(), 28u);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const std::string id = " [" + std::to_string(i % 6) + "]";
    const size_t space = pairs[i].find(' ');
    EXPECT_EQ(steps[2 * i], "set " + pairs[i] + id);
    EXPECT_EQ(steps[2 * i + 1],
              "wait " + pairs[i].substr(space + 1) + " " + pairs[i].substr(0, space) + id);
  }
  EXPECT_EQ(steps[24], "set v s [2]");
  EXPECT_EQ(steps[26], "barrier mte2");
  EXPECT_EQ(steps[27], "barrier s");
}

// Repeats that lie close are one instruction; a source that stands still, gaps and masks are one
// for each run of lanes.
TEST(Recorder, Repeats) {
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
  EXPECT_THAT(scene.steps(),
              ElementsAre("vadd 256 @2048 @0 @1024", "vadd 64 @2048 @0 @1024",
                          "vadd 64 @2304 @256 @1024", "vadd 9 @2048 @0 @1024",
                          "vadd 9 @2112 @64 @1088", "vadd 8 @2048 @0 @1024",
                          "vadd 8 @2080 @64 @1056", "vrelu~ 2 @2052 @4", "vrelu~ 2 @2168 @120",
                          "vrelu~ 2 @2288 @240", "vbrc 8 @2048", "vbrc 8 @2080"));
}

// Lanes of two widths: blocks of the narrow operand hold twice as many.
TEST(Recorder, RepeatsOfTwoWidths) {
  Scene scene;
  scene.record([] {
    Tiles<float> t;
    LocalTensor<half> narrow = t.b.ReinterpretCast<half>();
    Cast(t.c, narrow, RoundMode::CAST_NONE, 64, 2, {1, 1, 8, 4});
    Cast(t.c, narrow, RoundMode::CAST_NONE, 24, 1, {2, 1, 8, 4});
  });
  EXPECT_THAT(scene.steps(), ElementsAre("vcast 128 @2048 @1024", "vcast 8 @2048 @1024",
                                         "vcast~ 8 @2112 @1040", "vcast 8 @2176 @1056"));
}

// The mask register: bits, then a count of elements over as many repeats as it takes; all lanes at
// the start of every block.
TEST(Recorder, MaskRegister) {
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
              ElementsAre("vexp 128 @2048 @0", "vexp~ 4 @2056 @8", "vexp 70 @2048 @0",
                          "vexp 300 @2048 @0", "vexp 128 @2048 @0", "vexp 128 @2304 @0",
                          "vexp 44 @2560 @0", "vexp 128 @2048 @0"));
}

// Masks of bits move on by the bits of a repeat, or stay; compares take whole repeats.
TEST(Recorder, CompareAndSelect) {
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
              ElementsAre("vcmp 1 @1024 @0 @2048", "vcmp~ 1 @1032 @256 @2048",
                          "vsel 32 @2048 @1024 @0 @2048", "vsel~ 32 @2304 @1032 @256 @2304",
                          "vsel 64 @2048 @1024 @0 @2048", "vsel 36 @2304 @1024 @256 @2304",
                          "vsels 100 @2048 @1024 @0"));
}

// Results of repeats lie where their stride says, from any element on; pairs take two.
TEST(Recorder, ReductionsOfRepeats) {
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
  EXPECT_THAT(scene.steps(),
              ElementsAre("vreduce_repeat_sum 256 @2048 @0", "vreduce_repeat_sum~ 32 @2060 @0",
                          "vreduce_repeat_sum~ 32 @2068 @128", "vreduce_repeat_max 64 @2048 @0",
                          "vreduce_repeat_max~ 64 @2064 @256", "vreduce_block_max 128 @2048 @0",
                          "vreduce_pair_sum 64 @2048 @0", "vreduce_max 192 @2048 @0 @1024"));
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

// An extreme with its place: the first of equal ones, the first NaN; in the orders that a call
// names.
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
    ReduceRepeat<ReduceType::MAX>(t.c, t.a, 64, 2, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
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

// Operands of repeats start with a block, masks and repeats have their ranges, tiles their ends.
TEST(Recorder, RefusesWrongRepeats) {
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
        WholeReduceSum(t.c, t.a, bits, 1, 1, 1, 8);
      },
      "OPC-E0802 .*other lanes than the first");
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
  EXPECT_EXIT(record(4, 0), testing::ExitedWithCode(7),
              "OPC-E0804 .*expects 8 bytes of tiling data, found 4");
  EXPECT_EXIT(record(8, 4), testing::ExitedWithCode(7),
              "OPC-E0560 .*found 8 bytes read from byte 4 of it");
}
