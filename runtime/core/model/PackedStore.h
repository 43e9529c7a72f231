// Constants of models in the forms of this machine's kernels, in files: packed by the first load, mapped by later ones.
//
//   <folder>/<hash of the key>.opcpacked
//     "OPCF" u32:version
//     u64:checksum        of all that follows (packedSum)
//     string:key          of the model, its form and the kernels: what packed constants depend on
//     u32:steps, each u64:offset u64:bytes   of the plan, in order; 0 bytes: the step keeps nothing
//     zeros up to a page; the constants, each from a page on
//
// Little endian. A file has one name for its key and is written atomically, so processes need no lock: a file that is
// replaced or removed stays mapped. Files are trusted no more than a model folder. Each is compared with its key and
// its checksum when it is opened; kernels read constants as numbers, and only where they would have packed them.

#ifndef OPC_RUNTIME_CORE_MODEL_PACKEDSTORE_H
#define OPC_RUNTIME_CORE_MODEL_PACKEDSTORE_H

#include "runtime/device/Device.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opc {

class PackedStore {
public:
  /// Files of more than `limit` bytes in total are not kept. Less than `least` bytes of constants are not written,
  /// since packing them takes as long as opening a file.
  explicit PackedStore(std::string folder, uint64_t limit, uint64_t least = uint64_t(1) << 20)
      : folder(std::move(folder)), limit(limit), least(least) {}

  const std::string &path() const { return folder; }
  /// The constants of each step; nullopt if there is no file, or after a warning E1021 that names a damaged one.
  std::optional<std::vector<PackedConstant>> open(const std::string &key, size_t steps, Diagnostics &diagnostics) const;
  /// Warns (E1021) that a file does not have what a model expects of it.
  void tellDamage(const std::string &key, const std::string &expected, Diagnostics &diagnostics) const;
  /// Writes a file, and removes the least recently used ones that exceed the limit. A store that cannot be written to
  /// only costs time: nothing is reported.
  void keep(const std::string &key, const std::vector<PackedConstant> &steps) const;

  struct Files {
    size_t files = 0;
    uint64_t bytes = 0;
  };
  Files list() const;
  /// Removes the least recently used files until they take at most `limit` bytes, and what killed writers left. Returns
  /// those that were removed.
  Files purge(uint64_t limit) const;

private:
  std::string fileOf(const std::string &key) const;
  std::string folder;
  uint64_t limit, least;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_MODEL_PACKEDSTORE_H
