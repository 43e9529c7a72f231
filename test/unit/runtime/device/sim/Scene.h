// The smallest kernel that has everything: load, compute, store, over two tensors and two buffers. Tests of flags,
// barriers and order take something away from it, and expect to be told what.

#ifndef OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_SCENE_H
#define OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_SCENE_H

#include "test/unit/runtime/device/sim/ProgramBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opc::test {

struct Scene {
  static constexpr ElementType kFloat = ElementType::Float32;

  ProgramBuilder b{2};
  uint16_t p = b.buffer("p", 0, 4096), q = b.buffer("q", 4096, 4096);
  ProgramBuilder::Reg zero = b.constant(int64_t(0)), count = b.constant(int64_t(1024));
  std::vector<float> x = std::vector<float>(1024, 1.0f), y = std::vector<float>(1024, 5.0f);

  void load() { b.load(b.ub(p, kFloat), b.gm(0, zero, kFloat), count); }
  void compute(uint16_t to, uint16_t from) { b.vector(Intrinsic::vabs, b.ub(to, kFloat), {b.ub(from, kFloat)}, count); }
  void store(uint16_t from) { b.store(b.gm(1, zero, kFloat), b.ub(from, kFloat), count); }
  void store() { store(q); }
  void order(Pipe from, Pipe to, int64_t id = 0) {
    const auto event = b.constant(id);
    b.set(from, to, event);
    b.wait(from, to, event);
  }
  /// Scalar work of so many cycles: in the modelled time, all before it is over after it.
  void pause(int64_t steps) {
    const auto left = b.constant(steps), one = b.constant(int64_t(1));
    const size_t head = b.here();
    const size_t exit = b.jumpIfZero(left);
    b.assign(left, ScalarOp::Sub, left, one);
    b.jump(head);
    b.aim(exit);
  }
  /// Load, compute, store with all their flags.
  void whole() {
    load();
    order(Pipe::MTE2, Pipe::V);
    compute(q, p);
    order(Pipe::V, Pipe::MTE3);
    store();
  }
  /// On the chip, or on one whose vector pipe needs barriers (Target::portable).
  bool portable = false;
  Outcome go(const SimOptions &options) {
    const Target &chip = *findTarget("Ascend310B1");
    return run(b.finish(), {tensor("x", x), tensor("y", y, true)}, {}, options, 1, portable ? chip.portable() : chip);
  }
  Outcome go(std::optional<Sanitize> sanitize = std::nullopt) {
    SimOptions options;
    options.sanitize = sanitize;
    return go(options);
  }
};

/// The launch ended with this finding, told in these words.
inline void expectFinding(const Outcome &outcome, Code code, const std::string &rule,
                          const std::vector<std::string> &words) {
  ASSERT_FALSE(outcome.result.completed) << "nothing was found";
  EXPECT_EQ(outcome.code(), code) << outcome.text();
  EXPECT_EQ(outcome.diagnostics.all()[0].rule, rule) << outcome.text();
  EXPECT_EQ(outcome.diagnostics.exitCode(), ExitCode::CheckFailed);
  for (const std::string &word : words)
    EXPECT_THAT(outcome.text(), testing::HasSubstr(word));
}

} // namespace opc::test

#endif // OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_SCENE_H
