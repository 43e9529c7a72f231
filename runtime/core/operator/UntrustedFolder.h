// A folder that is not trusted: opening its files never leaves it, also not through links.

#ifndef OPC_RUNTIME_CORE_OPERATOR_UNTRUSTEDFOLDER_H
#define OPC_RUNTIME_CORE_OPERATOR_UNTRUSTEDFOLDER_H

#include <string>

namespace opc {

/// An open file or folder, or none.
class FileHandle {
public:
  explicit FileHandle(int fd) : fd(fd) {}
  FileHandle(const FileHandle &) = delete;
  FileHandle &operator=(const FileHandle &) = delete;
  ~FileHandle();
  const int fd; ///< negative: none
};

class UntrustedFolder {
public:
  explicit UntrustedFolder(const std::string &path);
  bool isFolder() const { return folder.fd >= 0; }
  bool has(const char *name) const;
  /// The path of a file in messages, with links resolved.
  std::string shown(const char *name) const;
  /// Opens a file in the folder with the flags of open(2). -1 with the reason in `why` ("is missing", "leads out of the
  /// folder"); with an empty reason errno has it.
  int openInside(const std::string &name, int flags, std::string &why) const;

private:
  int openByWay(const std::string &name, int flags, std::string &why) const;

  const std::string path;
  const FileHandle folder;
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_OPERATOR_UNTRUSTEDFOLDER_H
