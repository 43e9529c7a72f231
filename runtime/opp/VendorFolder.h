// A vendor folder on disk: a package of opc with its manifest, or a package of another tool. Its contents are
// untrusted: no links are followed, no files outside the folder are opened, and sizes are checked against the
// manifest before memory is allocated.

#ifndef OPC_RUNTIME_OPP_VENDORFOLDER_H
#define OPC_RUNTIME_OPP_VENDORFOLDER_H

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/PackageManifest.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

struct VendorFolder {
  std::string path; ///< of the folder with package.json
  PackageManifest manifest;
};

/// Opens a package by its vendor folder, or by the output folder of a build with one vendor; nullopt after
/// reporting E0540.
std::optional<VendorFolder> openPackage(const std::string &path, Diagnostics &diagnostics);

/// Whether a folder has a package.json, valid or not.
bool hasPackageManifest(const std::string &folder);

/// Reads a listed file and checks its size and checksum; nullopt after reporting E0541.
std::optional<std::string> readPackageFile(const VendorFolder &package, const PackageEntry &entry,
                                           Diagnostics &diagnostics);

/// Checks the folder against the manifest: all listed files are present and unchanged, and there are no other files,
/// links or special files. Files that are listed as absent may have been added since. Returns false after reporting
/// E0541 for each file.
bool verifyPackage(const VendorFolder &package, Diagnostics &diagnostics);

/// Whether this version of opc supports the formats of the package; reports E0546 otherwise.
bool checkFormats(const VendorFolder &package, Diagnostics &diagnostics);

/// The keys of the outer object of an ops-info JSON; nullopt when the text is not an object or has more than 16 levels.
std::optional<std::vector<std::string>> operatorNames(const std::string &text);

/// The types of operators that a vendor folder declares for a chip in its ops-info JSON, in the newer or the older
/// layout. Returns nullopt after reporting E0540 when the file exists and is malformed.
std::optional<std::vector<std::string>> declaredOperators(const std::string &folder, const std::string &chip,
                                                          Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_OPP_VENDORFOLDER_H
