// Files of packed constants: what a model takes from one, and files that nobody may take anything from.

#include "runtime/core/model/PackedStore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace opc;
namespace fs = std::filesystem;
using testing::HasSubstr;

namespace {

class PackedStoreTest : public testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "opc-packed-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder); }

  PackedStore store(uint64_t limit = 1 << 20, uint64_t least = 0) const {
    return PackedStore((folder / "store").string(), limit, least);
  }
  static PackedConstant constantOf(std::string text) {
    auto memory = std::make_shared<std::string>(std::move(text));
    return {std::shared_ptr<const void>(memory, memory->data()), memory->size()};
  }
  static std::string textOf(const PackedConstant &constant) {
    return {static_cast<const char *>(constant.memory.get()), constant.bytes};
  }
  /// The only file.
  fs::path file() const { return fs::directory_iterator(folder / "store")->path(); }
  std::string read() const {
    std::ifstream in(file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  /// Whether the store refuses a file, by name.
  bool refuses(const std::string &key, size_t steps) {
    diagnostics = Diagnostics();
    return !store().open(key, steps, diagnostics) && diagnostics.all().size() == 1 &&
           diagnostics.all().front().code == Code::E1021 && !diagnostics.hasErrors() &&
           diagnostics.all().front().message.find(file().filename().string()) != std::string::npos;
  }

  fs::path folder;
  Diagnostics diagnostics;
};

} // namespace

// Without it: constants are another step's, or are lost, or are stored for each step that shares them; or a file that
// was removed takes its memory with it.
TEST_F(PackedStoreTest, KeepsWhatEachStepHas) {
  const PackedConstant large = constantOf(std::string(10000, 'a')), small = constantOf("12345678901");
  const std::vector<PackedConstant> steps = {large, {}, small, large};
  EXPECT_FALSE(store().open("key", 4, diagnostics));
  store().keep("key", steps);
  std::optional<std::vector<PackedConstant>> found = store().open("key", 4, diagnostics);
  ASSERT_TRUE(found);
  EXPECT_TRUE(diagnostics.all().empty());
  EXPECT_EQ(fs::file_size(file()), 4096u + 12288 + 4096);
  fs::remove_all(folder / "store");
  ASSERT_EQ(found->size(), 4u);
  for (size_t i : {0, 2, 3}) {
    EXPECT_EQ(textOf((*found)[i]), textOf(steps[i])) << i;
    EXPECT_EQ(reinterpret_cast<uintptr_t>((*found)[i].memory.get()) % 64, 0u) << i;
  }
  EXPECT_FALSE((*found)[1].memory);
  EXPECT_EQ((*found)[0].memory.get(), (*found)[3].memory.get());
}

// Without it: parts that are written at once lose their order, or zeros between them.
TEST_F(PackedStoreTest, ConstantsOfSeveralParts) {
  std::string text(20000001, 0);
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = char(i * 31 >> 7);
  store(1 << 26).keep("key", {constantOf("first"), constantOf(text), constantOf("last")});
  std::optional<std::vector<PackedConstant>> found = store(1 << 26).open("key", 3, diagnostics);
  ASSERT_TRUE(found);
  EXPECT_EQ(textOf((*found)[0]), "first");
  EXPECT_TRUE(textOf((*found)[1]) == text);
  EXPECT_EQ(textOf((*found)[2]), "last");
}

// Without it: a model computes with bytes that were not written for it, or reads outside of a file.
TEST_F(PackedStoreTest, FilesThatAreNotWhatWasWritten) {
  store().keep("key", {constantOf(std::string(100, 'a')), {}, constantOf("b")});
  ASSERT_TRUE(store().open("key", 3, diagnostics));
  EXPECT_TRUE(refuses("key", 2));
  const std::string whole = read();
  const fs::path place = file();
  auto write = [&](const std::string &bytes) { std::ofstream(place, std::ios::binary) << bytes; };
  // A bit of each byte of the header, and some after it: a single change always changes the checksum.
  for (size_t byte = 0; byte < whole.size(); byte += byte < 80 ? 1 : 997) {
    std::string bytes = whole;
    bytes[byte] = char(bytes[byte] ^ 1 << byte % 8);
    write(bytes);
    ASSERT_TRUE(refuses("key", 3)) << byte;
  }
  for (size_t size : {size_t(0), size_t(1), size_t(20), size_t(4096), whole.size() - 4096, whole.size() - 1}) {
    write(whole.substr(0, size));
    ASSERT_TRUE(refuses("key", 3)) << size;
  }
  write(whole + std::string(4096, 0));
  EXPECT_TRUE(refuses("key", 3));
  fs::remove(place);
  fs::create_directory(place);
  EXPECT_TRUE(refuses("key", 3));
  fs::remove(place);
  std::ofstream(folder / "elsewhere", std::ios::binary) << whole;
  fs::create_symlink(folder / "elsewhere", place);
  EXPECT_TRUE(refuses("key", 3));
  store().keep("key", {constantOf("1"), constantOf("2"), constantOf("3")});
  EXPECT_TRUE(store().open("key", 3, diagnostics)) << "a file takes the place of a link";
  EXPECT_EQ(fs::file_size(folder / "elsewhere"), whole.size());
  fs::copy(place, folder / "store/other.opcpacked");
  store().keep("other key", {constantOf("4")});
  fs::path second;
  for (const auto &each : fs::directory_iterator(folder / "store"))
    if (each.path() != place && each.path().filename() != "other.opcpacked")
      second = each.path();
  fs::copy_file(second, place, fs::copy_options::overwrite_existing);
  diagnostics = Diagnostics();
  EXPECT_FALSE(store().open("key", 1, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_THAT(diagnostics.all().front().message, HasSubstr("of this model"));
}

// Without it: files exceed the limit, or the one that was used last is removed, or small models write files.
TEST_F(PackedStoreTest, Limits) {
  const std::vector<PackedConstant> steps = {constantOf(std::string(8192, 'a'))}; // a file of 12288
  store(20000).keep("first", steps);
  EXPECT_EQ(store().list().files, 1u);
  fs::last_write_time(file(), fs::file_time_type::clock::now() - std::chrono::hours(2));
  const fs::path first = file();
  store(25000).keep("second", steps);
  EXPECT_EQ(store().list().bytes, 2 * 12288u);
  for (const auto &each : fs::directory_iterator(folder / "store"))
    if (each.path() != first)
      fs::last_write_time(each.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  ASSERT_TRUE(store().open("first", 1, diagnostics));
  store(25000).keep("third", steps);
  EXPECT_EQ(store().list().files, 2u);
  EXPECT_TRUE(store().open("first", 1, diagnostics)) << "used after the second";
  EXPECT_FALSE(store().open("second", 1, diagnostics));
  store(12000).keep("fourth", steps);
  EXPECT_FALSE(store().open("fourth", 1, diagnostics));
  EXPECT_EQ(store().list().files, 2u) << "what is too large removes nothing";
  store(1 << 20, 8193).keep("fifth", steps);
  EXPECT_FALSE(store().open("fifth", 1, diagnostics));
  std::ofstream(folder / "store/note.txt") << "not a file of the store";
  EXPECT_EQ(store().purge(0).bytes, 2 * 12288u);
  EXPECT_EQ(store().list().files, 0u);
  EXPECT_TRUE(fs::exists(folder / "store/note.txt"));
  store(0).keep("none", {});
  EXPECT_TRUE(diagnostics.all().empty());
}
