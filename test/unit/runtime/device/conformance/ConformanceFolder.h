// An op folder that every device can run, made without a compiler: AddRelu in float32, its simulator program written
// by hand, its kernel library built from C.

#ifndef OPC_TEST_UNIT_RUNTIME_DEVICE_CONFORMANCE_CONFORMANCEFOLDER_H
#define OPC_TEST_UNIT_RUNTIME_DEVICE_CONFORMANCE_CONFORMANCEFOLDER_H

#include "runtime/program/Manifest.h"

#include <string>

namespace opc::test {

/// A folder below the temporary one; gone with the object.
class ConformanceFolder {
public:
  ConformanceFolder();
  ~ConformanceFolder();
  ConformanceFolder(const ConformanceFolder &) = delete;
  ConformanceFolder &operator=(const ConformanceFolder &) = delete;

  const std::string &path() const { return folder; }
  const Manifest &manifest() const { return description; }
  const ManifestKernel &addRelu() const { return description.kernels[0]; }
  /// Its blocks must run in order; in the kernel library alone.
  const ManifestKernel &trail() const { return description.kernels[1]; }

private:
  std::string folder;
  Manifest description;
};

/// block_num = min(ceil(n / 1024), max_blocks), at least 1; tile_length = 1024; block_length; total.
TilingFunction conformanceTiling();

/// The file of the kernel library that the folder has a copy of.
const char *conformanceLibrary();

/// The manifest without files.
Manifest conformanceManifest();

} // namespace opc::test

#endif // OPC_TEST_UNIT_RUNTIME_DEVICE_CONFORMANCE_CONFORMANCEFOLDER_H
