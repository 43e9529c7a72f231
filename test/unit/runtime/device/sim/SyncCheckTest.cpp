// Each rule about flags, barriers and order, broken by a small program; deadlocks and races name both sides.

#include "test/unit/runtime/device/sim/Scene.h"

using namespace opc;
using namespace opc::test;
using testing::HasSubstr;

namespace {

constexpr ElementType kFloat = ElementType::Float32;

} // namespace

// With all its flags the scene runs; the cases below each take something away from it.
TEST(SyncCheck, OrderedRuns) {
  Scene s;
  s.whole();
  EXPECT_TRUE(s.go().result.completed);
}

// Ids 6 and 7 belong to the system.
TEST(SyncCheck, EventIds) {
  for (int64_t id : {int64_t(-1), int64_t(6), INT64_MAX}) {
    Scene s;
    s.b.set(Pipe::V, Pipe::MTE2, s.b.constant(id));
    expectFinding(s.go(), Code::E0573, "sim_c30",
                  {"'set_flag v -> mte2'", "event id from 0 to 5, found " + std::to_string(id)});
  }
}

// A second set is lost on the chip, and its wait then hangs.
TEST(SyncCheck, DoubleSet) {
  Scene s;
  s.b.set(Pipe::V, Pipe::MTE2, s.zero);
  s.b.set(Pipe::V, Pipe::MTE2, s.zero);
  s.b.wait(Pipe::V, Pipe::MTE2, s.b.constant(int64_t(1)));
  expectFinding(s.go(), Code::E0570, "sim_c31",
                {"kernel.mlir:2:3", "'set_flag v -> mte2' expects event 0", "kernel.mlir:1:3", "set it before"});
}

// Left set, a flag releases the next kernel's first wait.
TEST(SyncCheck, NeverWaitedFor) {
  Scene s;
  s.b.set(Pipe::V, Pipe::MTE2, s.zero);
  s.b.set(Pipe::V, Pipe::MTE3, s.b.constant(int64_t(3)));
  Outcome outcome = s.go();
  EXPECT_EQ(outcome.diagnostics.errorCount(), 2u); // both are told
  EXPECT_EQ(outcome.code(), Code::E0571);
  EXPECT_THAT(outcome.text(), HasSubstr("[sim_c32]"));
  EXPECT_THAT(outcome.text(), HasSubstr("'set_flag v -> mte3' expects a wait for event 3"));
}

// Two pipes that wait for each other, and the scalar unit for a third: all are named.
TEST(SyncCheck, Deadlock) {
  Scene s;
  s.b.wait(Pipe::V, Pipe::MTE2, s.zero);
  s.b.set(Pipe::MTE2, Pipe::V, s.zero);
  s.b.wait(Pipe::MTE2, Pipe::V, s.zero);
  s.b.set(Pipe::V, Pipe::MTE2, s.zero);
  s.b.wait(Pipe::MTE3, Pipe::S, s.b.constant(int64_t(2)));
  expectFinding(s.go(), Code::E0572, "sim_c33",
                {"pipe s waits for event 2 from pipe mte3", "pipe mte2 waits for event 0 from pipe v",
                 "pipe v waits for event 0 from pipe mte2", "kernel.mlir:1:3", "kernel.mlir:3:3", "kernel.mlir:5:3"});
}

// Reading while the load is under way.
TEST(SyncCheck, RaceBetweenPipes) {
  Scene s;
  s.load();
  s.compute(s.q, s.p);
  expectFinding(s.go(), Code::E0574, "sim_c22",
                {"'vabs' on pipe v", "'load' on pipe mte2 under way", "writes buffer 'p'",
                 "a flag from pipe mte2 to pipe v", "kernel.mlir:1:3"});
}

// Overwriting what a store still reads.
TEST(SyncCheck, RaceWithAStore) {
  Scene s;
  s.load();
  s.order(Pipe::MTE2, Pipe::V);
  s.compute(s.q, s.p);
  s.order(Pipe::V, Pipe::MTE3);
  s.store();
  s.b.barrier(Pipe::V);
  s.compute(s.q, s.p);
  expectFinding(s.go(), Code::E0574, "sim_c22",
                {"'vabs' on pipe v", "'store' on pipe mte3 under way", "reads buffer 'q'"});
}

