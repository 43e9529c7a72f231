// package.json of a vendor folder: which operators a package holds, what each file's bytes are, and what is not there
// because only the vendor's compiler can make it.
//
// All paths are relative to the folder in which package.json lies. Every file but package.json itself is
// listed, sources too.

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
  std::string folder;         ///< op folder: what `opc run` takes
  bool shadowsBuiltin = false;
};

struct PackageEntry {
  std::string path;
  std::string sha256; ///< 64 lower-case hex digits
  uint64_t size = 0;  ///< bytes
};

/// A file that the layout has and this package lacks.
struct PackageAbsence {
  std::string path;
  std::string needs; ///< who can make it
};

/// Versions of file formats that a runtime must read to run the package's operators.
struct PackageFormats {
  unsigned manifest = 0, simulatorProgram = 0, kernelLibrary = 0;
};

struct PackageManifest {
  std::string vendor;             ///< "customize"
  std::string version;            ///< of the package, "1.0.0"
  std::string layout;             ///< "vendors" or "custom"
  std::string compiler;           ///< "opc 0.1.0"
  std::string target;             ///< soc version the kernels were planned for
  std::vector<std::string> chips; ///< folder and config names: "ascend310b"
  PackageFormats formats;
  std::vector<PackageOperator> operators;
  std::vector<PackageAbsence> absent;
  std::vector<PackageEntry> files;
};

/// What is wrong with a name of a vendor, empty when all is well: it becomes a folder, a word of load_priority and
/// part of file names. Letters, digits, '_' and '-', starting with a letter, at most 64.
std::string checkVendorName(std::string_view name);
/// What is wrong with a package's version: three numbers with '.' between them.
std::string checkPackageVersion(std::string_view version);
/// What is wrong with a path inside of a folder: absolute, '..', '.', empty parts, control characters,
/// more than 400 bytes.
std::string checkPackagePath(std::string_view path);

/// Whether names are names, paths stay inside, hashes are hashes and nothing is there twice; empty when all is well.
std::string checkPackageManifest(const PackageManifest &manifest);

/// JSON text in a fixed order: the same manifest gives the same bytes.
std::string writePackageManifest(const PackageManifest &manifest);
/// Returns the reason of a refusal, empty when all is well. The text is never trusted.
std::string readPackageManifest(const std::string &text, PackageManifest &manifest);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_PACKAGEMANIFEST_H
