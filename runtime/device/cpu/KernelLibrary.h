// A kernel library (<op>.so) in memory: checked, loaded, its table checked again.
//
// Loading a shared library can run code and can end the process, so a file is looked at before the loader sees it
// (LibraryFile.h): whole, for this machine, without needs, initialisers or relocations that a kernel library lacks.
// After loading, every pointer of the table must lead into the library's own segments.

#ifndef OPC_RUNTIME_DEVICE_CPU_KERNELLIBRARY_H
#define OPC_RUNTIME_DEVICE_CPU_KERNELLIBRARY_H

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/opc_kernel_library.h"

#include <memory>
#include <string>
#include <string_view>

namespace opc {

class KernelLibrary {
public:
  /// nullptr with E0590, E0591 or E0593 when the file cannot be taken.
  static std::shared_ptr<KernelLibrary> open(const std::string &path, Diagnostics &diagnostics);
  ~KernelLibrary();
  KernelLibrary(const KernelLibrary &) = delete;
  KernelLibrary &operator=(const KernelLibrary &) = delete;

  const opc_kernel_library &table() const { return *library; }
  /// The best level that this machine has.
  const opc_kernel_level &level() const { return *chosen; }
  /// Its entry of that name; nullptr when there is none.
  const opc_kernel_entry *find(std::string_view name) const;

private:
  explicit KernelLibrary(void *handle) : handle(handle) {}

  void *handle;
  const opc_kernel_library *library = nullptr;
  const opc_kernel_level *chosen = nullptr;
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_CPU_KERNELLIBRARY_H
