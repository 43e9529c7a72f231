// Rules 44 and 45, and those of every text on a schedule file: each at the file's own line and column.
// One test a label.

#include "ops/contract/read/Reader.h"
#include "test/unit/ContractFolder.h"
#include "test/unit/Folders.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <fstream>
#include <sstream>

using namespace opc;
using namespace opc::test;

namespace {

/// An operator of the library with a schedule file beside its contract.
class RulesOfSchedules : public testing::Test {
protected:
  void use(const std::string &name) {
    std::string library = sourceFolder() + "/ops/library/" + name;
    std::ifstream stream(library + "/op_contract.yaml");
    std::stringstream text;
    text << stream.rdbuf();
    folder.write("op_contract.yaml", text.str() + "schedule: own.yaml\n");
    for (const std::string &file : {name + ".mlir", name + ".aicore.mlir", std::string("reference.py")})
      folder.write(file, "");
  }
  std::optional<Contract> load(const std::string &schedule) {
    folder.write("own.yaml", schedule);
    diagnostics = Diagnostics();
    return loadContract((folder.path() / "op_contract.yaml").string(), diagnostics);
  }
  /// '@' marks the place of the only error.
  void refuse(std::string schedule, const std::string &rule, const std::string &message, const std::string &fix = "") {
    size_t mark = schedule.find('@');
    ASSERT_NE(mark, std::string::npos);
    schedule.erase(mark, 1);
    auto line = 1 + std::count(schedule.begin(), schedule.begin() + long(mark), '\n');
    size_t start = mark == 0 ? std::string::npos : schedule.rfind('\n', mark - 1);
    EXPECT_FALSE(load(schedule).has_value()) << schedule;
    ASSERT_EQ(diagnostics.all().size(), 1u) << schedule;
    const Diagnostic &error = diagnostics.all().front();
    EXPECT_EQ(error.rule, rule);
    EXPECT_EQ(error.location.file, (folder.path() / "own.yaml").string());
    EXPECT_EQ(error.location.line, unsigned(line));
    EXPECT_EQ(error.location.column, unsigned(start == std::string::npos ? mark + 1 : mark - start));
    EXPECT_THAT(error.message, testing::HasSubstr(message));
    EXPECT_THAT(error.fix, testing::HasSubstr(fix));
  }

  ContractFolder folder;
  Diagnostics diagnostics;
};

} // namespace

// What a good file says, and which of two entries holds.
TEST_F(RulesOfSchedules, LaterEntriesWin) {
  use("add");
  std::optional<Contract> contract = load("schema: 1\n"
                                          "kernels:\n"
                                          "  - slots: 1\n"
                                          "    tile: 1024\n"
                                          "  - types: float16\n"
                                          "    key: rows_x2_row\n"
                                          "    tile: 2048\n"
                                          "    rows: 8\n"
                                          "    alignment: 64\n");
  ASSERT_TRUE(contract.has_value()) << diagnostics.all().front().message;
  ContractSchedule other = scheduleOf(*contract, 1, 0);
  EXPECT_EQ(other.tile->value, 1024);
  EXPECT_EQ(other.slots->value, 1);
  EXPECT_FALSE(other.rows.has_value());
  unsigned rowKey = *contract->schedules[1].key;
  ContractSchedule one = scheduleOf(*contract, 0, rowKey);
  EXPECT_EQ(one.tile->value, 2048);
  EXPECT_EQ(one.tile->location.line, 7u);
  EXPECT_TRUE(one.tile->ofKey);
  EXPECT_EQ(one.slots->value, 1);
  EXPECT_FALSE(one.slots->ofKey);
  EXPECT_EQ(one.rows->value, 8);
  EXPECT_EQ(one.alignment->value, 64);
  EXPECT_EQ(scheduleOf(*contract, 1, rowKey).tile->value, 1024);
}

