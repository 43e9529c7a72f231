// entry.json: what a cache entry is, beside the op folder that it lies in.

#ifndef OPC_RUNTIME_CORE_CACHE_ENTRYFILE_H
#define OPC_RUNTIME_CORE_CACHE_ENTRYFILE_H

#include <cstdint>
#include <string>

namespace opc {

struct EntryFile {
  std::string key; ///< KernelKey::text()
  std::string manifestSha256;
  uint64_t bytes = 0; ///< of all files of the op folder
};

std::string writeEntryFile(const EntryFile &entry);
/// The reason of a refusal, empty when all is well.
std::string readEntryFile(const std::string &path, EntryFile &entry);
/// The same of an open file.
std::string readEntryFile(int fd, const std::string &path, EntryFile &entry);

} // namespace opc

#endif // OPC_RUNTIME_CORE_CACHE_ENTRYFILE_H
