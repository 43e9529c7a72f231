// Host texts of a contract that has every key: they compile against stand-in headers and do what the contract says.
// Two kernels serve one type row, whose tiling function picks one.

#include "lowering/emit/host/HostOperator.h"
#include "ops/contract/read/Reader.h"
#include "test/unit/Folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace opc;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

static std::string readText(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// As TilingHeader.cpp prints it, for two tiling functions.
static const char *kTilingHeader = R"(#include <cstdint>
struct RowScaleTilingData {
  uint32_t block_num_;
  uint32_t tiling_key;
  uint64_t columns;
  uint64_t total;
  float beta;
};
inline bool RowScaleTiling(int64_t rows, int64_t columns, int64_t total, int64_t blocks, RowScaleTilingData &data) {
  const uint32_t key = rows < 10 ? 70 : rows < 1000 ? 71 : 0xffffffff;
  data = {static_cast<uint32_t>(rows), key, static_cast<uint64_t>(columns), static_cast<uint64_t>(total), 0};
  return rows < 1800 && blocks == 1;
}
inline bool RowScaleOtherTiling(int64_t rows, RowScaleTilingData &data) {
  data = {static_cast<uint32_t>(rows), 0, 0, 0, 0};
  return rows < 1000;
}
)";

static HostKernel kernel(uint64_t key, unsigned row, const std::string &tiling, std::vector<TilingInput> sizes) {
  HostKernel result;
  result.name = "row_scale_" + std::to_string(key);
  result.tilingKey = key;
  result.typeRow = row;
  result.tilingFunction = tiling;
  result.sizes = std::move(sizes);
  result.fields = {{"block_num", TilingField::UInt32},
                   {"tiling_key", TilingField::UInt32},
                   {"columns", TilingField::UInt64},
                   {"total", TilingField::UInt64},
                   {"beta", TilingField::Float32}};
  result.attributes = {"beta"};
  return result;
}

namespace {

class HostText : public ::testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("opc-host-" + std::to_string(getpid()));
    fs::create_directories(folder);
    std::string path = test::sourceFolder() + "/test/fuzz/seeds/every_key/op_contract.yaml";
    std::optional<Contract> read = parseContract(readText(path), path, diagnostics);
    ASSERT_TRUE(read);
    contract = *read;
    op.contract = &contract;
    op.vendor = "mine";
    // Rows, columns of y, elements of total, blocks.
    std::vector<TilingInput> sizes = {{TilingInput::Dim, 0, 0},
                                      {TilingInput::Dim, 3, -1},
                                      {TilingInput::NumElements, 4, 0},
                                      {TilingInput::MaxBlocks, 0, 0}};
    op.kernels = {kernel(70, 0, "row_scale_tiling", sizes), kernel(71, 0, "row_scale_tiling", sizes),
                  kernel(72, 1, "row_scale_other_tiling", {{TilingInput::Dim, 0, 0}})};
    op.kernels.back().fields.erase(op.kernels.back().fields.begin() + 1);
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string &name, const std::string &text) { std::ofstream(folder / name) << text; }
  /// What a command says on both streams; it must end well.
  std::string run(const std::string &command) {
    std::string text;
    FILE *pipe = popen((command + " 2>&1").c_str(), "r");
    char buffer[4096];
    while (size_t count = fread(buffer, 1, sizeof buffer, pipe))
      text.append(buffer, count);
    EXPECT_EQ(pclose(pipe), 0) << command << "\n" << text;
    return text;
  }
  std::string compiler() const {
    return std::string(OPC_CXX) +
           " -std=c++17 -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-const-variable -I " + folder.string() +
           " -I " + test::sourceFolder() + "/test/lowering/emit/host/Inputs" + " -I " + test::sourceFolder() +
           "/test/lowering/emit/host/Inputs/vendor ";
  }

  fs::path folder;
  Diagnostics diagnostics;
  Contract contract;
  HostOperator op;
  HostSources sources;
};

} // namespace

