// The sanitizers by order: what they find does not depend on the time of a run, and each report names its kind, both
// lines and the missing edge.

#include "test/unit/runtime/device/sim/AddReluProgram.h"
#include "test/unit/runtime/device/sim/Scene.h"

#include <algorithm>
#include <cstring>
#include <tuple>

using namespace opc;
using namespace opc::test;

namespace {

constexpr ElementType kFloat = ElementType::Float32;

constexpr Sanitize kRace{false, true, false, false}, kInit{false, false, true, false}, kSync{false, false, false, true},
    kMem{true, false, false, false};

// The bits of a right program under every sanitizer.
TEST(Sanitizers, WholeProgramsPass) {
  Scene s;
  s.whole();
  Outcome outcome = s.go(Sanitize::all());
  EXPECT_TRUE(outcome.result.completed) << outcome.text();
}

// The flag is missing, and the time of the run hides it: the load is long over.
TEST(Sanitizers, RaceThatNoTimeShows) {
  for (bool sanitized : {false, true}) {
    Scene s;
    s.load();
    s.pause(20000);
    s.compute(s.q, s.p);
    s.order(Pipe::V, Pipe::MTE3);
    s.store();
    Outcome outcome = s.go(sanitized ? std::optional(kRace) : std::nullopt);
    if (!sanitized) {
      EXPECT_TRUE(outcome.result.completed) << outcome.text();
      continue;
    }
    expectFinding(outcome, Code::E0574, "race_c1",
                  {"kernel.mlir:2:3", "race (unordered): 'vabs' on pipe v reads buffer 'p'",
                   "after 'load' on pipe mte2, which writes buffer 'p'",
                   "fix: missing edge: set_flag MTE2 -> V after 'load'", "kernel.mlir:1:3"});
  }
}

// Bytes are compared, not buffers: a second compute over what the store still reads, and one over the half of the
// buffer that it does not.
TEST(Sanitizers, ByteRanges) {
  for (int64_t offset : {int64_t(0), int64_t(2048)}) {
    Scene s;
    const auto half = s.b.constant(int64_t(512)), behind = s.b.constant(4096 + offset),
               rest = s.b.constant(int64_t(2048));
    s.load();
    s.order(Pipe::MTE2, Pipe::V);
    s.compute(s.q, s.p);
    s.order(Pipe::V, Pipe::MTE3);
    s.b.store(s.b.gm(1, s.zero, kFloat), s.b.ub(s.q, kFloat), half);
    s.b.barrier(Pipe::V);
    s.b.vector(Intrinsic::vabs, s.b.ub(s.q, behind, kFloat), {s.b.ub(s.p, kFloat)}, half);
    s.order(Pipe::V, Pipe::MTE3);
    s.b.store(s.b.gm(1, rest, kFloat), s.b.ub(s.q, behind, kFloat), half);
    Outcome outcome = s.go(kRace);
    if (offset == 0)
      expectFinding(outcome, Code::E0574, "race_c1",
                    {"'vabs' on pipe v writes buffer 'q'", "'store' on pipe mte3, which reads", "set_flag MTE3 -> V"});
    else
      EXPECT_TRUE(outcome.result.completed) << outcome.text();
  }
}

// Two stores of one pipe to one place leave the later one's data only after a barrier of the pipe.
TEST(Sanitizers, RaceInGlobalMemoryOnOnePipe) {
  for (bool barrier : {false, true}) {
    Scene s;
    s.whole();
    s.pause(20000);
    if (barrier)
      s.b.barrier(Pipe::MTE3);
    s.store();
    Outcome outcome = s.go(kRace);
    if (barrier)
      EXPECT_TRUE(outcome.result.completed) << outcome.text();
    else
      expectFinding(outcome, Code::E0574, "race_c1", {"'store' on pipe mte3 writes tensor 'y'", "pipe_barrier MTE3"});
  }
}

// Two steps of the vector pipe that depend on each other: nothing is missing on this chip, whatever is between them,
// and on others a barrier is.
TEST(Sanitizers, RaceOnTheVectorPipe) {
  for (bool portable : {false, true})
    for (bool barrier : {false, true}) {
      Scene s;
      s.portable = portable;
      s.load();
      s.order(Pipe::MTE2, Pipe::V);
      s.compute(s.q, s.p);
      if (barrier)
        s.b.barrier(Pipe::V);
      s.compute(s.q, s.q);
      s.order(Pipe::V, Pipe::MTE3);
      s.store();
      Outcome outcome = s.go(Sanitize::all());
      if (barrier || !portable)
        EXPECT_TRUE(outcome.result.completed) << outcome.text();
      else
        expectFinding(outcome, Code::E0574, "race_c1",
                      {"'vabs' on pipe v writes buffer 'q'",
                       "missing edge: pipe_barrier V between the two, for chips whose pipe v does not "
                       "complete in order, unlike on Ascend310B1"});
    }
}

// A pipe in order orders nothing but itself: the store still needs the flag of the last step.
TEST(Sanitizers, InOrderIsOfOnePipe) {
  Scene s;
  s.load();
  s.order(Pipe::MTE2, Pipe::V);
  s.compute(s.q, s.p);
  const auto event = s.b.constant(int64_t(0));
  s.b.set(Pipe::V, Pipe::MTE3, event);
  s.compute(s.q, s.q);
  s.b.wait(Pipe::V, Pipe::MTE3, event);
  s.store();
  expectFinding(s.go(kRace), Code::E0574, "race_c1",
                {"'store' on pipe mte3 reads buffer 'q'", "set_flag V -> MTE3 after 'vabs'"});
}

// Order goes on from pipe to pipe: what MTE2 told V, V tells MTE3.
TEST(Sanitizers, OrderIsTransitive) {
  Scene s;
  s.load();
  s.order(Pipe::MTE2, Pipe::V);
  s.order(Pipe::V, Pipe::MTE3);
  s.store(s.p);
  EXPECT_TRUE(s.go(kRace).result.completed);
}

// Set, wait, set: nothing tells the setting pipe that the wait is over.
TEST(Sanitizers, SetThatMayOvertakeItsWait) {
  Scene s;
  const auto two = s.b.constant(int64_t(2)), one = s.b.constant(int64_t(1));
  const size_t head = s.b.here(), exit = s.b.jumpIfZero(two);
  s.order(Pipe::V, Pipe::MTE3);
  s.pause(20000);
  s.b.assign(two, ScalarOp::Sub, two, one);
  s.b.jump(head);
  s.b.aim(exit);
  expectFinding(s.go(kSync), Code::E0570, "sync_c12",
                {"sync (set overtakes wait): 'set_flag v -> mte3' of event 0", "may overtake it",
                 "a flag from pipe mte3 to pipe v", "kernel.mlir:1:3", "kernel.mlir:2:3"});
}

// The same by two flags that share an event, which passes where the second is ordered.
TEST(Sanitizers, EventReuse) {
  for (bool ordered : {false, true}) {
    Scene s;
    s.order(Pipe::V, Pipe::MTE3);
    if (ordered)
      s.order(Pipe::MTE3, Pipe::V);
    s.pause(20000);
    s.order(Pipe::V, Pipe::MTE3);
    Outcome outcome = s.go(kSync);
    if (ordered)
      EXPECT_TRUE(outcome.result.completed) << outcome.text();
    else
      expectFinding(outcome, Code::E0570, "sync_c13", {"sync (event reuse)", "kernel.mlir:3:3", "kernel.mlir:1:3"});
  }
}

// A second set in the time of the run comes when the first is taken; by order it need not.
TEST(Sanitizers, DoubleSetByOrder) {
  Scene s;
  s.b.set(Pipe::V, Pipe::MTE3, s.zero);
  s.b.set(Pipe::V, Pipe::MTE3, s.zero);
  s.b.wait(Pipe::V, Pipe::MTE3, s.zero);
  s.b.wait(Pipe::V, Pipe::MTE3, s.zero);
  expectFinding(s.go(kSync), Code::E0570, "sync_c11", {"sync (double set)", "kernel.mlir:2:3"});
}

// A tail that nobody stores.
TEST(Sanitizers, OutputThatIsNotWhole) {
  Scene s;
  const auto fewer = s.b.constant(int64_t(1000));
  s.load();
  s.order(Pipe::MTE2, Pipe::MTE3);
  s.b.store(s.b.gm(1, s.zero, kFloat), s.b.ub(s.p, kFloat), fewer);
  expectFinding(s.go(kInit), Code::E0566, "init_c1",
                {"init (output never written)", "output 'y'", "from element 1000 on, 24 of 1024"});
  Scene none;
  expectFinding(none.go(kInit), Code::E0566, "init_c1", {"1024 of 1024"});
}

// A load into a place that nobody reads, though all that is read was written: the store finds what stood there before.
TEST(Sanitizers, ResultThatNobodyReads) {
  Scene s;
  const uint16_t fill = s.b.buffer("fill", 8192, 4096);
  s.load();
  s.order(Pipe::MTE2, Pipe::V);
  s.compute(s.q, s.p);
  s.compute(fill, s.p);
  s.order(Pipe::V, Pipe::MTE3);
  s.store();
  const std::vector<std::string> words = {
      "kernel.mlir:5:3", "init (never read): 'vabs' on pipe v expects a read of what it writes to buffer "
                         "'fill', found none in the whole launch"};
  expectFinding(s.go(kInit), Code::E0566, "init_c2", words);
  // It is asked by choice alone: without one a kernel may do what is of no use.
  Scene quiet;
  quiet.load();
  quiet.b.load(quiet.b.ub(quiet.q, kFloat), quiet.b.gm(0, quiet.zero, kFloat), quiet.count);
  quiet.order(Pipe::MTE2, Pipe::MTE3);
  quiet.store();
  EXPECT_TRUE(quiet.go().result.completed);
}

// Once in a launch is enough, and what a later write covers in part counts as read: the last eight results of one
// instruction are read, the first of them are not.
TEST(Sanitizers, ResultsThatAreReadInPart) {
  Scene s;
  const auto some = s.b.constant(int64_t(1020));
  s.load();
  s.order(Pipe::MTE2, Pipe::V);
  s.compute(s.q, s.p);
  s.b.barrier(Pipe::V);
  s.b.vector(Intrinsic::vabs, s.b.ub(s.q, kFloat), {s.b.ub(s.p, kFloat)}, some);
  s.order(Pipe::V, Pipe::MTE3);
  s.store();
  Outcome outcome = s.go(Sanitize::all());
  EXPECT_TRUE(outcome.result.completed) << outcome.text();
  // All of it is another matter.
  Scene whole;
  whole.load();
  whole.order(Pipe::MTE2, Pipe::V);
  whole.compute(whole.q, whole.p);
  whole.b.barrier(Pipe::V);
  whole.compute(whole.q, whole.p);
  whole.order(Pipe::V, Pipe::MTE3);
  whole.store();
  expectFinding(whole.go(kInit), Code::E0566, "init_c2", {"kernel.mlir:4:3", "init (never read)"});
  // In a kernel by hand it is of no use, and no mistake.
  Scene again;
  SimOptions recorded;
  recorded.sanitize = kInit;
  recorded.recorded = true;
  again.load();
  again.order(Pipe::MTE2, Pipe::V);
  again.compute(again.q, again.p);
  again.b.barrier(Pipe::V);
  again.compute(again.q, again.p);
  again.order(Pipe::V, Pipe::MTE3);
  again.store();
  EXPECT_TRUE(again.go(recorded).result.completed);
  // And so is a part of a block of which nothing else was written.
  Scene part;
  const auto few = part.b.constant(int64_t(1020));
  const uint16_t kept = part.b.buffer("kept", 8192, 4096);
  part.load();
  part.order(Pipe::MTE2, Pipe::V);
  part.b.vector(Intrinsic::vabs, part.b.ub(kept, kFloat), {part.b.ub(part.p, kFloat)}, few);
  part.b.barrier(Pipe::V);
  part.b.vector(Intrinsic::vabs, part.b.ub(kept, kFloat), {part.b.ub(part.p, kFloat)}, few);
  part.compute(part.q, part.p);
  part.b.barrier(Pipe::V);
  part.b.vector(Intrinsic::vadd, part.b.ub(part.q, kFloat), {part.b.ub(part.q, kFloat), part.b.ub(kept, kFloat)}, few);
  part.order(Pipe::V, Pipe::MTE3);
  part.store();
  expectFinding(part.go(kInit), Code::E0566, "init_c2", {"init (never read)", "'kept'"});
}

// A compare of one element in a vector of 64 lanes reads one element. A recorded compare may mean all lanes, since its
// count is the smallest one, but lanes after its vectors are read by neither.
TEST(Sanitizers, ResultsThatCompareReads) {
  for (auto [recorded, leastCounts, lanes] : {std::tuple(false, false, 1), {false, true, 64}, {true, false, 64}})
    for (int64_t lane : {int64_t(0), int64_t(32), int64_t(64)}) {
      Scene s;
      constexpr ElementType kBits = ElementType::UInt8;
      const uint16_t bits = s.b.buffer("bits", 8192, 32), selected = s.b.buffer("selected", 8224, 32);
      const auto one = s.b.constant(int64_t(1)), some = s.b.constant(int64_t(32)), zero = s.b.constant(0.0f);
      const auto half = s.b.constant(int64_t(512)), begin = s.b.constant(4096 + lane * 4);
      s.load();
      s.order(Pipe::MTE2, Pipe::V);
      s.compute(s.q, s.p);
      s.b.vector(Intrinsic::vabs, s.b.ub(s.q, begin, kFloat), {s.b.ub(s.p, kFloat)}, some);
      s.b.vector(Intrinsic::vcmp, s.b.ub(bits, kBits), {s.b.ub(s.q, kFloat), s.b.ub(s.p, kFloat)}, one).compare =
          CompareMode::Eq;
      s.b.vector(Intrinsic::vsels, s.b.ub(selected, kFloat), {s.b.ub(bits, kBits), s.b.ub(s.p, kFloat)}, one, zero);
      s.order(Pipe::V, Pipe::MTE3);
      s.store(s.p);
      s.b.store(s.b.gm(1, s.b.constant(int64_t(2048)), kFloat), s.b.ub(s.q, s.b.constant(int64_t(6144)), kFloat), half);
      s.b.store(s.b.gm(1, s.zero, kFloat), s.b.ub(selected, kFloat), one);
      SimOptions options;
      options.sanitize = kInit;
      options.recorded = recorded;
      options.leastCounts = leastCounts;
      const Outcome outcome = s.go(options);
      if (lane < lanes)
        EXPECT_TRUE(outcome.result.completed) << outcome.text();
      else
        expectFinding(outcome, Code::E0566, "init_c2", {"kernel.mlir:5:3", "init (never read): 'vabs'", "'q'"});
    }
}

// Kinds that were not asked for are not told, but for what no machine could go on with.
TEST(Sanitizers, OnlyWhatWasAsked) {
  Scene s;
  s.load();
  s.compute(s.q, s.p);
  s.order(Pipe::V, Pipe::MTE3);
  s.store();
  EXPECT_TRUE(s.go(kMem).result.completed);
  Scene far;
  far.b.load(far.b.ub(far.p, far.b.constant(int64_t(1) << 20), kFloat), far.b.gm(0, far.zero, kFloat), far.count);
  expectFinding(far.go(kRace), Code::E0560, "sim_c13", {"mem (out of bounds): 'load'"});
}

// Every flag of AddRelu, its set alone, its wait alone: none can go.
TEST(Sanitizers, EveryFlagOfAddRelu) {
  const AddReluProgram whole = addReluProgram(kFloat, 64);
  auto outcomeOf = [](const SimulatorProgram &program) {
    std::vector<float> x(4 * 64 + 1, 1.0f), y = x, out(x.size());
    SimOptions options;
    options.sanitize = Sanitize::all();
    return run(program, {tensor("a", x), tensor("b", y), tensor("c", out, true)}, {64, int64_t(x.size())}, options);
  };
  EXPECT_TRUE(outcomeOf(whole.program).result.completed) << outcomeOf(whole.program).text();
  for (size_t flag : whole.flags) {
    SimulatorProgram mutant = whole.program;
    mutant.instructions[flag].kind = PipeInstruction::Barrier;
    mutant.instructions[flag].flagId = kNoRegister;
    EXPECT_FALSE(outcomeOf(mutant).result.completed) << "flag " << flag;
  }
}

//===----------------------------------------------------------------------===//
// Adversarial order
//===----------------------------------------------------------------------===//

SimOptions adversarial(uint64_t seed, std::optional<Sanitize> sanitize = kMem) {
  SimOptions options;
  options.order = SimOrder::Adversarial;
  options.orderSeed = seed;
  options.sanitize = sanitize;
  return options;
}

// A kernel with all its flags gives the same numbers in every order, and no sanitizer speaks.
TEST(Adversary, RightKernelsDoNotDependOnIt) {
  const AddReluProgram whole = addReluProgram(kFloat, 64);
  std::vector<float> x(5 * 64 + 3), y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = float(i) - 100.0f;
    y[i] = 0.5f * float(i);
  }
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<float> out(x.size(), -1.0f);
    Outcome outcome = run(whole.program, {tensor("a", x), tensor("b", y), tensor("c", out, true)},
                          {64, int64_t(x.size())}, adversarial(seed, Sanitize::all()));
    ASSERT_TRUE(outcome.result.completed) << "seed " << seed << "\n" << outcome.text();
    for (size_t i = 0; i < x.size(); ++i)
      ASSERT_EQ(out[i], std::max(x[i] + y[i], 0.0f)) << "seed " << seed << ", element " << i;
  }
}

