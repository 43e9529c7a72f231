// Records of stages after phase `bound`, told in terms of the te body. Which combinations a device refuses changes
// with the compiler; that a refusal is reported in the author's words does not.

#include "lowering/pipelines/operator/TeTerms.h"

#include "dialect/te/InstanceNote.h"
#include "lowering/import/te/ImportTe.h"
#include "runtime/diagnostic/Labels.h"
#include "test/unit/ContractFolder.h"

#include "mlir/IR/MLIRContext.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using ::testing::HasSubstr;
using ::testing::Not;

static const char *const kContract = R"(schema: 1
op_type: Terms
version: 1.0.0
summary: Casts and sums of several types
inputs:
  - name: x
    types: [float32, int32, int8]
    shape: [...S]
outputs:
  - name: y
    types: [float16, int8, int8]
    shape: [...S]
attributes:
  - name: beta
    type: float
    bind: launch
    default: 1.0
precision:
  compute: storage
  tolerance:
    - type: float16
      max_ulp: 1
    - type: int8
      max_ulp: 1
bodies:
  - level: te
    file: terms.mlir
reference: reference.py
)";

static const char *const kBody = R"(!T = f32
func.func @terms(%x: !x, %beta: f32) -> !y {
  %e = te.exp %beta
  %f = te.cast %x to f32
  %z = te.mul %f, %e
  %h = te.cast %z to f16 round nearest_away
  %c = te.compare lt %x, %x
  %s = te.select %c, %x, %x
  %y = te.cast %s to !y
  return %y : !y
}
)";

namespace {
class TeTermsTest : public testing::Test {
protected:
  TeTermsTest() : context(mlir::MLIRContext::Threading::DISABLED), contract(folder.contract(kContract)) {
    folder.write("terms.mlir", kBody);
    Diagnostics diagnostics;
    module = importTe(context, contract, contract.bodies.front(), {}, diagnostics);
    EXPECT_TRUE(module) << diagnostics.all().front().message;
    terms.emplace(*module, contract, contract.bodies.front(), "Ascend310B1");
  }

  /// What a pass reports of a line, working on a kernel.
  Diagnostic told(Code code, const std::string &rule, unsigned line, unsigned column, const std::string &kernel) {
    Diagnostic record;
    record.code = code;
    record.rule = rule;
    record.location = {"terms.mlir", line, column};
    record.message = "'linalg.generic' op expects 'arith.cmpi' of 'tensor<?xi32>'";
    if (!kernel.empty())
      record.notes.push_back({{}, te::InstanceNote::kPrefix.str() + kernel + "'"});
    return terms->translate(record);
  }

  test::ContractFolder folder;
  mlir::MLIRContext context;
  Contract contract;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<TeTerms> terms;
};
} // namespace

// Without it: an author reads of arith and of loops, and of another row's types.
TEST_F(TeTermsTest, NamesTheOperationInItsRow) {
  Diagnostic record = told(Code::E0302, "place_c1", 6, 8, "terms_float32_flat");
  EXPECT_EQ(record.message, "expects what Ascend310B1 computes, found 'te.cast' of float32 to "
                            "float16 (round nearest_away)");
  EXPECT_THAT(record.fix, HasSubstr("another rounding"));
  ASSERT_EQ(record.notes.size(), 1u);
  EXPECT_EQ(record.notes.front().message, "in the type row 'float32', where !T is f32, for shapes of the key 'flat'");
  record = told(Code::E0302, "place_c3", 7, 8, "terms_int32_flat");
  EXPECT_EQ(record.message, "expects what Ascend310B1 computes, found 'te.compare lt' of int32");
  EXPECT_THAT(record.fix, HasSubstr("te.cast"));
  record = told(Code::E0302, "place_c3", 7, 8, "terms_int8_flat");
  EXPECT_EQ(record.message, "expects what Ascend310B1 computes, found 'te.compare lt' of int8");
  EXPECT_THAT(record.fix, Not(HasSubstr("compute: float32")));
}