TEST_F(HostText, CompilesAndKeepsTheContract) {
  ASSERT_TRUE(emitHost(op, sources, diagnostics));
  write("row_scale.cpp", sources.opHost);
  write("row_scale_tiling.h", kTilingHeader);
  write("row_scale_proto.cpp", sources.inferSource);
  write("row_scale_tiling.cpp", sources.tilingSource);
  write("row_scale_plugin.cpp", sources.onnxPlugin);
  write("aclnn_row_scale.h", sources.aclnnHeader);
  write("op_proto.h", opProtoHeader({op}));
  for (const HostSupportFile &file : hostSupportFiles())
    write(file.name, file.text);
  std::string driver = test::sourceFolder() + "/test/lowering/emit/host/Inputs/row_scale_host.cpp";
  run(compiler() + driver + " -o " + (folder / "host").string());
  EXPECT_THAT(run((folder / "host").string() + " 2>/dev/null"), HasSubstr("0 failures"));
  for (const char *name : {"row_scale_proto.cpp", "row_scale_tiling.cpp", "row_scale_plugin.cpp"})
    run(compiler() + "-fsyntax-only " + (folder / name).string());
  run(compiler() + "-fsyntax-only -x c++ " + (folder / "aclnn_row_scale.h").string());
  run(compiler() + "-fsyntax-only -x c++ " + (folder / "op_proto.h").string());
}

// The two-phase call: optional inputs end in Optional, several outputs keep their names.
TEST_F(HostText, TwoPhaseHeader) {
  ASSERT_TRUE(emitHost(op, sources, diagnostics));
  EXPECT_THAT(sources.aclnnHeader,
              HasSubstr("const aclTensor *x, const aclTensor *scale, const aclTensor *biasOptional, "
                        "double beta, const aclIntArray *axes, bool keep, char *mode, "
                        "const aclTensor *yOut, const aclTensor *totalOut, uint64_t *workspaceSize"));
}

// The bytes that the framework reserves are those of the struct.
TEST_F(HostText, TilingDataIsAsLargeAsTheStruct) {
  EXPECT_EQ(tilingDataBytes(op), 32u) << "4 and 4 to align, 8, 8, 4, up to a multiple of 8";
}

// An author's words end up in comments, strings and tables of other languages.
TEST_F(HostText, WordsOfTheAuthorStayWords) {
  contract.summary = "a \\ b \"c\" */ ?\?/ | <d>";
  contract.inputs[0].summary = "ends with \\";
  ASSERT_TRUE(emitHost(op, sources, diagnostics));
  write("row_scale.cpp", sources.opHost);
  write("row_scale_tiling.h", kTilingHeader);
  for (const HostSupportFile &file : hostSupportFiles())
    write(file.name, file.text);
  run(compiler() + "-fsyntax-only " + (folder / "row_scale.cpp").string());
  write("schema.py", sources.onnxSchema);
  run(test::python() + " -c \"import ast; ast.parse(open('" + (folder / "schema.py").string() + "').read())\"");
  write("cell.py", sources.mindspore);
  run(test::python() + " -c \"import ast; ast.parse(open('" + (folder / "cell.py").string() + "').read())\"");
  EXPECT_THAT(sources.docs, HasSubstr("\\| \\<d>"));
}

// What the vendor's definition cannot say is refused at the contract's line.
TEST_F(HostText, ListsOfStrings) {
  contract.attributes[3].type = AttributeType::ListString;
  EXPECT_FALSE(emitHost(op, sources, diagnostics));
  ASSERT_EQ(diagnostics.errorCount(), 1u);
  EXPECT_EQ(diagnostics.all()[0].rule, "host_c1");
  EXPECT_EQ(diagnostics.all()[0].code, Code::E0391);
  EXPECT_THAT(diagnostics.all()[0].message, HasSubstr("'mode' is a list of strings"));
  EXPECT_GT(diagnostics.all()[0].location.line, 0u);
}
