// One text and one hash for one meaning.

#include "ops/contract/write/Canonical.h"

#include "ops/contract/Shapes.h"
#include "test/unit/ops/contract/SampleContract.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace opc;
using namespace opc::test;

static Contract good() {
  return expectGood("schema: 1", "schema: 1");
}

// Without it a contract would change when it is written and read again.
TEST(Canonical, ReadsBack) {
  std::string text = canonicalText(good());
  Diagnostics diagnostics;
  std::optional<Contract> again = read(text, diagnostics);
  ASSERT_TRUE(again.has_value()) << text;
  EXPECT_EQ(canonicalText(*again), text);
  EXPECT_THAT(text, testing::HasSubstr("op_type: RowScale\n"));
  EXPECT_THAT(text, testing::HasSubstr("    equals:\n      add:\n        - mul:\n            - N\n "
                                       "           - 2\n        - 1\n"));
}

// Without it a comment or the order of keys would make a kernel cache miss.
TEST(Canonical, FormChangesNothing) {
  std::string hash = contractHash(good());
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_THAT(hash, testing::MatchesRegex("[0-9a-f]+"));
  EXPECT_EQ(contractHash(expectGood("schema: 1\n", "# a comment\nschema: 1 # one\n")), hash);
  EXPECT_EQ(contractHash(expectGood("schema: 1\nop_type: RowScale\n", "op_type: 'RowScale'\nschema: 1\n")), hash);
  EXPECT_EQ(contractHash(expectGood("    default: 0.5\n", "    default: 5.0e-1\n")), hash);
  // Defaults written out or left out.
  EXPECT_EQ(
      contractHash(expectGood("    broadcast: numpy\n", "    broadcast: numpy\n    required: true\n    formats: ND\n")),
      hash);
  EXPECT_EQ(contractHash(expectGood("  empty: allowed\n", "")), hash);
}

// Without it two different operators could share an entry of the cache.
TEST(Canonical, MeaningChangesTheHash) {
  std::string hash = contractHash(good());
  for (auto [from, to] : {std::pair("version: 1.2.3", "version: 1.2.4"), std::pair("default: 0.5", "default: 0.25"),
                          std::pair("  nan: propagate", "  nan: reference"), std::pair("- mul:", "- floordiv:"),
                          std::pair("max_ulp: 1", "max_ulp: 2"), std::pair("maximum: 65536", "maximum: 65535")})
    EXPECT_NE(contractHash(expectGood(from, to)), hash) << to;
}

// An output that reduces may keep the shape of its input; without the shape it would be another output.
TEST(Canonical, ReductionsThatKeepAllDimensions) {
  Contract contract = expectGood("      keep_dims: keep\n", "    shape:\n      - ...B\n      - N\n");
  Diagnostics diagnostics;
  std::optional<Contract> again = read(canonicalText(contract), diagnostics);
  ASSERT_TRUE(again.has_value());
  EXPECT_TRUE(again->outputs[1].reduces.has_value());
  EXPECT_EQ(printShape(again->outputs[1].shape), "[...B, N]");
}

// Texts with quotes, backslashes and other letters survive.
TEST(Canonical, Quoting) {
  Contract contract = expectGood("Scales rows and sums them", "'a \"b\" \\ # : - \xc3\xa9'");
  EXPECT_EQ(contract.summary, "a \"b\" \\ # : - \xc3\xa9");
  Diagnostics diagnostics;
  std::optional<Contract> again = read(canonicalText(contract), diagnostics);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->summary, contract.summary);
}
