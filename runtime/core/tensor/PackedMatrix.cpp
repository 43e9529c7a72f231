#include "runtime/core/tensor/PackedMatrix.h"

#include "runtime/program/model/MappedFile.h"
#include "runtime/program/model/PackedWeight.h"
#include "runtime/target/Memories.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace opc {

/// Columns of fractals that are filled side by side. With 32, rows are read in pieces of 1 KB, in two thirds of the
/// time of pieces of 256 bytes. Columns that are a multiple of 512 bytes apart share few sets of a cache, which hold 8.
static constexpr int64_t kMostStreams = 32, kAlignedStreams = 8;
/// Rows that are prefetched before they are packed: each is on a page of its own, so that the hardware follows none.
static constexpr int64_t kRowsAhead = 8;

static int64_t roundUp(int64_t size, int64_t unit) {
  return (size + unit - 1) / unit * unit;
}

/// Prefetches some columns of a row.
static void prefetch(const uint8_t *columns, int64_t count) {
  constexpr int64_t kLine = 64;
  for (int64_t at = 0; at < count * kFractalRowBytes; at += kLine)
    __builtin_prefetch(columns + at);
}

/// Packs some columns of one row.
template <int64_t kStreams>
static void packRow(const uint8_t *row, int64_t rowBytes, int64_t first, int64_t last, uint8_t *to, int64_t pitch) {
  if (last - first == kStreams && last * kFractalRowBytes <= rowBytes) { // written out by the compiler
    for (int64_t column = 0; column < kStreams; ++column)
      std::memcpy(to + column * pitch, row + (first + column) * kFractalRowBytes, kFractalRowBytes);
    return;
  }
  for (int64_t column = first; column < last; ++column, to += pitch) {
    const int64_t begin = column * kFractalRowBytes, bytes = rowBytes - begin;
    if (bytes >= kFractalRowBytes) {
      std::memcpy(to, row + begin, kFractalRowBytes);
      continue;
    }
    const int64_t present = std::max<int64_t>(bytes, 0);
    std::memcpy(to, row + (present ? begin : 0), size_t(present));
    std::memset(to + present, 0, size_t(kFractalRowBytes - present));
  }
}

template <int64_t kStreams>
static void packStreams(const uint8_t *from, int64_t rows, int64_t rowBytes, const PackedTile &tile, uint8_t *to,
                        int64_t pitch) {
  const int64_t present = std::clamp<int64_t>(rows - tile.firstRow, 0, tile.rows);
  const int64_t end = tile.firstColumn + tile.columns;
  for (int64_t first = tile.firstColumn; first < end; first += kStreams) {
    uint8_t *stream = to + (first - tile.firstColumn) * pitch;
    const int64_t last = std::min(first + kStreams, end);
    for (int64_t row = 0; row < present; ++row) {
      const uint8_t *bytesOfRow = from + (tile.firstRow + row) * rowBytes;
      if (row + kRowsAhead < present)
        prefetch(bytesOfRow + kRowsAhead * rowBytes + first * kFractalRowBytes, last - first);
      packRow<kStreams>(bytesOfRow, rowBytes, first, last, stream + row * kFractalRowBytes, pitch);
    }
    for (int64_t column = 0; column < last - first; ++column)
      std::memset(stream + column * pitch + present * kFractalRowBytes, 0,
                  size_t((tile.rows - present) * kFractalRowBytes));
  }
}

void packTile(const void *matrix, int64_t rows, int64_t rowBytes, const PackedTile &tile, void *to, int64_t pitch) {
  constexpr int64_t kFewSets = 512;
  const auto pack = pitch % kFewSets == 0 ? packStreams<kAlignedStreams> : packStreams<kMostStreams>;
  pack(static_cast<const uint8_t *>(matrix), rows, rowBytes, tile, static_cast<uint8_t *>(to), pitch);
}

void packMatrices(const Tensor &matrices, PackedForm form, void *to) {
  if (matrices.numElements() == 0)
    return;
  const Shape shape = *packedMatrices(matrices.shape(), form);
  const int64_t rows = shape[shape.size() - 2], rowBytes = shape.back() * int64_t(elementSize(matrices.type()));
  const int64_t whole = roundUp(rows, kFractalRows), columns = roundUp(rowBytes, kFractalRowBytes) / kFractalRowBytes;
  const auto *from = static_cast<const uint8_t *>(matrices.data());
  auto *bytes = static_cast<uint8_t *>(to);
  for (int64_t left = matrices.numBytes(); left != 0; left -= rows * rowBytes) {
    packTile(from, rows, rowBytes, {0, whole, 0, columns}, bytes, whole * kFractalRowBytes);
    from += rows * rowBytes;
    bytes += whole * columns * kFractalRowBytes;
  }
}

