// Rules 39 to 41 and 46: bodies and files, in text and on the file system. One test a label.

#include "test/unit/Folders.h"
#include "test/unit/ops/contract/SampleContract.h"

#include "ops/contract/read/Reader.h"
#include "ops/contract/write/Canonical.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <filesystem>
#include <fstream>

using namespace opc;
using namespace opc::test;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test, with the sample and its files.
class RulesOfFiles : public testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder = fs::path(buildFolder()) / "test" / "contract" / name;
    fs::remove_all(folder);
    fs::create_directories(folder / "op" / "kernels");
    contract = (folder / "op" / "op_contract.yaml").string();
    write(contract, sample());
    for (const char *file : {"row_scale.mlir", "kernels/row_scale.aicore.mlir", "reference.py"})
      write(folder / "op" / file, "");
    write(folder / "op" / "row_scale.schedule", "schema: 1\nkernels:\n  - slots: 2\n");
  }
  void TearDown() override { fs::remove_all(folder); }

  static void write(const fs::path &path, const std::string &text) { std::ofstream(path) << text; }

  /// The only error of loading; its rule and message.
  void expectRefused(const std::string &rule, const std::string &message, unsigned line) {
    Diagnostics diagnostics;
    EXPECT_FALSE(loadContract(contract, diagnostics).has_value());
    ASSERT_EQ(diagnostics.all().size(), 1u);
    EXPECT_EQ(diagnostics.all()[0].rule, rule);
    EXPECT_EQ(diagnostics.all()[0].location.file, contract);
    EXPECT_EQ(diagnostics.all()[0].location.line, line);
    EXPECT_THAT(diagnostics.all()[0].message, testing::HasSubstr(message));
  }
  static unsigned lineOf(const std::string &part) {
    std::string text = sample();
    text.resize(text.find(part));
    return 1 + static_cast<unsigned>(std::count(text.begin(), text.end(), '\n'));
  }

  fs::path folder;
  std::string contract;
};

} // namespace

// Without it --body=te could mean two files.
TEST_F(RulesOfFiles, C39BodyOnce) {
  expectBroken("  - level: aicore", "  - level: @te", "contract_c39",
               "expects one body of each level, found 'te' again", "'types' of each says which type rows it serves");
  expectBroken("  - level: aicore", "  - level: aicore\n    file: other.mlir\n  - level: @aicore", "contract_c39",
               "expects one body of each level, found 'aicore' again");
}

// Without it a row that no body serves would be found by whoever launches it.
TEST_F(RulesOfFiles, C46BodyTypes) {
  const std::string byHand = "    file: kernels/row_scale.aicore.mlir\n", first = "    file: row_scale.mlir\n";
  expectBroken(byHand, byHand + "    types:\n      - float16\n      - @flaot32\n", "contract_c46",
               "expects 'types' of a body to name rows of the contract's type table, found 'flaot32'",
               "did you mean 'float32'?");
  expectBroken(byHand, byHand + "    types:\n      - float16\n      - @float16\n", "contract_c46",
               "each type row once in 'types' of a body, found 'float16' again");
  expectBroken(first, first + "    types: @[float32]\n", "contract_c46", "it leaves out 'float16'",
               "put the body that serves all rows first");
  expectBroken(byHand, byHand + "    types: @[]\n", "contract_c19", "1 to 64 items in 'types'");
}

