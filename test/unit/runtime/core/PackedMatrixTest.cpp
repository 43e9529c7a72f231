// Matrices in columns of fractals: positions of elements, zeros around them, all cuts into tiles; and invalid files.

#include "runtime/core/tensor/PackedMatrix.h"
#include "runtime/program/model/PackedWeight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace opc;

/// The offset of a byte of a matrix, by the definition: a column of fractals has 32 bytes of each row.
static size_t placeOf(int64_t row, int64_t byte, int64_t wholeRows) {
  return size_t(((byte / 32) * wholeRows + row) * 32 + byte % 32);
}

static std::vector<uint8_t> numbered(int64_t bytes) {
  std::vector<uint8_t> matrix(static_cast<size_t>(bytes));
  for (size_t i = 0; i < matrix.size(); ++i)
    matrix[i] = uint8_t(1 + i % 251); // never 0, which is the padding
  return matrix;
}

TEST(PackedMatrix, HasEachElementAtItsPlace) {
  for (int64_t rows : {1, 15, 16, 17, 40})
    for (int64_t columns : {1, 15, 16, 17, 300}) {
      std::vector<uint8_t> matrix = numbered(rows * columns * 2);
      std::optional<Tensor> tensor = Tensor::over(ElementType::Float16, {rows, columns}, matrix.data());
      std::optional<Tensor> packed = packedCopy(*tensor);
      ASSERT_TRUE(packed);
      const int64_t wholeRows = (rows + 15) / 16 * 16, wholeBytes = (columns * 2 + 31) / 32 * 32;
      ASSERT_EQ(packed->numBytes(), wholeRows * wholeBytes);
      EXPECT_EQ(packed->shape(), Shape({rows, columns}));
      const auto *bytes = static_cast<const uint8_t *>(packed->data());
      for (int64_t row = 0; row < wholeRows; ++row)
        for (int64_t byte = 0; byte < wholeBytes; ++byte) {
          const bool isThere = row < rows && byte < columns * 2;
          EXPECT_EQ(bytes[placeOf(row, byte, wholeRows)], isThere ? matrix[size_t(row * columns * 2 + byte)] : 0)
              << rows << " x " << columns << ": " << row << ", " << byte;
        }
    }
}

// Without it: matrices of a batch share fractals, or begin where others do.
TEST(PackedMatrix, PadsEachMatrixOfABatch) {
  std::vector<uint8_t> elements = numbered(2 * 3 * 5 * 17 * 2);
  std::optional<Tensor> batch = Tensor::over(ElementType::Float16, {2, 3, 5, 17}, elements.data());
  std::optional<Tensor> packed = packedCopy(*batch);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->shape(), batch->shape());
  ASSERT_EQ(packed->numBytes(), 6 * 1024);
  for (size_t matrix = 0; matrix < 6; ++matrix) {
    std::optional<Tensor> one = Tensor::over(ElementType::Float16, {5, 17}, &elements[matrix * 5 * 17 * 2]);
    std::optional<Tensor> alone = packedCopy(*one);
    EXPECT_EQ(std::memcmp(static_cast<const char *>(packed->data()) + matrix * 1024, alone->data(), 1024), 0) << matrix;
  }
}

TEST(PackedMatrix, IsTheSameTileByTile) {
  constexpr int64_t rows = 40, rowBytes = 1100, wholeRows = 48, columns = 35;
  const std::vector<uint8_t> matrix = numbered(rows * rowBytes);
  constexpr int64_t pitch = 16 * 32 + 64;
  std::vector<uint8_t> whole(wholeRows * columns * 32), buffer(columns * pitch);
  packTile(matrix.data(), rows, rowBytes, {0, wholeRows, 0, columns}, whole.data(), wholeRows * 32);
  for (int64_t most : {17, 33}) { // the second one fills 32 columns side by side
    std::vector<uint8_t> tiles(whole.size(), 0xee);
    for (int64_t row = 0; row < wholeRows; row += 16)
      for (int64_t column = 0; column < columns; column += most) {
        const int64_t across = std::min(most, columns - column);
        packTile(matrix.data(), rows, rowBytes, {row, 16, column, across}, buffer.data(), pitch);
        for (int64_t i = 0; i < across; ++i)
          std::memcpy(&tiles[size_t(((column + i) * wholeRows + row) * 32)], &buffer[size_t(i * pitch)], 16 * 32);
      }
    EXPECT_EQ(tiles, whole) << most;
  }
}