/// The outputs of a scene for each seed; the scene is made anew each time.
template <typename Make> std::vector<std::vector<float>> outputsOf(Make make, unsigned seeds) {
  std::vector<std::vector<float>> outputs;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Scene s;
    make(s);
    Outcome outcome = s.go(adversarial(seed));
    EXPECT_TRUE(outcome.result.completed) << outcome.text();
    outputs.push_back(s.y);
  }
  return outputs;
}

// Without the flag between load and compute the time of the run gives the right numbers, and some order others; a
// seed replays what it did.
TEST(Adversary, AMissingFlagChangesNumbers) {
  auto scene = [](Scene &s) {
    s.load();
    s.pause(20000);
    s.compute(s.q, s.p);
    s.order(Pipe::V, Pipe::MTE3);
    s.store();
  };
  Scene timed;
  scene(timed);
  EXPECT_TRUE(timed.go(kMem).result.completed);
  const std::vector<float> right(1024, 1.0f);
  EXPECT_EQ(timed.y, right);
  const auto outputs = outputsOf(scene, 16), again = outputsOf(scene, 16);
  size_t wrong = 0;
  for (size_t seed = 0; seed < outputs.size(); ++seed) {
    wrong += std::memcmp(outputs[seed].data(), right.data(), 4096) != 0;
    EXPECT_EQ(std::memcmp(outputs[seed].data(), again[seed].data(), 4096), 0) << "seed " << seed;
  }
  EXPECT_GT(wrong, 0u);
  EXPECT_LT(wrong, outputs.size());
}

