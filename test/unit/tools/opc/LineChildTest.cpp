// Children that answer in lines: what they say and report arrives, and so does how they end when they do not.

#include "tools/opc/process/LineChild.h"

#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace opc;
using namespace opc::tool;

namespace {
class LineChildTest : public ::testing::Test {
protected:
  /// Runs `work` in a child and reads its answer, whose lines are in `lines` then.
  bool run(const LineChild::Work &work, std::chrono::milliseconds patience = std::chrono::minutes(1)) {
    std::optional<LineChild> started = LineChild::start(LineChild::Kind::Kernel, work, diagnostics);
    child.reset();
    if (started)
      child.emplace(std::move(*started));
    auto keep = [this](const std::string &line) {
      lines.push_back(line);
      return line != "unknown";
    };
    return child && child->listen(patience, keep, diagnostics);
  }

  std::optional<LineChild> child;
  std::vector<std::string> lines;
  Diagnostics diagnostics;
};
} // namespace

TEST_F(LineChildTest, LinesAndDiagnosticsArriveInOrder) {
  Location place = {"body.mlir", 3, 7};
  ASSERT_TRUE(run([&](const LineChild::Say &say, Diagnostics &found) {
    say("one");
    found.error(Code::E0900, place, "a reason", "rule_c1", "a fix");
    say(std::string(100'000, 'x'));
  }));
  EXPECT_EQ(child->end(), 0);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "one");
  EXPECT_EQ(lines[1].size(), 100'000u);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  const Diagnostic &told = diagnostics.all().front();
  EXPECT_EQ(told.code, Code::E0900);
  EXPECT_EQ(told.message, "a reason");
  EXPECT_EQ(told.rule, "rule_c1");
  EXPECT_EQ(told.fix, "a fix");
  EXPECT_EQ(told.location.file, "body.mlir");
  EXPECT_EQ(told.location.line, 3u);
}

TEST_F(LineChildTest, MemoryOfTheParentStaysAsItWas) {
  int value = 1;
  ASSERT_TRUE(run([&](const LineChild::Say &, Diagnostics &) { value = 2; }));
  EXPECT_EQ(value, 1);
}

TEST_F(LineChildTest, ACrashIsToldByItsSignal) {
  EXPECT_FALSE(run([](const LineChild::Say &say, Diagnostics &) {
    say("before");
    raise(SIGKILL);
  }));
  const int status = child->end();
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGKILL);
  EXPECT_EQ(endOf(status), "signal 9 (Killed)");
  EXPECT_EQ(lines, std::vector<std::string>{"before"});
}

TEST_F(LineChildTest, AnEndWithoutAnAnswerIsNoAnswer) {
  EXPECT_FALSE(run([](const LineChild::Say &, Diagnostics &) { _exit(3); }));
  EXPECT_EQ(endOf(child->end()), "exit status 3");
  EXPECT_FALSE(run([](const LineChild::Say &, Diagnostics &) { throw 1; }));
  EXPECT_EQ(endOf(child->end()), "exit status 1");
}

TEST_F(LineChildTest, SilenceEndsTheChild) {
  EXPECT_FALSE(run([](const LineChild::Say &, Diagnostics &) { sleep(100); }, std::chrono::milliseconds(50)));
  EXPECT_TRUE(child->isLate());
  EXPECT_EQ(endOf(child->end()), "signal 9 (Killed)");
}

TEST_F(LineChildTest, AnUnknownLineEndsTheChild) {
  EXPECT_FALSE(run([](const LineChild::Say &say, Diagnostics &) {
    say("unknown");
    sleep(100);
  }));
  EXPECT_FALSE(child->isLate());
  EXPECT_EQ(endOf(child->end()), "signal 9 (Killed)");
}