std::optional<Tensor> packedCopy(const Tensor &tensor, PackedForm form) {
  const std::optional<int64_t> bytes = packedBytes(tensor.type(), tensor.shape(), form);
  void *memory = bytes ? std::aligned_alloc(64, size_t(roundUp(*bytes + 1, 64))) : nullptr;
  if (!memory)
    return std::nullopt;
  packMatrices(tensor, form, memory);
  auto release = [](void *, void *memory) { std::free(memory); };
  return Tensor::overPacked(tensor.type(), tensor.shape(), form, memory, {release, nullptr});
}

static bool refuse(Diagnostics &diagnostics, const std::string &path, const std::string &what, const std::string &rule,
                   const std::string &fix) {
  diagnostics.error(Code::E0513, {}, "'" + printablePath(path) + "' " + what, rule, fix);
  return false;
}

bool isPackedFile(const std::string &path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  char magic[kPackedMagic.size()] = {};
  const bool is = fd >= 0 && pread(fd, magic, sizeof magic, 0) == ssize_t(sizeof magic) &&
                  std::string_view(magic, sizeof magic) == kPackedMagic;
  if (fd >= 0)
    close(fd);
  return is;
}

/// Checks that a packed file is the one that a launch needs.
static bool checkPacked(std::string_view bytes, const std::string &path, const std::string &opType,
                        const std::string &input, PackedWeight &weight, Diagnostics &diagnostics) {
  const std::string again = "pack it again, with 'opc pack'";
  if (std::string problem = readPackedHeader(bytes.data(), bytes.size(), weight); !problem.empty())
    return refuse(diagnostics, path, "expects " + problem, {}, again);
  if (weight.opType != opType || weight.input != input)
    return refuse(diagnostics, path,
                  "expects a weight that is packed for '" + printable(input) + "' of '" + printable(opType) +
                      "', found one for '" + printable(weight.input) + "' of '" + printable(weight.opType) + "'",
                  "launch_c21", "pack its .npy file for this operator");
  const std::optional<int64_t> needed = packedBytes(weight.type, weight.shape, weight.form);
  if (needed && *needed == static_cast<int64_t>(bytes.size()) - kPackedStart) {
    const uint64_t sum = packedSum(bytes.data() + kPackedStart, size_t(*needed), kPackedStart);
    return packedChecksum(weight, sum) == weight.checksum ||
           refuse(diagnostics, path, "expects the bytes that were packed, found others: its checksum differs", {},
                  again);
  }
  return refuse(diagnostics, path,
                "expects the bytes of matrices " + shapeText(weight.shape) + " of " +
                    std::string(elementTypeName(weight.type)) + " behind its header, found " +
                    std::to_string(bytes.size() - size_t(kPackedStart)) + " bytes",
                {}, again);
}

std::optional<Tensor> mapPacked(const std::string &path, const std::string &opType, const std::string &input,
                                Diagnostics &diagnostics) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  std::string found = fd >= 0 ? "" : errno == ELOOP ? "it is a symbolic link" : std::strerror(errno);
  std::unique_ptr<MappedFile> mapped = fd >= 0 ? MappedFile::of(fd, found) : nullptr;
  if (fd >= 0)
    close(fd);
  if (!mapped) {
    diagnostics.error(Code::E0600, {}, "cannot read '" + printablePath(path) + "': " + found);
    return std::nullopt;
  }
  PackedWeight weight;
  if (!checkPacked(mapped->bytes(), path, opType, input, weight, diagnostics))
    return std::nullopt;
  // Launches only read it.
  void *matrices = const_cast<char *>(mapped->bytes().data()) + kPackedStart;
  auto unmap = [](void *context, void *) { delete static_cast<MappedFile *>(context); };
  return Tensor::overPacked(weight.type, weight.shape, weight.form, matrices, {unmap, mapped.release()});
}

} // namespace opc
