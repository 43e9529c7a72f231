// A loaded kernel library (<op>.so). The file is checked before loading, its table after loading.
//
// Loading a shared library can run code and can crash the process, so LibraryFile.h checks the file first: it is
// complete, for this machine, and has no dependencies, initialisers or relocations other than those of a kernel
// library. After loading, every pointer of the table must point into the library's own segments.

#ifndef OPC_RUNTIME_DEVICE_CPU_KERNELLIBRARY_H
#define OPC_RUNTIME_DEVICE_CPU_KERNELLIBRARY_H

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/opc_kernel_library.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// Whether this machine runs code of a level, by its name in manifests ("x86-64-v4").
bool cpuHasLevel(std::string_view level);

class KernelLibrary {
public:
  /// Checks and loads a library; null after reporting E0590, E0591 or E0593.
  static std::shared_ptr<KernelLibrary> open(const std::string &path, Diagnostics &diagnostics);
  KernelLibrary(const KernelLibrary &) = delete;
  KernelLibrary &operator=(const KernelLibrary &) = delete;

  const opc_kernel_library &table() const { return *library; }
  /// The best level that this machine supports.
  const opc_kernel_level &level() const { return *chosen; }
  /// The entry of level() with this name, null when there is none.
  const opc_kernel_entry *find(std::string_view name) const;

private:
  friend class KernelBundle;
  explicit KernelLibrary(std::shared_ptr<void> handle) : handle(std::move(handle)) {}

  std::shared_ptr<void> handle;
  const opc_kernel_library *library = nullptr;
  const opc_kernel_level *chosen = nullptr;
};

/// Libraries of several operators in one file, checked and loaded as one.
class KernelBundle {
public:
  /// Null after reporting E0590, E0591 or E0593.
  static std::shared_ptr<KernelBundle> open(const std::string &path, Diagnostics &diagnostics);
  size_t size() const { return libraries.size(); }
  /// Null where an operator has none.
  const std::shared_ptr<KernelLibrary> &library(size_t place) const { return libraries[place]; }

private:
  std::vector<std::shared_ptr<KernelLibrary>> libraries;
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_KERNELLIBRARY_H