// The next instruction of a pipe that does not complete in order starts before the last has completed: dependent ones
// need a barrier, stores on this chip and vector work on others.
TEST(SyncCheck, RaceWithinAPipe) {
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
      Outcome outcome = s.go();
      if (barrier || !portable)
        EXPECT_TRUE(outcome.result.completed) << outcome.text();
      else
        expectFinding(outcome, Code::E0574, "sim_c22",
                      {"a barrier on pipe v between the two, for chips whose pipe v does not"});
    }
  for (bool barrier : {false, true}) {
    Scene s;
    s.whole();
    if (barrier)
      s.b.barrier(Pipe::MTE3);
    s.store();
    Outcome outcome = s.go();
    if (barrier)
      EXPECT_TRUE(outcome.result.completed) << outcome.text();
    else
      expectFinding(outcome, Code::E0574, "sim_c22", {"a barrier on pipe mte3 between the two"});
  }
}

// Rows that interleave without a common byte do not race; two atomic adds to one place do not either.
TEST(SyncCheck, InterleavedRowsAndAtomicAdds) {
  ProgramBuilder b(1);
  const auto p = b.buffer("p", 0, 4096);
  const auto count = b.constant(int64_t(8)), rows = b.constant(int64_t(4)), stride = b.constant(int64_t(64));
  b.vector(Intrinsic::vbrc, b.ub(p, kFloat), {}, b.constant(int64_t(1024)), b.constant(2.0f));
  b.set(Pipe::V, Pipe::MTE3, b.constant(int64_t(0)));
  b.wait(Pipe::V, Pipe::MTE3, b.constant(int64_t(0)));
  for (int64_t offset : {0, 32})
    b.store(b.gm(0, b.constant(offset), kFloat, stride), b.ub(p, kFloat), count).rows = rows;
  b.barrier(Pipe::MTE3);
  for (int i = 0; i < 2; ++i)
    b.store(b.gm(0, b.constant(int64_t(0)), kFloat), b.ub(p, kFloat), count).atomicAdd = true;
  std::vector<float> y(64, 5.0f);
  Outcome outcome = run(b.finish(), {tensor("y", y, true)});
  EXPECT_TRUE(outcome.result.completed) << outcome.text();
  EXPECT_EQ(y[0], 6.0f);
  EXPECT_EQ(y[8], 2.0f);
  EXPECT_EQ(y[63], 2.0f);
}

// A scalar read waits for nothing: it needs a flag like anyone else, and gets the value with one.
TEST(SyncCheck, ScalarReads) {
  Scene race;
  race.load();
  race.b.read(race.b.ub(race.p, kFloat));
  expectFinding(race.go(), Code::E0574, "sim_c22", {"'scalar_read' on pipe s"});
  Scene s;
  s.x[0] = -2.5f;
  s.load();
  s.order(Pipe::MTE2, Pipe::S);
  const auto value = s.b.read(s.b.ub(s.p, kFloat));
  s.b.vector(Intrinsic::vbrc, s.b.ub(s.q, kFloat), {}, s.count, s.b.compute(ScalarOp::FMul, value, value));
  s.order(Pipe::V, Pipe::MTE3);
  s.store();
  Outcome outcome = s.go();
  EXPECT_TRUE(outcome.result.completed) << outcome.text();
  EXPECT_EQ(s.y[1023], 6.25f);
}

// A scalar write is a write like any other: it waits for those who still read or write there, and those who
// read it wait for it.
TEST(SyncCheck, ScalarWrites) {
  Scene race;
  race.load();
  race.b.write(race.b.ub(race.p, kFloat), race.b.constant(1.0f));
  expectFinding(race.go(), Code::E0574, "sim_c22", {"'scalar_write' on pipe s", "'load' on pipe mte2"});
  Scene read;
  read.load();
  read.order(Pipe::MTE2, Pipe::V);
  read.order(Pipe::MTE2, Pipe::S);
  read.b.vector(Intrinsic::vabs, read.b.ub(read.q, kFloat), {read.b.ub(read.p, kFloat)}, read.count);
  read.b.write(read.b.ub(read.p, kFloat), read.b.constant(1.0f));
  expectFinding(read.go(), Code::E0574, "sim_c22", {"'scalar_write' on pipe s", "'vabs' on pipe v"});
  Scene s;
  s.load();
  s.order(Pipe::MTE2, Pipe::S);
  s.b.write(s.b.ub(s.p, s.b.constant(int64_t(4 * 1023)), kFloat), s.b.constant(-6.5f));
  s.order(Pipe::S, Pipe::V);
  s.b.vector(Intrinsic::vabs, s.b.ub(s.q, kFloat), {s.b.ub(s.p, kFloat)}, s.count);
  s.order(Pipe::V, Pipe::MTE3);
  s.store();
  Outcome outcome = s.go();
  EXPECT_TRUE(outcome.result.completed) << outcome.text();
  EXPECT_EQ(s.y[1022], std::abs(s.x[1022]));
  EXPECT_EQ(s.y[1023], 6.5f);
}
