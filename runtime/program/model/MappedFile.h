// A file in memory as the system maps it: nothing is read before somebody looks at it, and nothing is copied.
//
// For files that are much larger than what is needed of them, such as models with their weights. A file that another
// process shortens while it is mapped ends the process with SIGBUS, as for every program that maps files.

#ifndef OPC_RUNTIME_PROGRAM_MODEL_MAPPEDFILE_H
#define OPC_RUNTIME_PROGRAM_MODEL_MAPPEDFILE_H

#include <memory>
#include <string>
#include <string_view>

namespace opc {

class MappedFile {
public:
  /// Maps a regular file for reading. nullptr when that is not possible; `found` then says what was found instead ("no
  /// such file", "a folder").
  static std::unique_ptr<MappedFile> open(const std::string &path, std::string &found);
  /// Likewise, of an open file, which is left open.
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
