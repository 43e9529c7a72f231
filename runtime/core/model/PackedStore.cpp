#include "runtime/core/model/PackedStore.h"

#include "runtime/core/File.h"
#include "runtime/program/format/ByteStream.h"
#include "runtime/program/format/Sha256.h"
#include "runtime/program/model/MappedFile.h"
#include "runtime/program/model/PackedWeight.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace fs = std::filesystem;

namespace opc {

static constexpr std::string_view kMagic = "OPCF", kExtension = ".opcpacked";
static constexpr uint32_t kVersion = 1;
/// The checksum covers what follows it. Constants begin at pages; their addresses are then aligned for every kernel.
static constexpr uint64_t kSummedFrom = 16, kPage = 4096;
/// Bytes that are written at once. File systems put them on large pages, which launches read faster.
static constexpr size_t kTurn = size_t(1) << 23;
/// More bytes of a file are a lie of a sparse one; sums of smaller numbers do not overflow.
static constexpr uint64_t kMostOfFile = uint64_t(1) << 46;
/// The file of a writer that was killed.
static constexpr std::string_view kUnfinished = ".opc-", kUnfinishedExtension = ".tmp";
static constexpr std::chrono::hours kLongestWrite(1);

static uint64_t roundUp(uint64_t size, uint64_t to) {
  return (size + to - 1) / to * to;
}

std::string PackedStore::fileOf(const std::string &key) const {
  return folder + "/" + sha256(key) + std::string(kExtension);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Takes the constants of an untrusted file of at most `limit` bytes. Returns what it expected and did not find, empty
/// on success.
static std::string readSteps(const std::shared_ptr<MappedFile> &file, uint64_t limit, const std::string &key,
                             size_t steps, std::vector<PackedConstant> &constants) {
  const std::string_view bytes = file->bytes();
  const auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
  if (bytes.size() > limit)
    return "at most as many bytes as the cache holds";
  ByteReader reader(data, bytes.size());
  if (!reader.skipBytes(kMagic) || reader.get<uint32_t>() != kVersion)
    return "packed constants of version " + std::to_string(kVersion);
  const auto checksum = reader.get<uint64_t>();
  if (reader.getString() != key)
    return "those of this model and these kernels";
  if (reader.getCount(16) != steps)
    return "a place for each step of the model";
  uint64_t last = 0;
  for (size_t i = 0; i < steps; ++i) {
    const auto offset = reader.get<uint64_t>(), size = reader.get<uint64_t>();
    if (offset % kPage != 0 || size > bytes.size() || offset > bytes.size() - size)
      return "constants inside of the file";
    last = std::max(last, offset + size);
    if (size != 0)
      constants.push_back({std::shared_ptr<const void>(file, bytes.data() + offset), size});
    else
      constants.emplace_back();
  }
  if (bytes.size() != roundUp(last, kPage))
    return "whole pages up to the last constant";
  if (reader.failed() || packedSum(data + kSummedFrom, bytes.size() - kSummedFrom, kSummedFrom) != checksum)
    return "the bytes that were written: its checksum differs";
  return {};
}

std::optional<std::vector<PackedConstant>> PackedStore::open(const std::string &key, size_t steps,
                                                             Diagnostics &diagnostics) const {
  const std::string path = fileOf(key);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
  // There is no file, or no folder for it.
  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG || errno == EACCES))
    return std::nullopt;
  std::string found = fd < 0 ? std::strerror(errno) : "";
  std::shared_ptr<MappedFile> file = fd < 0 ? nullptr : MappedFile::of(fd, found);
  if (fd >= 0) {
    futimens(fd, nullptr); // the time of last use
    close(fd);
  }
  std::vector<PackedConstant> constants;
  const std::string problem =
      file ? readSteps(file, limit, key, steps, constants) : "a file that can be read: " + found;
  if (problem.empty())
    return constants;
  tellDamage(key, problem, diagnostics);
  return std::nullopt;
}

