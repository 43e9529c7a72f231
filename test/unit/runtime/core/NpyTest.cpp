// The .npy reader against files that lie, and reader and writer against each other.

#include "runtime/core/tensor/Npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace opc;
using testing::HasSubstr;

static std::string header(const std::string &dictionary, char version = 1) {
  std::string text("\x93NUMPY", 6);
  text += version;
  text += '\0';
  text += char(dictionary.size() & 0xff);
  text += char(dictionary.size() >> 8);
  if (version > 1)
    text += std::string(2, '\0');
  return text + dictionary;
}

static std::string dictionary(const std::string &descr, const std::string &shape, const std::string &order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

static std::string refusal(const std::string &bytes) {
  NpyHeader parsed;
  return parseNpyHeader(bytes.data(), bytes.size(), parsed);
}

namespace {
class NpyFile : public testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("opc-npy-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string path(const std::string &name) const { return (folder / name).string(); }
  std::string write(const std::string &name, const std::string &bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  /// The code of the first error when a file of these bytes is read; E0900 when it is taken.
  Code code(const std::string &bytes, bool asBFloat16 = false) {
    Diagnostics diagnostics;
    std::optional<Tensor> tensor = readNpy(write("x.npy", bytes), asBFloat16, diagnostics);
    EXPECT_EQ(tensor.has_value(), !diagnostics.hasErrors());
    return diagnostics.hasErrors() ? diagnostics.all().front().code : Code::E0900;
  }
  std::filesystem::path folder;
};
} // namespace

// Without it: an ordinary file of NumPy is refused, or its shape read wrongly.
TEST(NpyHeader, ReadsWhatNumPyWrites) {
  NpyHeader parsed;
  std::string bytes = header(dictionary("'<f4'", "(3, 4)"));
  EXPECT_EQ(parseNpyHeader(bytes.data(), bytes.size(), parsed), "");
  EXPECT_EQ(parsed.type, ElementType::Float32);
  EXPECT_EQ(parsed.shape, (Shape{3, 4}));
  EXPECT_EQ(parsed.dataOffset, bytes.size());
}

// Without it: rank 0 and rank 1 tuples, which Python writes in two special ways, are lost.
TEST(NpyHeader, ReadsTuplesOfAnyRank) {
  NpyHeader parsed;
  for (const auto &[text, shape] : {std::pair<std::string, Shape>{"()", {}}, {"(5,)", {5}}, {"(0, 7)", {0, 7}}}) {
    std::string bytes = header(dictionary("'<f2'", text));
    EXPECT_EQ(parseNpyHeader(bytes.data(), bytes.size(), parsed), "") << text;
    EXPECT_EQ(parsed.shape, shape);
  }
}

// Without it: versions 2 and 3, with their longer prefix, are read at the wrong offset.
TEST(NpyHeader, ReadsLaterVersions) {
  NpyHeader parsed;
  for (char version : {2, 3}) {
    std::string bytes = header(dictionary("'|u1'", "(2,)"), version);
    EXPECT_EQ(parseNpyHeader(bytes.data(), bytes.size(), parsed), "");
    EXPECT_EQ(parsed.dataOffset, bytes.size());
  }
  EXPECT_THAT(refusal(header(dictionary("'|u1'", "(2,)"), 9)), HasSubstr("version 9.0"));
}

// Without it: a prefix of a file reads past its end.
TEST(NpyHeader, RefusesEveryPrefix) {
  std::string bytes = header(dictionary("'<f4'", "(3, 4)"));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(refusal(bytes.substr(0, size)), "") << size;
}

// Without it: data is taken with the wrong meaning instead of being refused by name.
TEST(NpyHeader, RefusesWhatItCannotMean) {
  EXPECT_THAT(refusal(header(dictionary("'>f4'", "(3,)"))), HasSubstr("big-endian"));
  EXPECT_THAT(refusal(header(dictionary("'|O'", "(3,)"))), HasSubstr("Python objects"));
  EXPECT_THAT(refusal(header(dictionary("'<c8'", "(3,)"))), HasSubstr("taken are"));
  EXPECT_THAT(refusal(header(dictionary("[('a', '<f4')]", "(3,)"))), HasSubstr("records"));
  EXPECT_THAT(refusal(header(dictionary("'<f4'", "(3, 4)", "True"))), HasSubstr("column-major"));
  EXPECT_THAT(refusal(header(dictionary("''", "(3,)"))), HasSubstr("no element type"));
}

// Without it: a damaged header crashes the parser or gives a shape that nobody wrote.
TEST(NpyHeader, RefusesDamage) {
  EXPECT_THAT(refusal(header("{'descr': '<f4'")), HasSubstr("does not end"));
  EXPECT_THAT(refusal(header("{'descr': '<f4', 'fortran_order': False, }\n")), HasSubstr("lacks"));
  EXPECT_THAT(refusal(header(dictionary("'<f4'", "(3"))), testing::Not(""));
  EXPECT_THAT(refusal(header(dictionary("'<f4'", "(-3,)"))), HasSubstr("no size"));
  EXPECT_THAT(refusal(header(dictionary("'<f4'", "(99999999999999999999,)"))), HasSubstr("63 bits"));
  EXPECT_THAT(refusal(header(dictionary("'<f4'", "(3,)") + "x")), HasSubstr("goes on"));
  EXPECT_THAT(refusal(header("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}\n")),
              HasSubstr("twice"));
  EXPECT_THAT(refusal(header("import os\n")), HasSubstr("no dictionary"));
  std::string many = "(";
  for (int i = 0; i < 100; ++i)
    many += "1, ";
  EXPECT_THAT(refusal(header(dictionary("'<f4'", many + ")"))), HasSubstr("rank"));
}

// Without it: a header that claims 4 GiB is read, or asked memory for.
TEST(NpyHeader, RefusesLongHeaders) {
  std::string bytes = header(dictionary("'<f4'", "(3,)"), 2);
  bytes[10] = bytes[11] = '\x7f';
  EXPECT_THAT(refusal(bytes), HasSubstr("claims"));
}

// Without it: any change of one byte could crash the reader.
TEST(NpyHeader, SurvivesEveryByteFlip) {
  std::string bytes = header(dictionary("'<f4'", "(3, 4)"));
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[at] = char(damaged[at] ^ (1 << bit));
      NpyHeader parsed;
      if (parseNpyHeader(damaged.data(), damaged.size(), parsed).empty()) {
        EXPECT_LE(parsed.dataOffset, damaged.size());
      }
    }
}

// Without it: elements are lost or added silently at the end of a file.
TEST_F(NpyFile, LengthMustFit) {
  std::string bytes = header(dictionary("'<f4'", "(3,)"));
  EXPECT_EQ(code(bytes + std::string(12, '\0')), Code::E0900);
  EXPECT_EQ(code(bytes + std::string(11, '\0')), Code::E0511);
  EXPECT_EQ(code(bytes + std::string(13, '\0')), Code::E0511);
  EXPECT_EQ(code(bytes), Code::E0511);
  EXPECT_EQ(code(""), Code::E0510);
}

// Without it: a product that wraps around passes the length check, or terabytes are asked for.
TEST_F(NpyFile, HugeShapesAreRefusedBeforeMemory) {
  EXPECT_EQ(code(header(dictionary("'<f4'", "(4611686018427387904, 4)"))), Code::E0511);
  EXPECT_EQ(code(header(dictionary("'<f4'", "(2305843009213693952,)"))), Code::E0511);
  EXPECT_EQ(code(header(dictionary("'<f4'", "(1000000000000,)"))), Code::E0511);
  // A zero hides the product of the others.
  EXPECT_EQ(code(header(dictionary("'<f4'", "(4611686018427387904, 4, 0)"))), Code::E0900);
}

// Without it: bfloat16 has no way in, or any two bytes pass for it.
TEST_F(NpyFile, Bfloat16) {
  std::string two(2, '\0');
  EXPECT_EQ(code(header(dictionary("'<u2'", "(1,)")) + two, true), Code::E0900);
  EXPECT_EQ(code(header(dictionary("'<V2'", "(1,)")) + two, true), Code::E0900);
  EXPECT_EQ(code(header(dictionary("'<V2'", "(1,)")) + two), Code::E0900);
  EXPECT_EQ(code(header(dictionary("'<f2'", "(1,)")) + two, true), Code::E0510);
}

// Without it: a bool of 2 reaches kernels that count on 0 and 1.
TEST_F(NpyFile, BoolsAreZeroOrOne) {
  std::string bytes = header(dictionary("'|b1'", "(2,)"));
  EXPECT_EQ(code(bytes + std::string("\0\1", 2)), Code::E0900);
  EXPECT_EQ(code(bytes + std::string("\0\2", 2)), Code::E0512);
}

// Without it: a missing file, a folder or a pipe crashes or hangs the reader.
TEST_F(NpyFile, UnreadableFiles) {
  mkfifo(path("pipe").c_str(), 0600);
  for (const std::string &name : {path("missing.npy"), folder.string(), path("pipe")}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(readNpy(name, false, diagnostics));
    EXPECT_EQ(diagnostics.exitCode(), ExitCode::Environment);
  }
}

// Without it: what one run writes the next one cannot read, for some type or rank.
TEST_F(NpyFile, RoundTrip) {
  for (unsigned t = 0; t < kNumElementTypes; ++t)
    for (const Shape &shape : {Shape{}, Shape{0}, Shape{7}, Shape{2, 0, 3}, Shape{3, 5}}) {
      auto type = static_cast<ElementType>(t);
      std::optional<Tensor> tensor = Tensor::create(type, shape);
      ASSERT_TRUE(tensor);
      for (int64_t i = 0; i < tensor->numBytes(); ++i)
        static_cast<uint8_t *>(tensor->data())[i] = uint8_t(i % 2);
      Diagnostics diagnostics;
      {
        std::optional<AtomicFile> file = AtomicFile::create(path("y.npy"), diagnostics);
        ASSERT_TRUE(file);
        writeNpy(*file, *tensor);
        ASSERT_TRUE(file->commit(diagnostics));
      }
      std::optional<Tensor> read = readNpy(path("y.npy"), false, diagnostics);
      ASSERT_TRUE(read) << elementTypeName(type);
      EXPECT_EQ(read->type(), type);
      EXPECT_EQ(read->shape(), shape);
      EXPECT_EQ(std::memcmp(read->data(), tensor->data(), size_t(tensor->numBytes())), 0);
    }
}

// Without it: elements do not start on 64 bytes, which NumPy promises to those who map files.
TEST(NpyHeader, DataIsAligned) {
  for (const Shape &shape : {Shape{}, Shape{1}, Shape{1, 2, 3, 4, 5, 6, 7, 8}})
    EXPECT_EQ(npyHeader(ElementType::Float16, shape).size() % 64, 0u);
}
