// Op folders that are none, or not whole.

#include "runtime/core/operator/OpFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace opc;
namespace fs = std::filesystem;
using testing::HasSubstr;

namespace {
class OpFolderTest : public testing::Test {
protected:
  void SetUp() override {
    folder = fs::temp_directory_path() / ("opc-folder-" + std::to_string(getpid()));
    fs::create_directories(folder);
    manifest.opType = "Scale";
    manifest.name = "scale";
    manifest.version = "1.0.0";
    manifest.target = "Ascend310B1";
    manifest.body = "aicore";
    manifest.contractSha256 = std::string(64, 'a');
    manifest.files = {{"op_contract.yaml", "69a63652bbf38cdfd6b9abd12b928dbaf80960689074397a2a8603c4a3c35845"}};
    ManifestTensor tensor;
    tensor.name = "x";
    tensor.types = {ElementType::Float32};
    tensor.formats = {"ND"};
    manifest.inputs = {tensor};
    tensor.name = "y";
    manifest.outputs = {tensor};
    std::ofstream(folder / "op_contract.yaml") << "schema: 1\n";
  }
  void TearDown() override { fs::remove_all(folder); }
  void writeManifestFile() { std::ofstream(folder / "manifest.json") << writeManifest(manifest); }
  /// Opens and expects an error.
  void expectError(Code code, const std::string &text) {
    Diagnostics diagnostics;
    EXPECT_FALSE(openOpFolder(folder.string(), diagnostics));
    ASSERT_TRUE(diagnostics.hasErrors());
    EXPECT_EQ(diagnostics.all().front().code, code);
    EXPECT_THAT(diagnostics.all().front().message, HasSubstr(text));
  }
  fs::path folder;
  Manifest manifest;
};
} // namespace

// Without it: a whole folder is refused.
TEST_F(OpFolderTest, Opens) {
  writeManifestFile();
  Diagnostics diagnostics;
  std::optional<OpFolder> opened = openOpFolder(folder.string(), diagnostics);
  ASSERT_TRUE(opened) << (diagnostics.all().empty() ? "" : diagnostics.all().front().message);
  EXPECT_EQ(opened->manifest.opType, "Scale");
}

// Without it: any folder, or none, is taken for an op folder.
TEST_F(OpFolderTest, NeedsAManifest) {
  expectError(Code::E0500, "has no manifest.json");
  std::ofstream(folder / "manifest.json") << "{";
  expectError(Code::E0500, "manifest cannot be taken");
  fs::remove_all(folder);
  expectError(Code::E0500, "is no folder");
}

// Without it: a missing file is found when the kernel starts.
TEST_F(OpFolderTest, FilesAreThere) {
  writeManifestFile();
  fs::remove(folder / "op_contract.yaml");
  expectError(Code::E0501, "is missing");
}

// Without it: a file that was cut short or exchanged is loaded and run.
TEST_F(OpFolderTest, FilesAreThoseThatWereCompiled) {
  writeManifestFile();
  std::ofstream(folder / "op_contract.yaml") << "schema: 2\n";
  expectError(Code::E0501, "is no longer the file that was compiled");
}

// Without it: a link in a folder from somewhere else makes us read any file.
TEST_F(OpFolderTest, LinksOutAreRefused) {
  writeManifestFile();
  fs::remove(folder / "op_contract.yaml");
  fs::create_symlink("/etc/passwd", folder / "op_contract.yaml");
  expectError(Code::E0501, "leads out of the folder");
}

// Without it: what a link out may not lead to is reached by a folder that is a link, or by '..' in one.
TEST_F(OpFolderTest, LinksOutByAFolderAreRefused) {
  writeManifestFile();
  fs::path outside = folder.string() + "-outside";
  fs::create_directories(outside);
  fs::rename(folder / "op_contract.yaml", outside / "op_contract.yaml");
  for (const fs::path &to : {outside, fs::path("..") / outside.filename()}) {
    manifest.files[0].path = "sub/op_contract.yaml";
    writeManifestFile();
    fs::create_directory_symlink(to, folder / "sub");
    expectError(Code::E0501, "leads out of the folder");
    fs::remove(folder / "sub");
  }
  fs::remove_all(outside);
}

// Without it: a folder whose files are links within it, as some package managers lay them out, is refused, or taken
// without its checksum.
TEST_F(OpFolderTest, LinksWithinAreFollowed) {
  writeManifestFile();
  fs::create_directory(folder / "store");
  fs::rename(folder / "op_contract.yaml", folder / "store/contract");
  for (const fs::path &to : {fs::path("store/contract"), folder / "store/contract"}) {
    fs::create_symlink(to, folder / "op_contract.yaml");
    Diagnostics diagnostics;
    EXPECT_TRUE(openOpFolder(folder.string(), diagnostics)) << to;
    std::ofstream(folder / "store/contract") << "schema: 2\n";
    expectError(Code::E0501, "is no longer the file that was compiled");
    std::ofstream(folder / "store/contract") << "schema: 1\n";
    fs::remove(folder / "op_contract.yaml");
  }
}

// Without it: of two checksums for one file only the first is compared.
TEST_F(OpFolderTest, EveryChecksumIsCompared) {
  manifest.files.push_back({"op_contract.yaml", std::string(64, '0')});
  writeManifestFile();
  expectError(Code::E0501, "is no longer the file that was compiled");
}

// Without it: a pipe in place of a file makes us wait for ever.
TEST_F(OpFolderTest, OnlyRegularFiles) {
  writeManifestFile();
  fs::remove(folder / "op_contract.yaml");
  ASSERT_EQ(mkfifo((folder / "op_contract.yaml").c_str(), 0600), 0);
  expectError(Code::E0501, "is no regular file");
  fs::remove(folder / "op_contract.yaml");
  fs::create_directory(folder / "op_contract.yaml");
  expectError(Code::E0501, "is no regular file");
}
