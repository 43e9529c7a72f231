#include "tools/opc/pack/PackFile.h"

#include "runtime/core/launch/LaunchShapes.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/core/tensor/PackedMatrix.h"
#include "runtime/program/model/MappedFile.h"
#include "runtime/target/Memories.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace opc::tool {

static int64_t roundUp(int64_t size, int64_t unit) {
  return (size + unit - 1) / unit * unit;
}

namespace {
/// Packs matrices of one size from a mapped file into a packed file, with several threads.
class Packing {
public:
  Packing(const uint8_t *matrices, int64_t count, int64_t rows, int64_t rowBytes, AtomicFile &file)
      : matrices(matrices), count(count), rows(rows), rowBytes(rowBytes), wholeRows(roundUp(rows, kFractalRows)),
        columns(roundUp(rowBytes, kFractalRowBytes) / kFractalRowBytes), tileRows(std::min(kMostRows, wholeRows)),
        tileColumns(std::min(columns, std::max<int64_t>(kTileBytes / (tileRows * kFractalRowBytes), 1))),
        firstRows(tileRows < wholeRows ? tileRows - kPackedStart / kFractalRowBytes : tileRows),
        down(1 + (wholeRows - firstRows + tileRows - 1) / tileRows),
        tilesOfOne(down * ((columns + tileColumns - 1) / tileColumns)),
        atOnce(tilesOfOne == 1 ? std::clamp<int64_t>(kTileBytes / bytesOfOne(), 1, count) : 1),
        // Columns that are written one by one are apart by other than a power of two, or they shared lines of a cache.
        pitch(tileRows * kFractalRowBytes + (tileRows < wholeRows ? 64 : 0)), file(file) {}

  /// Returns errno of the first write that failed, 0 on success, ECANCELED if `progress` ended the work.
  int run(const PackProgress &progress);
  /// The sum of the columns, after run.
  uint64_t checksum() const { return sum; }

private:
  /// A tile takes 2 MB, to stay in a cache. A column of it is one write, and columns with all rows are one together, as
  /// are small matrices: the system has less to do for large ones. With 2048 rows at most, pieces of 1 KB of each row
  /// are read; of higher tiles they are so short that reading takes longer.
  static constexpr int64_t kTileBytes = 2 << 20, kMostRows = 2048;
  /// Tiles that are packed or wait to be written: what a shared cache holds, and enough for a writer that waits for its
  /// core.
  static constexpr int64_t kBuffers = 8;

  /// A packed tile: pieces of a file. The first begins at a block of 32 bytes of the matrices, each other one column
  /// later.
  struct Packed {
    std::unique_ptr<uint8_t[]> buffer;
    int64_t pieces = 0, bytes = 0, block = 0; ///< `bytes` of each piece
  };

  void work();
  std::unique_ptr<uint8_t[]> takeBuffer();
  void handOver(Packed packed);
  int write(const Packed &packed);
  Packed pack(int64_t number, std::unique_ptr<uint8_t[]> buffer);
  Packed packWhole(int64_t number, std::unique_ptr<uint8_t[]> buffer);
  int64_t bytesOfOne() const { return wholeRows * columns * kFractalRowBytes; }
  int64_t offsetOf(const Packed &packed, int64_t piece) const {
    return kPackedStart + (packed.block + piece * wholeRows) * kFractalRowBytes;
  }

  const uint8_t *matrices;
  const int64_t count, rows, rowBytes, wholeRows, columns, tileRows, tileColumns;
  /// Rows of the first of several tiles below each other: the pieces of the others begin at a multiple of their size if
  /// columns take one. The system keeps such a piece as one block of memory, and writes it in half the time.
  const int64_t firstRows;
  const int64_t down, tilesOfOne;
  const int64_t atOnce; ///< matrices that are written together
  const int64_t pitch;
  AtomicFile &file;
  std::atomic<int64_t> next{0}, written{0};
  std::atomic<uint64_t> sum{0};
  std::atomic<int> error{0};

  std::mutex mutex; ///< of the following
  std::condition_variable freed;
  std::vector<std::unique_ptr<uint8_t[]>> buffers; ///< that nobody uses
  int64_t allocated = 0;
  std::deque<Packed> ready; ///< to write
  bool isWriting = false;   ///< by one of the threads
};
} // namespace

/// A buffer for a tile, of which there are at most kBuffers; waits for one. nullptr if memory is short.
std::unique_ptr<uint8_t[]> Packing::takeBuffer() {
  std::unique_lock<std::mutex> lock(mutex);
  freed.wait(lock, [&] { return !buffers.empty() || allocated < kBuffers; });
  if (buffers.empty()) {
    ++allocated;
    return std::unique_ptr<uint8_t[]>(new (std::nothrow) uint8_t[size_t(atOnce * tileColumns * pitch)]);
  }
  std::unique_ptr<uint8_t[]> buffer = std::move(buffers.back());
  buffers.pop_back();
  return buffer;
}