void PackedStore::tellDamage(const std::string &key, const std::string &expected, Diagnostics &diagnostics) const {
  diagnostics.warning(Code::E1021, {}, "'" + printablePath(fileOf(key)) + "' is packed again: expects " + expected, {},
                      "none is needed; 'opc cache gc --all' removes what cannot be replaced");
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {

/// Where constants go in a file. Steps that share one share its bytes.
struct Layout {
  std::vector<std::pair<uint64_t, uint64_t>> steps; ///< offset, bytes
  std::map<const void *, uint64_t> places;          ///< offset of each constant
  std::vector<const PackedConstant *> order;
  uint64_t begin = 0, end = 0; ///< of all constants
};

} // namespace

static Layout layOut(const std::string &key, const std::vector<PackedConstant> &steps) {
  Layout layout;
  layout.begin = layout.end = roundUp(kSummedFrom + 4 + key.size() + 4 + 16 * steps.size(), kPage);
  for (const PackedConstant &constant : steps) {
    if (!constant.memory) {
      layout.steps.emplace_back(0, 0);
      continue;
    }
    auto [place, isNew] = layout.places.try_emplace(constant.memory.get(), layout.end);
    if (isNew) {
      layout.order.push_back(&constant);
      layout.end = roundUp(layout.end + constant.bytes, kPage);
    }
    layout.steps.emplace_back(place->second, constant.bytes);
  }
  return layout;
}

/// Writes all constants in large parts, with zeros between them, and returns their sum.
static uint64_t writeConstants(AtomicFile &file, const Layout &layout) {
  std::vector<char> turn;
  turn.reserve(kTurn);
  uint64_t at = layout.begin, sum = 0;
  auto flush = [&] {
    sum += packedSum(turn.data(), turn.size(), int64_t(at));
    if (const int error = file.writeAt(turn.data(), turn.size(), int64_t(at)))
      file.fail(error);
    at += turn.size();
    turn.clear();
  };
  for (const PackedConstant *constant : layout.order) {
    const auto *bytes = static_cast<const char *>(constant->memory.get());
    for (size_t done = 0; done < constant->bytes;) {
      const size_t count = std::min(constant->bytes - done, kTurn - turn.size());
      turn.insert(turn.end(), bytes + done, bytes + done + count);
      done += count;
      if (turn.size() == kTurn)
        flush();
    }
    turn.resize(roundUp(turn.size(), kPage));
    if (turn.size() == kTurn)
      flush();
  }
  flush();
  return sum;
}

void PackedStore::keep(const std::string &key, const std::vector<PackedConstant> &steps) const {
  const Layout layout = layOut(key, steps);
  if (layout.end - layout.begin < least || layout.end > limit)
    return;
  purge(limit - layout.end);
  std::error_code error;
  fs::create_directories(folder, error);
  // A link would be followed, and a file that may not be written to would stay.
  const std::string path = fileOf(key);
  fs::remove(path, error);
  Diagnostics ignored;
  std::optional<AtomicFile> file = AtomicFile::create(path, ignored);
  if (!file || file->reserve(int64_t(layout.end)) != 0)
    return;
  uint64_t sum = writeConstants(*file, layout);
  ByteWriter writer;
  writer.putString(key);
  writer.put(uint32_t(steps.size()));
  for (const auto &[offset, bytes] : layout.steps) {
    writer.put(offset);
    writer.put(bytes);
  }
  std::vector<uint8_t> summed = writer.take();
  summed.resize(layout.begin - kSummedFrom);
  sum += packedSum(summed.data(), summed.size(), kSummedFrom);
  ByteWriter head;
  head.putBytes(kMagic);
  head.put(kVersion);
  head.put(sum);
  std::vector<uint8_t> bytes = head.take();
  bytes.insert(bytes.end(), summed.begin(), summed.end());
  if (const int failure = file->writeAt(bytes.data(), bytes.size(), 0))
    file->fail(failure);
  // A file that a power failure damages is found by its checksum.
  (void)file->commitUnflushed(ignored);
}

//===----------------------------------------------------------------------===//
// All files
//===----------------------------------------------------------------------===//

namespace {

struct StoredFile {
  fs::file_time_type used;
  uint64_t bytes = 0;
  fs::path path;
};

} // namespace

/// The files of a store, least recently used first.
static std::vector<StoredFile> filesIn(const std::string &folder) {
  std::vector<StoredFile> files;
  std::error_code error, gone;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() != kExtension || !it->is_regular_file(gone))
      continue;
    StoredFile file{it->last_write_time(gone), std::min<uint64_t>(it->file_size(gone), kMostOfFile), it->path()};
    if (!gone)
      files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const StoredFile &a, const StoredFile &b) { return a.used < b.used; });
  return files;
}

PackedStore::Files PackedStore::list() const {
  Files all;
  for (const StoredFile &file : filesIn(folder)) {
    ++all.files;
    all.bytes += file.bytes;
  }
  return all;
}

/// Removes what killed writers left: with `all`, or an hour after the last byte. Returns its bytes.
static uint64_t removeUnfinished(const std::string &folder, bool all) {
  uint64_t removed = 0;
  std::error_code error, gone;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (it->path().extension() != kUnfinishedExtension || name.compare(0, kUnfinished.size(), kUnfinished) != 0 ||
        !it->is_regular_file(gone))
      continue;
    const fs::file_time_type written = it->last_write_time(gone);
    const uint64_t bytes = std::min<uint64_t>(it->file_size(gone), kMostOfFile);
    if ((all || written < fs::file_time_type::clock::now() - kLongestWrite) && fs::remove(it->path(), gone))
      removed += bytes;
  }
  return removed;
}

PackedStore::Files PackedStore::purge(uint64_t most) const {
  Files removed;
  removed.bytes = removeUnfinished(folder, most == 0);
  const std::vector<StoredFile> files = filesIn(folder);
  uint64_t total = 0;
  for (const StoredFile &file : files)
    total += file.bytes;
  for (const StoredFile &file : files) {
    std::error_code error;
    if (total <= most || !fs::remove(file.path, error))
      continue;
    total -= file.bytes;
    ++removed.files;
    removed.bytes += file.bytes;
  }
  return removed;
}

} // namespace opc