// Within a pipe that does not complete in order a barrier is all that makes one instruction see the other; the vector
// pipe of this chip needs none in any order.
TEST(Adversary, AMissingBarrierChangesNumbers) {
  for (bool portable : {false, true})
    for (bool barrier : {false, true}) {
      const auto outputs = outputsOf(
          [=](Scene &s) {
            s.portable = portable;
            s.load();
            s.order(Pipe::MTE2, Pipe::V);
            s.b.vector(Intrinsic::vadds, s.b.ub(s.p, kFloat), {s.b.ub(s.p, kFloat)}, s.count, s.b.constant(1.0f));
            if (barrier)
              s.b.barrier(Pipe::V);
            s.b.vector(Intrinsic::vmuls, s.b.ub(s.q, kFloat), {s.b.ub(s.p, kFloat)}, s.count, s.b.constant(3.0f));
            s.order(Pipe::V, Pipe::MTE3);
            s.store();
          },
          16);
      size_t wrong = 0;
      for (const std::vector<float> &output : outputs)
        wrong += output != std::vector<float>(1024, 6.0f);
      EXPECT_EQ(wrong != 0, portable && !barrier);
    }
}

// The same between two stores, whose pipe needs its barrier on every chip.
TEST(Adversary, AMissingBarrierBetweenStores) {
  for (bool barrier : {false, true}) {
    const auto outputs = outputsOf(
        [=](Scene &s) {
          s.load();
          s.order(Pipe::MTE2, Pipe::V);
          s.compute(s.q, s.p);
          s.b.vector(Intrinsic::vadds, s.b.ub(s.p, kFloat), {s.b.ub(s.p, kFloat)}, s.count, s.b.constant(1.0f));
          s.order(Pipe::V, Pipe::MTE3);
          s.store(s.q);
          if (barrier)
            s.b.barrier(Pipe::MTE3);
          s.store(s.p);
        },
        16);
    size_t wrong = 0;
    for (const std::vector<float> &output : outputs)
      wrong += output != std::vector<float>(1024, 2.0f);
    EXPECT_EQ(wrong != 0, !barrier);
  }
}

// Deadlocks and kernels that never end are reported here too.
TEST(Adversary, DeadlockAndEndlessKernels) {
  Scene s;
  s.b.wait(Pipe::V, Pipe::MTE2, s.zero);
  s.b.set(Pipe::MTE2, Pipe::V, s.zero);
  s.b.wait(Pipe::MTE2, Pipe::V, s.zero);
  s.b.set(Pipe::V, Pipe::MTE2, s.zero);
  expectFinding(s.go(adversarial(1)), Code::E0572, "sim_c33",
                {"pipe mte2 waits for event 0 from pipe v", "pipe v waits for event 0 from pipe mte2",
                 "sync (wait without set)"});
  Scene endless;
  const size_t head = endless.b.here();
  endless.load();
  endless.b.jump(head);
  SimOptions options = adversarial(1);
  options.instructionLimit = 20000;
  Outcome outcome = endless.go(options);
  EXPECT_EQ(outcome.code(), Code::E0451) << outcome.text();
}

} // namespace