TEST(PackedMatrix, HasBytesOfWholeFractals) {
  EXPECT_EQ(packedBytes(ElementType::Float16, {1, 1}), 512);
  EXPECT_EQ(packedBytes(ElementType::Int8, {17, 33}), 32 * 64);
  EXPECT_EQ(packedBytes(ElementType::Float16, {0, 9}), 0);
  EXPECT_EQ(packedBytes(ElementType::Float16, {9, 0}), 0);
  EXPECT_EQ(packedBytes(ElementType::Float16, {9}), std::nullopt);
  EXPECT_EQ(packedBytes(ElementType::Float16, {2, 3, 4}), 2 * 512);
  EXPECT_EQ(packedBytes(ElementType::Float16, {2, 0, 3, 4}), 0);
  EXPECT_EQ(packedBytes(ElementType::Float16, {2, -1, 3, 4}), std::nullopt);
  EXPECT_EQ(packedBytes(ElementType::Float16, {-1, 3}), std::nullopt);
  for (int64_t size : {INT64_MAX, INT64_MAX / 2, INT64_MAX / 16, int64_t(1) << 31}) {
    EXPECT_EQ(packedBytes(ElementType::Float16, {size, size}), std::nullopt);
    EXPECT_EQ(packedBytes(ElementType::Float16, {size, size, 1, 1}), std::nullopt);
    EXPECT_EQ(packedBytes(ElementType::Float64, {1, size * (size > 1 << 30)}).value_or(0) >= 0, true);
  }
}

TEST(PackedMatrix, FiltersAreOneMatrix) {
  std::optional<Tensor> filters = Tensor::create(ElementType::Float16, {19, 5, 3, 3});
  std::optional<Tensor> matrix = Tensor::create(ElementType::Float16, {19, 45});
  for (int64_t i = 0; i < filters->numElements(); ++i)
    static_cast<uint16_t *>(filters->data())[i] = static_cast<uint16_t *>(matrix->data())[i] = uint16_t(i);
  std::optional<Tensor> packed = packedCopy(*filters, PackedForm::Filters), expected = packedCopy(*matrix);
  ASSERT_TRUE(packed && expected);
  EXPECT_EQ(packed->shape(), (Shape{19, 5, 3, 3}));
  EXPECT_EQ(packed->packedForm(), PackedForm::Filters);
  ASSERT_EQ(packed->numBytes(), 32 * 3 * 32);
  ASSERT_EQ(packed->numBytes(), expected->numBytes());
  EXPECT_EQ(std::memcmp(packed->data(), expected->data(), size_t(packed->numBytes())), 0);
  EXPECT_EQ(packedBytes(ElementType::Float16, {7, 0, 3, 3}, PackedForm::Filters), 0);
  EXPECT_EQ(packedBytes(ElementType::Float16, {9}, PackedForm::Filters), std::nullopt);
  EXPECT_EQ(packedBytes(ElementType::Float16, {7, -1, 3, 3}, PackedForm::Filters), std::nullopt);
  EXPECT_EQ(packedBytes(ElementType::Float16, {1, INT64_MAX / 2, 3, 3}, PackedForm::Filters), std::nullopt);
}

namespace {
class PackedFile : public testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::temp_directory_path() / ("opc-packed-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    weight = {"Linear", "b", ElementType::Float16, {3, 5}};
    const std::vector<uint8_t> columns(512, 7);
    weight.checksum = packedChecksum(weight, packedSum(columns.data(), columns.size(), kPackedStart));
    bytes = writePackedHeader(weight);
    bytes.insert(bytes.end(), columns.begin(), columns.end());
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string write(const std::vector<uint8_t> &contents) const {
    const std::string path = (folder / "weight").string();
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char *>(contents.data()), long(contents.size()));
    return path;
  }
  /// The message of the first error, empty when the file is mapped.
  std::string refusal(const std::vector<uint8_t> &contents, const std::string &op = "Linear",
                      const std::string &input = "b") const {
    Diagnostics diagnostics;
    std::optional<Tensor> tensor = mapPacked(write(contents), op, input, diagnostics);
    EXPECT_EQ(tensor.has_value(), !diagnostics.hasErrors());
    return diagnostics.hasErrors() ? diagnostics.all().front().message : "";
  }

  std::filesystem::path folder;
  PackedWeight weight;
  std::vector<uint8_t> bytes;
};
} // namespace

