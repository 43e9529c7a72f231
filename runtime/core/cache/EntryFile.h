// entry.json: the description of a cache entry, next to the files of its op folder.

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
/// Reads entry.json. Returns the error, empty on success.
std::string readEntryFile(const std::string &path, EntryFile &entry);
/// Reads an open file; `path` names it in messages.
std::string readEntryFile(int fd, const std::string &path, EntryFile &entry);

} // namespace opc

#endif // OPC_RUNTIME_CORE_CACHE_ENTRYFILE_H
