// Entries that are put into a schedule file: the file then has the old entries, with their bytes, and the new ones
// after them, whatever its form.

#include "ops/contract/write/WriteSchedule.h"
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

class WriteSchedule : public testing::Test {
protected:
  /// Add with this schedule file.
  std::optional<Contract> load(const std::string &schedule) {
    std::ifstream stream(sourceFolder() + "/ops/library/add/op_contract.yaml");
    std::stringstream text;
    text << stream.rdbuf();
    folder.write("op_contract.yaml", text.str() + "schedule: own.yaml\n");
    folder.write("add.mlir", "");
    folder.write("reference.py", "");
    folder.write("own.yaml", schedule);
    Diagnostics diagnostics;
    return loadContract((folder.path() / "op_contract.yaml").string(), diagnostics);
  }
  /// The file with one entry more.
  std::optional<std::string> with(const std::string &schedule, const std::string &why = "") {
    std::optional<Contract> contract = load(schedule);
    EXPECT_TRUE(contract.has_value()) << schedule;
    return contract ? scheduleTextWith(schedule, *contract, {entry()}, why) : std::nullopt;
  }
  static ContractSchedule entry() {
    ContractSchedule made;
    made.typeRow = 0;
    made.key = 0;
    made.tile = ScheduleKnob{512, {}, true};
    made.alias = ScheduleKnob{1, {}, true};
    made.expansion = ScheduleKnob{16, {}, true};
    return made;
  }

  ContractFolder folder;
};

const char *const kEntry = "  - types: float16\n"
                           "    key: flat\n"
                           "    tile: 512\n"
                           "    alias: true\n"
                           "    expansion: float16\n";

} // namespace

// Each knob as the reader takes it.
TEST_F(WriteSchedule, Texts) {
  EXPECT_EQ(knobsText(entry()), "'tile: 512', 'alias: true', 'expansion: float16'");
  std::optional<Contract> contract = load("schema: 1\nkernels:\n  - slots: 1\n");
  ASSERT_TRUE(contract.has_value());
  EXPECT_EQ(entryLines(*contract, {entry()}, 2), kEntry);
  EXPECT_EQ(entriesText(*contract, {entry()}),
            "{types: float16, key: flat, tile: 512, alias: true, expansion: float16}");
  ContractSchedule all;
  for (auto knob : {&ContractSchedule::tile, &ContractSchedule::rows, &ContractSchedule::slots,
                    &ContractSchedule::prefetch, &ContractSchedule::alignment})
    all.*knob = ScheduleKnob{1, {}, false};
  EXPECT_EQ(knobsText(all), "'tile: 1', 'rows: 1', 'slots: 1', 'prefetch: true', 'alignment: 1'");
}

// A file of its own reads as the entries it was made of.
TEST_F(WriteSchedule, NewFile) {
  std::optional<Contract> before = load("schema: 1\nkernels:\n  - slots: 1\n");
  ASSERT_TRUE(before.has_value());
  std::string text = newScheduleText(*before, {entry()}, "why");
  EXPECT_EQ(text, "schema: 1\nkernels:\n  # why\n" + std::string(kEntry));
  std::optional<Contract> contract = load(text);
  ASSERT_TRUE(contract.has_value());
  ASSERT_EQ(contract->schedules.size(), 1u);
  EXPECT_EQ(contract->schedules[0].tile->value, 512);
  EXPECT_EQ(contract->schedules[0].expansion->value, 16);
}

// Behind the last entry, in its column; comments and what follows stay where they are.
TEST_F(WriteSchedule, BehindTheLastEntry) {
  EXPECT_EQ(with("schema: 1\nkernels:\n  - slots: 1 # mine\n", "why"),
            "schema: 1\nkernels:\n  - slots: 1 # mine\n  # why\n" + std::string(kEntry));
  // No line end at the end.
  EXPECT_EQ(with("schema: 1\nkernels:\n  - slots: 1"), "schema: 1\nkernels:\n  - slots: 1\n" + std::string(kEntry));
  // The list is not the last key, and its dashes stand at the margin.
  EXPECT_EQ(with("kernels:\n- tile: 256\n  slots: 1\n# end\nschema: 1\n"),
            "kernels:\n- tile: 256\n  slots: 1\n- types: float16\n  key: flat\n  tile: 512\n"
            "  alias: true\n  expansion: float16\n# end\nschema: 1\n");
  // An entry in braces on its own line is one, and wide dashes are dashes.
  EXPECT_EQ(with("schema: 1\nkernels:\n  - {tile: 256}\n"),
            "schema: 1\nkernels:\n  - {tile: 256}\n" + std::string(kEntry));
  EXPECT_EQ(with("schema: 1\nkernels:\n  -   tile: 256\n      slots: 1\n"),
            "schema: 1\nkernels:\n  -   tile: 256\n      slots: 1\n" + std::string(kEntry));
  // The end of the document stays the end.
  EXPECT_EQ(with("schema: 1\nkernels:\n  - slots: 1\n...\n"),
            "schema: 1\nkernels:\n  - slots: 1\n" + std::string(kEntry) + "...\n");
}

// Lists that no line can be put after, and a text that is not the contract's.
TEST_F(WriteSchedule, Refused) {
  EXPECT_EQ(with("schema: 1\nkernels: [{tile: 256}]\n"), std::nullopt);
  EXPECT_EQ(with("{schema: 1, kernels: [{tile: 256},\n {slots: 1}]}\n"), std::nullopt);
  EXPECT_EQ(with("schema: 1\nkernels:\n  -\n    tile: 256\n"), std::nullopt);
  std::optional<Contract> contract = load("schema: 1\nkernels:\n  - slots: 1\n");
  ASSERT_TRUE(contract.has_value());
  for (const char *other :
       {"", "\n", "schema: 1\nkernels:\n  - slots: 2\n", "\xff", "schema: 1\nkernels:\n  - slots: 1\n  - slots: 1\n"})
    EXPECT_EQ(scheduleTextWith(other, *contract, {entry()}, ""), std::nullopt) << other;
}