TEST_F(PackedFile, IsMappedAsItIs) {
  Diagnostics diagnostics;
  std::optional<Tensor> tensor = mapPacked(write(bytes), "Linear", "b", diagnostics);
  ASSERT_TRUE(tensor);
  EXPECT_TRUE(tensor->isPacked());
  EXPECT_EQ(tensor->shape(), Shape({3, 5}));
  EXPECT_EQ(tensor->numBytes(), 512);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->data()) % 4096, 0u);
  EXPECT_EQ(static_cast<const uint8_t *>(tensor->data())[511], 7);
  EXPECT_TRUE(isPackedFile(write(bytes)));
}

TEST_F(PackedFile, IsRefusedForAnotherInput) {
  EXPECT_THAT(refusal(bytes, "MatMul"), testing::HasSubstr("found one for 'b' of 'Linear'"));
  EXPECT_THAT(refusal(bytes, "Linear", "bias"), testing::HasSubstr("packed for 'bias' of 'Linear'"));
}

// A file that is too short is not mapped, and of a file with a changed header nothing beyond its end is mapped.
TEST_F(PackedFile, IsRefusedWhenItLies) {
  for (size_t size = 0; size < bytes.size(); size += size < 120 ? 1 : 97)
    EXPECT_NE(refusal({bytes.begin(), bytes.begin() + long(size)}), "") << size;
  std::vector<uint8_t> longer = bytes;
  longer.push_back(0);
  EXPECT_THAT(refusal(longer), testing::HasSubstr("found 513 bytes"));
  // A changed bit is found, whether it is in the header, after it or in the columns.
  for (size_t at = 0; at < bytes.size(); at += at < 80 ? 1 : 97) {
    std::vector<uint8_t> changed = bytes;
    changed[at] ^= uint8_t(1 << at % 8);
    EXPECT_NE(refusal(changed), "") << at;
  }
  // So are words that change places.
  std::vector<uint8_t> changed = bytes;
  changed[kPackedStart] = 8;
  weight.checksum = packedChecksum(weight, packedSum(&changed[kPackedStart], 512, kPackedStart));
  const std::vector<uint8_t> header = writePackedHeader(weight);
  std::copy(header.begin(), header.end(), changed.begin());
  EXPECT_EQ(refusal(changed), "");
  std::swap(changed[kPackedStart], changed[kPackedStart + 8]);
  EXPECT_THAT(refusal(changed), testing::HasSubstr("its checksum differs"));
  constexpr int64_t most = INT64_MAX;
  for (const Shape &shape : {Shape{most, 1}, {most, most}, {1, most}, {most, 1, 1}, {most, most, 3, 5}, {2, 3, 5}}) {
    weight.shape = shape;
    EXPECT_THAT(refusal(writePackedHeader(weight)), testing::HasSubstr("expects the bytes of matrices"));
  }
  weight.shape = {3, -5};
  EXPECT_THAT(refusal(writePackedHeader(weight)), testing::HasSubstr("sizes of 63 bits"));
  for (size_t rank : {size_t(0), size_t(1), kMostPackedRank + 1}) {
    weight.shape.assign(rank, 1);
    EXPECT_THAT(refusal(writePackedHeader(weight)), testing::HasSubstr("expects 2 to 8 dimensions, found"));
  }
}

// Parts may be summed in any order.
TEST_F(PackedFile, ChecksumsAreSumsOfParts) {
  const std::vector<uint8_t> columns = numbered(4096);
  const uint64_t whole = packedSum(columns.data(), 4096, kPackedStart);
  EXPECT_EQ(packedSum(&columns[1024], 3072, kPackedStart + 1024) + packedSum(columns.data(), 1024, kPackedStart),
            whole);
  EXPECT_NE(packedSum(columns.data(), 4096, kPackedStart + 8), whole);
}

// Whole vectors of words and the words that are left have the sums of single words, whatever their number.
TEST_F(PackedFile, ChecksumsOfAnyLengthAreThoseOfTheirWords) {
  const std::vector<uint8_t> columns = numbered(8 * 100);
  uint64_t words = 0;
  for (size_t bytes = 0; bytes <= columns.size() - 8; bytes += 8) {
    EXPECT_EQ(packedSum(columns.data(), bytes, kPackedStart), words) << bytes;
    words += packedSum(&columns[bytes], 8, kPackedStart + int64_t(bytes));
  }
}