TEST_F(TeTermsTest, SaysWhichDevice) {
  Diagnostic record = told(Code::E0370, "cpu_c6", 9, 8, "terms_int32_flat");
  EXPECT_EQ(record.message, "expects what the CPU computes, found 'te.cast' of int32 to int8");
}

TEST_F(TeTermsTest, NumbersOfALaunch) {
  Diagnostic record = told(Code::E0302, "place_c3", 3, 8, "terms_float32_flat");
  EXPECT_EQ(record.message, "expects what Ascend310B1 computes, found 'te.exp' of float32, of a number");
  EXPECT_THAT(record.fix, HasSubstr("te.broadcast"));
}

// Placement names no instance in its messages; who calls knows it.
TEST_F(TeTermsTest, TheInstanceAtWork) {
  Diagnostic record;
  record.code = Code::E0302;
  record.rule = "place_c1";
  record.location = {"terms.mlir", 9, 8};
  record = terms->translate(record, "terms_int8_flat");
  EXPECT_THAT(record.message, HasSubstr("'te.cast' of int8 to int8"));
  ASSERT_EQ(record.notes.size(), 1u);
  EXPECT_THAT(record.notes.front().message, HasSubstr("type row 'int8'"));
}

// What a verifier of ours refuses is a mistake of ours: the rule stays, its words do not.
TEST_F(TeTermsTest, OwesUpToMistakesOfItsOwn) {
  for (Code code :
       {Code::E0302, Code::E0313, Code::E0320, Code::E0321, Code::E0322, Code::E0370, Code::E0371, Code::E0380}) {
    Diagnostic record = told(code, "store_c3", 5, 8, "terms_float32_flat");
    EXPECT_EQ(record.code, code);
    EXPECT_EQ(record.rule, "store_c3");
    EXPECT_EQ(record.message, "expects to make a kernel of 'te.mul' of float32, found that it "
                              "cannot be done");
    EXPECT_THAT(record.fix, HasSubstr("the fault is opc's"));
  }
}

// A pass that knows no place still points into the body.
TEST_F(TeTermsTest, APlaceThatIsMissing) {
  Diagnostic record = told(Code::E0320, "placed_c4", 0, 0, "");
  EXPECT_EQ(record.location.line, 2u);
  EXPECT_EQ(record.location.column, 1u);
  EXPECT_THAT(record.message, HasSubstr("a kernel of this body"));
}

// Limits that speak of memory and shapes are in words; so are rules of the body.
TEST_F(TeTermsTest, LeavesWordsAlone) {
  EXPECT_THAT(told(Code::E0313, "bound_c5", 4, 8, "").message, HasSubstr("linalg"));
  EXPECT_THAT(told(Code::E0400, "ub_c1", 4, 8, "").message, HasSubstr("linalg"));
  EXPECT_THAT(told(Code::E0401, "event_c1", 4, 8, "").message, HasSubstr("linalg"));
}

// What explain and the passes' messages share.
TEST(Labels, CodesOfRules) {
  EXPECT_EQ(codesOfLabel("sync_c3"), std::vector<Code>{Code::E0322});
  EXPECT_EQ(codesOfLabel("sync_c12"), std::vector<Code>{Code::E0570});
  EXPECT_EQ(codesOfLabel("contract_c9"), std::vector<Code>{Code::E0209});
  EXPECT_EQ(codesOfLabel("launch_c6"), (std::vector<Code>{Code::E0521, Code::E0526}));
  for (const char *none : {"sync_c0", "sync_c01", "sync_c999", "sync", "_c1", "sync_c", "Sync_c1", "contract_c0",
                           "contract_c999", "sync_c99999999999999999999"})
    EXPECT_TRUE(codesOfLabel(none).empty()) << none;
  EXPECT_TRUE(isLabel("tiling_function_c2"));
  EXPECT_FALSE(isLabel("tiling function_c2"));
}