// Without it `types` could be read and do nothing, or cost the rows that it does not name.
TEST(Bodies, ServeTheRowsTheyName) {
  const std::string byHand = "    file: kernels/row_scale.aicore.mlir\n";
  Contract all = expectGood("schema: 1", "schema: 1");
  EXPECT_EQ(all.rowsOf(all.bodies[0]), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(all.rowsOf(all.bodies[1]), (std::vector<unsigned>{0, 1}));
  Contract one = expectGood(byHand, byHand + "    types: [float32]\n");
  EXPECT_EQ(one.rowsOf(one.bodies[0]), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(one.rowsOf(one.bodies[1]), (std::vector<unsigned>{1}));
  EXPECT_NE(contractHash(one), contractHash(all));
  // All rows, in any order, are what no `types` means; and the canonical text reads back.
  EXPECT_EQ(contractHash(expectGood(byHand, byHand + "    types: [float32, float16]\n")), contractHash(all));
  Diagnostics diagnostics;
  std::optional<Contract> again = read(canonicalText(one), diagnostics);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->bodies[1].typeRows, (std::vector<unsigned>{1}));
}

/// The sample with a text for each of its two type rows; `more` goes below the second one.
static std::string withTexts(const std::string &first, const std::string &second, const std::string &more = {}) {
  return "    file: row_scale.mlir\n" + first + "  - level: te\n    file: others.mlir\n" + second + more;
}

// Without it a row could have two texts, or none, and which one it gets would depend on the order of a list.
TEST(Bodies, RowsHaveTextsOfTheirOwn) {
  const std::string first = "    file: row_scale.mlir\n", half = "    types: [float16]\n",
                    single = "    types: [float32]\n";
  Contract all = expectGood("schema: 1", "schema: 1");
  Contract two = expectGood(first, withTexts(half, single, "    devices: cpu\n"));
  ASSERT_EQ(two.bodies.size(), 2u);
  const ContractBody &body = two.bodies[0];
  EXPECT_EQ(two.rowsOf(body), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(body.files(), (std::vector<std::string>{"row_scale.mlir", "others.mlir"}));
  EXPECT_EQ(body.fileOf(0), "row_scale.mlir");
  EXPECT_EQ(body.fileOf(1), "others.mlir");
  EXPECT_EQ(body.devicesOf(0), BodyDevices::All);
  EXPECT_EQ(body.devicesOf(1), BodyDevices::Cpu);
  EXPECT_NE(contractHash(two), contractHash(all));
  Diagnostics diagnostics;
  std::optional<Contract> again = read(canonicalText(two), diagnostics);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(contractHash(*again), contractHash(two));
  auto refuse = [&](std::string text, const std::string &message, const std::string &fix = {}) {
    expectBroken(first, text, "contract_c46", message, fix);
  };
  auto marked = [&](std::string text, const std::string &at) { return text.insert(text.find(at), "@"); };
  refuse(marked(withTexts(half, half), "others.mlir"),
         "expects one body of level te for each type row, found 'float16' in 'row_scale.mlir' and 'others.mlir'",
         "take 'float16' out of the 'types' of one of them");
  refuse(marked(withTexts("    types: [float16, float32]\n", single), "others.mlir"), "found 'float32' in",
         "take 'float32' out of the 'types' of one of them");
  refuse(marked(withTexts(half, ""), "others.mlir"),
         "expects 'types' in each of several bodies at level te, found 'others.mlir' without them",
         "list the type rows that it serves: float16, float32");
}

// Without it 'devices' could be read and do nothing, or a kernel by hand could be kept from the chip that it is for.
TEST(Bodies, ServeTheDevicesTheyName) {
  const std::string first = "    file: row_scale.mlir\n", byHand = "    file: kernels/row_scale.aicore.mlir\n";
  Contract all = expectGood("schema: 1", "schema: 1");
  EXPECT_EQ(all.bodies[0].devices, BodyDevices::All);
  EXPECT_EQ(contractHash(expectGood(first, first + "    devices: all\n")), contractHash(all));
  Contract one = expectGood(first, first + "    devices: cpu\n");
  EXPECT_EQ(one.bodies[0].devices, BodyDevices::Cpu);
  EXPECT_NE(contractHash(one), contractHash(all));
  Diagnostics diagnostics;
  std::optional<Contract> again = read(canonicalText(one), diagnostics);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->bodies[0].devices, BodyDevices::Cpu);
  expectBroken(first, first + "    devices: @cpus\n", "contract_c12", "'devices'", "did you mean 'cpu'?");
  expectBroken(byHand, byHand + "    @devices: cpu\n", "contract_c46",
               "expects a kernel by hand, at level aicore, to serve all devices, found 'cpu'",
               "leave 'devices' out, or write the body at level te");
}

// Without it a contract from elsewhere could read, pack or ship any file of the machine.
TEST_F(RulesOfFiles, C40FilePath) {
  auto refuse = [](const std::string &path, const std::string &why) {
    expectBroken("reference: reference.py", "reference: @" + path, "contract_c40", why);
  };
  refuse("/etc/passwd", "which is absolute");
  refuse("../reference.py", "which leads out of the folder by '..'");
  refuse("a/../../b", "which leads out of the folder by '..'");
  refuse("a//b", "which has an empty part");
  refuse("./a", "which has an empty part");
  refuse("a/", "which has an empty part");
  refuse("'a\\b'", "which has a '\\', a ':' or a control character");
  refuse("'C:x'", "which has a '\\', a ':' or a control character");
  refuse("a" + std::string(255, 'b'), "which has more than 255 bytes");
}

// Without it a missing body would be found by the compiler, far from the line that names it.
TEST_F(RulesOfFiles, C41FileThere) {
  Diagnostics diagnostics;
  EXPECT_TRUE(loadContract(contract, diagnostics).has_value());
  EXPECT_TRUE(diagnostics.all().empty());

  fs::remove(folder / "op" / "row_scale.mlir");
  expectRefused("contract_c41", "expects the body beside the contract, found that 'row_scale.mlir' does not exist",
                lineOf("row_scale.mlir"));
  fs::create_directory(folder / "op" / "row_scale.mlir");
  expectRefused("contract_c41", "is no plain file", lineOf("row_scale.mlir"));
  fs::remove(folder / "op" / "row_scale.mlir");
  write(folder / "outside", "");
  fs::create_symlink("../outside", folder / "op" / "row_scale.mlir");
  expectRefused("contract_c41", "is a link out of the contract's folder", lineOf("row_scale.mlir"));
  fs::remove(folder / "op" / "row_scale.mlir");
  fs::create_symlink("row_scale.mlir", folder / "op" / "row_scale.mlir");
  expectRefused("contract_c41", "does not exist", lineOf("row_scale.mlir"));
  fs::remove(folder / "op" / "row_scale.mlir");
  // A link that stays inside is a file like any other.
  fs::create_symlink("reference.py", folder / "op" / "row_scale.mlir");
  EXPECT_TRUE(loadContract(contract, diagnostics).has_value());
}

// A folder whose name is the front of another's is not the same folder.
TEST_F(RulesOfFiles, LinkToANeighbour) {
  fs::create_directories(folder / "op2");
  write(folder / "op2" / "reference.py", "");
  fs::remove(folder / "op" / "reference.py");
  fs::create_symlink("../op2/reference.py", folder / "op" / "reference.py");
  expectRefused("contract_c41", "is a link out", lineOf("reference.py"));
}

// What cannot be read at all is the machine's matter, not the contract's: another code, another exit status.
TEST_F(RulesOfFiles, UnreadableContract) {
  auto codeOf = [](const std::string &path) {
    Diagnostics diagnostics;
    EXPECT_FALSE(loadContract(path, diagnostics).has_value());
    EXPECT_EQ(diagnostics.exitCode(), ExitCode::Environment);
    return codeInfo(diagnostics.all().at(0).code).name;
  };
  EXPECT_EQ(codeOf((folder / "none.yaml").string()), "OPC-E0600");
  EXPECT_EQ(codeOf(folder.string()), "OPC-E0600");
  EXPECT_EQ(codeOf("/dev/zero"), "OPC-E0600");
  EXPECT_EQ(codeOf(""), "OPC-E0600");
}

// A relative path without a folder has its files in the working folder.
TEST_F(RulesOfFiles, DirectoryOfThePath) {
  Diagnostics diagnostics;
  std::optional<Contract> loaded = loadContract(contract, diagnostics);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->directory, (folder / "op").string());
  EXPECT_EQ(loaded->filePath("reference.py"), (folder / "op" / "reference.py").string());
  std::optional<Contract> parsed = parseContract(sample(), "op_contract.yaml", diagnostics);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->directory, ".");
}