// Without it a misspelt row or key would leave the default without a word.
TEST_F(RulesOfSchedules, C44Kernels) {
  use("add");
  refuse("schema: 1\nkernels:\n  - types: @float61\n    tile: 1024\n", "contract_c44",
         "expects 'types' to be a row of the contract's type table, found 'float61'", "did you mean 'float16'?");
  refuse("schema: 1\nkernels:\n  - key: @rows_x2_rwo\n    tile: 1024\n", "contract_c44",
         "expects 'key' to be a shape key of 'Add', found 'rows_x2_rwo'", "did you mean 'rows_x2_row'?");
}

// Numbers that no kernel has would come back as a broken rule of an attribute, far from the file.
TEST_F(RulesOfSchedules, C45Numbers) {
  use("add");
  auto knob = [](const std::string &text) { return "schema: 1\nkernels:\n  - " + text + "\n"; };
  refuse(knob("tile: @1000"), "contract_c45", "a multiple of 256 elements", "768");
  refuse(knob("tile: @0"), "contract_c45", "found 0", "256");
  refuse(knob("tile: @-256"), "contract_c45", "found -256", "256");
  refuse(knob("tile: @1048832"), "contract_c45", "found 1048832", "1048576");
  refuse(knob("rows: @0"), "contract_c45", "'rows' from 1 to 4095, found 0");
  refuse(knob("rows: @4096"), "contract_c45", "'rows' from 1 to 4095, found 4096");
  refuse(knob("slots: @3"), "contract_c45", "'slots' to be 1 or 2, found 3");
  refuse(knob("alignment: @48"), "contract_c45", "a power of two from 32 to 4096, found 48");
  refuse(knob("alignment: @8192"), "contract_c45", "found 8192");
  refuse(knob("expansion: @bfloat16"), "contract_c45", "expects 'expansion' to be float16 or float32, found 'bfloat16'",
         "did you mean 'float16'?");
  refuse(knob("expansion: @16"), "contract_c45", "found '16'");
  refuse(knob("slots: 1\n    prefetch: @true"), "contract_c45", "expects two slots");
  refuse(knob("key: flat\n    rows: @4"), "contract_c45", "found key 'flat'", "leave 'rows' out");
}

// The rules of every text hold for this one.
TEST_F(RulesOfSchedules, Text) {
  use("add");
  refuse("schema: 1\nkernels:\n  - @tiel: 1024\n", "contract_c9",
         "expects only known keys in an entry of 'kernels', found 'tiel'", "did you mean 'tile'?");
  refuse("schema: @2\nkernels:\n  - tile: 1024\n", "contract_c13", "expects 'schema: 1', found 2");
  refuse("schema: 1\nkernels:\n  - tile: @many\n", "contract_c11", "a whole number");
  refuse("schema: 1\nkernels:\n  - prefetch: @1\n", "contract_c11", "true or false");
  refuse("schema: 1\nkernels:\n  - alias: @yes, please\n", "contract_c11", "true or false");
  refuse("@schema: 1\n", "contract_c10", "expects 'kernels' in a schedule file, found none");
  refuse("schema: 1\nkernels: @[]\n", "contract_c19", "expects 1 to 1024 items in 'kernels', found 0");
  EXPECT_FALSE(load("").has_value());
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.exitCode(), ExitCode::Contract);
  EXPECT_FALSE(load(std::string((1 << 20) + 1, '#')).has_value());
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all().front().rule, "contract_c1");
  EXPECT_FALSE(load(std::string("schema: 1\0kernels", 17)).has_value());
  EXPECT_EQ(diagnostics.exitCode(), ExitCode::Contract);
}

// A kernel by hand has no schedule that anybody could change.
TEST_F(RulesOfSchedules, OnlyTe) {
  use("add");
  std::ifstream stream(folder.path() / "op_contract.yaml");
  std::stringstream buffer;
  buffer << stream.rdbuf();
  std::string text = buffer.str();
  size_t level = text.find("level: te");
  ASSERT_NE(level, std::string::npos);
  folder.write("op_contract.yaml", text.replace(level, 9, "level: aicore"));
  EXPECT_FALSE(load("schema: 1\nkernels:\n  - tile: 1024\n").has_value());
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all().front().rule, "contract_c44");
  EXPECT_THAT(diagnostics.all().front().message,
              testing::HasSubstr("expects a body at level te where there is a schedule"));
}
