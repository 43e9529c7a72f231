// A file mapped into memory: pages are read on first access, and nothing is copied.
//
// For large files of which little is needed, such as models with their weights. A file that another process shortens
// while it is mapped ends the process with SIGBUS, as for every program that maps files.

#ifndef OPC_RUNTIME_PROGRAM_MODEL_MAPPEDFILE_H
#define OPC_RUNTIME_PROGRAM_MODEL_MAPPEDFILE_H

#include <memory>
#include <string>
#include <string_view>

namespace opc {

class MappedFile {
public:
  /// Maps a regular file for reading. nullptr if that is not possible; then `found` says why ("no such file",
  /// "a folder").
  static std::unique_ptr<MappedFile> open(const std::string &path, std::string &found);
  /// The same for an open file, which remains open.
  static std::unique_ptr<MappedFile> of(int fd, std::string &found);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  /// All bytes of the file; valid as long as this object is.
  std::string_view bytes() const { return {static_cast<const char *>(address), size}; }

private:
  MappedFile(void *address, size_t size) : address(address), size(size) {}
  void *address;
  size_t size;
};

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MODEL_MAPPEDFILE_H
