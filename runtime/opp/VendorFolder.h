// A vendor folder on disk: a package of ours with its manifest, or one that somebody else made. Read without trust:
// no link is followed, nothing outside of the folder is opened, sizes are held to what the manifest says before
// memory is asked for.

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

/// Opens a package by its vendor folder or by the output folder of a build that has one vendor. Nothing, with E0540.
std::optional<VendorFolder> openPackage(const std::string &path, Diagnostics &diagnostics);

/// Whether a folder has a package.json, well or ill.
bool hasPackageManifest(const std::string &folder);

/// The bytes of a listed file, held to size and checksum; nothing, with E0541.
std::optional<std::string> readPackageFile(const VendorFolder &package, const PackageEntry &entry,
                                           Diagnostics &diagnostics);

/// Every file of the folder against the manifest: listed ones as listed, no others, no links, no special files. What
/// is listed as absent may have been added since. False, with one E0541 a file.
bool verifyPackage(const VendorFolder &package, Diagnostics &diagnostics);

/// Whether this opc reads what is in the package (E0546).
bool checkFormats(const VendorFolder &package, Diagnostics &diagnostics);

/// The keys of an ops-info JSON's outer object; nothing when the text is no such object, at most 16 levels deep.
std::optional<std::vector<std::string>> operatorNames(const std::string &text);

/// Types of operators that a vendor folder declares for a chip, in the newer or the older layout, by its ops-info
/// JSON. Nothing, with E0540, when a file is there and cannot be taken.
std::optional<std::vector<std::string>> declaredOperators(const std::string &folder, const std::string &chip,
                                                          Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_OPP_VENDORFOLDER_H