int Packing::write(const Packed &packed) {
  for (int64_t piece = 0; piece < packed.pieces; ++piece)
    if (int failed = file.writeAt(&packed.buffer[size_t(piece * pitch)], size_t(packed.bytes), offsetOf(packed, piece)))
      return failed;
  written += packed.pieces * packed.bytes;
  return 0;
}

/// Has a tile written: by the thread that writes already, or else by this one, which then writes what others hand over
/// meanwhile. A system writes one piece of a file at a time. So one thread writes as long as there is something, and
/// the others pack: none waits for its turn, or for a core to continue on.
void Packing::handOver(Packed packed) {
  std::unique_lock<std::mutex> lock(mutex);
  ready.push_back(std::move(packed));
  if (isWriting)
    return;
  isWriting = true;
  while (!ready.empty()) {
    Packed first = std::move(ready.front());
    ready.pop_front();
    lock.unlock();
    if (error == 0)
      if (int failed = write(first))
        error = failed;
    lock.lock();
    buffers.push_back(std::move(first.buffer));
    freed.notify_one();
  }
  isWriting = false;
}

/// Some whole matrices, of which each is a tile.
Packing::Packed Packing::packWhole(int64_t number, std::unique_ptr<uint8_t[]> buffer) {
  const int64_t first = number * atOnce, last = std::min(first + atOnce, count);
  for (int64_t matrix = first; matrix < last; ++matrix)
    packTile(matrices + matrix * rows * rowBytes, rows, rowBytes, {0, wholeRows, 0, columns},
             &buffer[size_t((matrix - first) * bytesOfOne())], pitch);
  return {std::move(buffer), 1, (last - first) * bytesOfOne(), first * wholeRows * columns};
}

Packing::Packed Packing::pack(int64_t number, std::unique_ptr<uint8_t[]> buffer) {
  if (tilesOfOne == 1)
    return packWhole(number, std::move(buffer));
  const int64_t matrix = number / tilesOfOne;
  number %= tilesOfOne;
  // Tiles below each other follow each other, so that a column of the file is written from its first byte to its last.
  PackedTile tile;
  const int64_t above = number % down;
  tile.firstRow = above == 0 ? 0 : firstRows + (above - 1) * tileRows;
  tile.rows = std::min(above == 0 ? firstRows : tileRows, wholeRows - tile.firstRow);
  tile.firstColumn = number / down * tileColumns;
  tile.columns = std::min(tileColumns, columns - tile.firstColumn);
  packTile(matrices + matrix * rows * rowBytes, rows, rowBytes, tile, buffer.get(), pitch);
  const bool isWhole = tile.rows == wholeRows; // the columns follow each other in the file as in the buffer
  return {std::move(buffer), isWhole ? 1 : tile.columns, tile.rows * kFractalRowBytes * (isWhole ? tile.columns : 1),
          (matrix * columns + tile.firstColumn) * wholeRows + tile.firstRow};
}

void Packing::work() {
  const int64_t tiles = tilesOfOne == 1 ? (count + atOnce - 1) / atOnce : count * tilesOfOne;
  for (int64_t number; error == 0 && (number = next++) < tiles;) {
    std::unique_ptr<uint8_t[]> buffer = takeBuffer();
    if (!buffer) {
      error = ENOMEM;
      return;
    }
    Packed packed = pack(number, std::move(buffer));
    for (int64_t piece = 0; piece < packed.pieces; ++piece)
      sum += packedSum(&packed.buffer[size_t(piece * pitch)], size_t(packed.bytes), offsetOf(packed, piece));
    handOver(std::move(packed));
  }
}

int Packing::run(const PackProgress &progress) {
  const int64_t total = count * bytesOfOne();
  const unsigned wanted = std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
  std::atomic<unsigned> left{wanted};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < wanted; ++i)
    threads.emplace_back([&] {
      work();
      --left;
    });
  while (left != 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (!progress(written, total))
      error = ECANCELED;
  }
  for (std::thread &thread : threads)
    thread.join();
  return error;
}

static bool refuse(Diagnostics &diagnostics, const std::string &path, const std::string &what,
                   const std::string &fix = {}) {
  diagnostics.error(Code::E0513, {}, "'" + printablePath(path) + "' " + what, {}, fix);
  return false;
}

