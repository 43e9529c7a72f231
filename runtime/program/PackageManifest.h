// package.json of a vendor folder: the operators of a package, the size and checksum of each file, and the files that
// are missing because only the vendor's compiler can make them.
//
// All paths are relative to the folder that contains package.json. Every file except package.json itself is listed,
// sources included.

#ifndef OPC_RUNTIME_PROGRAM_PACKAGEMANIFEST_H
#define OPC_RUNTIME_PROGRAM_PACKAGEMANIFEST_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

inline constexpr const char *kPackageManifestName = "package.json";

struct PackageOperator {
  std::string opType;         ///< "AddRelu"
  std::string name;           ///< "add_relu"
  std::string version;        ///< of the contract
  std::string contractSha256; ///< of its canonical text
  std::string folder;         ///< the op folder, for `opc run`
  bool shadowsBuiltin = false;
};

struct PackageEntry {
  std::string path;
  std::string sha256; ///< 64 lower-case hex digits
  uint64_t size = 0;  ///< bytes
};

/// A file that the layout defines and this package lacks.
struct PackageAbsence {
  std::string path;
  std::string needs; ///< the tool that can make it
};

/// Versions of the file formats that a runtime must support to run the package's operators.
struct PackageFormats {
  unsigned manifest = 0, simulatorProgram = 0, kernelLibrary = 0;
};

struct PackageManifest {
  std::string vendor;             ///< "customize"
  std::string version;            ///< of the package, "1.0.0"
  std::string layout;             ///< "vendors" or "custom"
  std::string compiler;           ///< "opc 0.1.0"
  std::string target;             ///< soc version that the kernels were compiled for
  std::vector<std::string> chips; ///< folder and config names: "ascend310b"
  PackageFormats formats;
  std::vector<PackageOperator> operators;
  std::vector<PackageAbsence> absent;
  std::vector<PackageEntry> files;
};

/// Why the name of a vendor is refused, empty when it is valid. The name becomes a folder, a word of load_priority
/// and a part of file names: at most 64 letters, digits, '_' and '-', the first one a letter.
std::string checkVendorName(std::string_view name);
/// Why the version of a package is refused, empty when it is valid: three numbers separated by '.'.
std::string checkPackageVersion(std::string_view version);
/// Why a path inside a folder is refused, empty when it is valid: absolute, '..', '.', empty parts, control
/// characters, more than 400 bytes.
std::string checkPackagePath(std::string_view path);

/// Checks names, paths, hashes, and that nothing is listed twice. Returns the error, empty when the manifest is valid.
std::string checkPackageManifest(const PackageManifest &manifest);

/// JSON text with keys in a fixed order: equal manifests give equal bytes.
std::string writePackageManifest(const PackageManifest &manifest);
/// Parses and checks an untrusted text. Returns the error, empty on success.
std::string readPackageManifest(const std::string &text, PackageManifest &manifest);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_PACKAGEMANIFEST_H
