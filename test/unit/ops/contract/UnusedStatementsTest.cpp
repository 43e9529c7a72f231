// Which statements of a body no result needs, and what is left of its text.

#include "ops/contract/read/UnusedStatements.h"
#include "ops/contract/read/Reader.h"

#include "gtest/gtest.h"

using namespace opc;

static std::string body(const std::string &lines) {
  return "!T = f16\nfunc.func @f(%x: !x, %a: f32) -> (!y) {\n" + lines + "}\n";
}

/// "m k" for the values of unused statements; those that are left out of the text have a '-' before them.
static std::string unusedOf(const std::string &lines) {
  std::string text;
  for (const UnusedStatement &each : unusedStatements(body(lines)))
    text += (text.empty() ? "" : " ") + std::string(each.shapesLoops ? "-" : "") + each.value;
  return text;
}

TEST(UnusedStatements, Found) {
  EXPECT_EQ(unusedOf("  %m = te.reduce_max %x axes [N] keep\n  %y = te.sub %x, %m\n  return %y : !y\n"), "");
  EXPECT_EQ(unusedOf("  %m = te.reduce_max %x axes [N] keep\n  %y = te.exp %x\n  return %y : !y\n"), "-m");
  // Those that read unused values are unused, and are left out with them.
  EXPECT_EQ(unusedOf("  %e = te.exp %x\n  %i = te.iota along N to !y\n  %k = te.mul %i, %e\n  %y = te.mul %x, %a\n"
                     "  return %y : !y\n"),
            "e -i -k");
  // Comments and strings are no code.
  EXPECT_EQ(unusedOf("  %m = te.exp %x // axes [N] %y\n  %y = te.neg %x\n  return %y : !y\n"), "m");
  EXPECT_EQ(unusedOf("  %y = te.neg %x\n  // return %x\n  return %y : !y\n"), "");
}

// What is unclear is left to the parser, whose messages need the whole text.
TEST(UnusedStatements, Unclear) {
  EXPECT_EQ(unusedOf("  %m = te.reduce_max %x axes [N]\n  %y = te.exp %x\n  return %z : !y\n"), "");
  EXPECT_EQ(unusedOf("  %m = te.reduce_max %q axes [N]\n  %y = te.exp %x\n  return %y : !y\n"), "");
  EXPECT_EQ(unusedOf("  %y = te.reduce_max %x axes [N]\n  %y = te.exp %x\n  return %y : !y\n"), "");
  EXPECT_EQ(unusedOf("  %m = te.reduce_max %x axes [N]\n  %y = te.exp %x\n"), "");
}

// Other statements keep their lines and columns.
TEST(UnusedStatements, LeftOut) {
  std::string text =
      body("  %e = te.exp %x\n  %m = te.reduce_max %x\n      axes [N] keep %y = te.neg %x\n  return %y\n");
  leaveOut(unusedStatements(text), text);
  EXPECT_EQ(text, body("  %e = te.exp %x\n                       \n                    %y = te.neg %x\n  return %y\n"));
}

// They decide nothing that a contract reads from its body.
TEST(UnusedStatements, DecideNothing) {
  ContractBody read;
  readTeBody(
      read,
      body("  %m = te.reduce_max %x axes [N] keep\n  %i = te.iota along M to !y\n  %s = te.slice %x along P at 0\n"
           "  %p = te.matmul %x, %x axes [K]\n  %y = te.reduce_sum %x axes [S]\n  return %y : !y\n"));
  EXPECT_EQ(read.axes, std::vector<std::string>{"S"});
  EXPECT_TRUE(read.counts.empty());
  EXPECT_TRUE(read.parts.empty());
  EXPECT_FALSE(read.multiplies);
  EXPECT_TRUE(read.flow.reductions.empty());
}