/// Whether an input with these dimensions can have the shape, whatever the other inputs are.
static bool canHave(const std::vector<ManifestDim> &dims, const Shape &shape) {
  auto isPack = [](const ManifestDim &dim) { return dim.kind == ManifestDim::Pack; };
  const size_t packs = size_t(std::count_if(dims.begin(), dims.end(), isPack)), single = dims.size() - packs;
  if (packs != 0 ? shape.size() < single : shape.size() != single)
    return false;
  size_t at = 0;
  for (const ManifestDim &dim : dims)
    if (isPack(dim))
      at += shape.size() - single;
    else if (const int64_t size = shape[at++]; dim.kind == ManifestDim::Fixed && size != dim.size)
      return false;
  return true;
}

/// Reads and checks the header of a mapped .npy file.
static bool readMatrices(std::string_view bytes, const std::string &path, bool asBFloat16, const ManifestTensor &input,
                         const std::vector<ElementType> &types, PackedForm form, NpyHeader &header,
                         Diagnostics &diagnostics) {
  if (std::string problem = parseNpyHeader(bytes.data(), bytes.size(), header); !problem.empty()) {
    const bool isPacked = bytes.substr(0, kPackedMagic.size()) == kPackedMagic;
    diagnostics.error(Code::E0510, {},
                      "'" + printablePath(path) +
                          "' is no .npy file that can be taken: " + (isPacked ? "it is packed already" : problem),
                      {}, isPacked ? "name the .npy file that it was packed from, or give this one to 'opc run'" : "");
    return false;
  }
  if (asBFloat16 && header.type == ElementType::UInt16)
    header.type = ElementType::BFloat16;
  if (header.shape.size() < 2 || header.shape.size() > kMostPackedRank)
    return refuse(diagnostics, path, "is expected to have matrices, found the shape " + shapeText(header.shape));
  if (!canHave(input.shape, header.shape))
    return refuse(diagnostics, path,
                  "expects the shape " + dimsText(input.shape) + " of '" + printable(input.name) + "', found " +
                      shapeText(header.shape));
  if (std::find(types.begin(), types.end(), header.type) == types.end()) {
    std::string names;
    for (ElementType type : types)
      names += (names.empty() ? "" : " or ") + std::string(elementTypeName(type));
    return refuse(diagnostics, path,
                  "expects elements of " + names + ", found " + std::string(elementTypeName(header.type)),
                  "convert it; bfloat16 in a .npy of uint16 is FILE.npy:bf16");
  }
  const std::optional<int64_t> elements = checkedElements(header.shape, elementSize(header.type));
  const std::optional<int64_t> packed = packedBytes(header.type, header.shape, form);
  const auto present = static_cast<int64_t>(bytes.size() - header.dataOffset);
  if (elements && packed && *packed < INT64_MAX - kPackedStart &&
      *elements * int64_t(elementSize(header.type)) == present)
    return true;
  diagnostics.error(Code::E0511, {},
                    "'" + printablePath(path) + "': shape " + shapeText(header.shape) + " of " +
                        std::string(elementTypeName(header.type)) + " has another length than the " +
                        std::to_string(present) + " bytes of elements that are there");
  return false;
}

bool packFile(const std::string &npy, bool asBFloat16, const ManifestTensor &input,
              const std::vector<ElementType> &types, PackedWeight &weight, AtomicFile &file,
              const PackProgress &progress, Diagnostics &diagnostics) {
  std::string found;
  std::unique_ptr<MappedFile> mapped = MappedFile::open(npy, found);
  if (!mapped) {
    diagnostics.error(Code::E0600, {}, "cannot read '" + printablePath(npy) + "': " + found);
    return false;
  }
  NpyHeader header;
  if (!readMatrices(mapped->bytes(), npy, asBFloat16, input, types, weight.form, header, diagnostics))
    return false;
  weight.type = header.type;
  weight.shape = header.shape;
  // Space for the whole file first, so that a full disk is reported at once.
  const int64_t bytes = *packedBytes(header.type, header.shape, weight.form);
  int error = file.reserve(kPackedStart + bytes);
  uint64_t sum = 0;
  if (error == 0 && bytes != 0) {
    const Shape shape = *packedMatrices(header.shape, weight.form);
    const int64_t rows = shape[shape.size() - 2], columns = shape.back();
    const int64_t count = *checkedElements(header.shape) / (rows * columns);
    const auto *matrices = reinterpret_cast<const uint8_t *>(mapped->bytes().data()) + header.dataOffset;
    Packing packing(matrices, count, rows, columns * int64_t(elementSize(header.type)), file);
    error = packing.run(progress);
    sum = packing.checksum();
  }
  weight.checksum = packedChecksum(weight, sum);
  const std::vector<uint8_t> head = writePackedHeader(weight);
  if (error == 0)
    error = file.writeAt(head.data(), head.size(), 0);
  if (error == 0)
    return true;
  if (error != ECANCELED)
    file.fail(error);
  file.failed(diagnostics);
  return false;
}

} // namespace opc::tool
