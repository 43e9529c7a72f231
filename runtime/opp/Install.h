// Installs and removes packages at a place. Both operations take the place's lock, recover from killed processes, and
// change one thing at a time, so that a kill at any moment leaves the old state or the new one:
//
//   install   the folder is staged, flushed and renamed; then config.ini names the vendor. In between the
//             folder exists and the framework does not search it: the old state.
//   remove    the vendor is removed from config.ini; then the folder is deleted. In between the folder exists and the
//             framework does not search it: the new state.

#ifndef OPC_RUNTIME_OPP_INSTALL_H
#define OPC_RUNTIME_OPP_INSTALL_H

#include "runtime/opp/Place.h"
#include "runtime/opp/VendorFolder.h"

namespace opc {

/// An operator of the package that another vendor at the place has too.
struct Collision {
  std::string opType, vendor;
};

struct InstallOptions {
  bool force = false; ///< install although operators collide
};

struct InstallReport {
  std::string folder;                ///< where the package is now
  bool replaced = false;             ///< an older version was there
  std::vector<Collision> collisions; ///< with `force`
};

/// Copies the files of the manifest and checks each file's checksum. A vendor that is already listed keeps its
/// position in load_priority; a new one comes first. A folder with the vendor's name that opc did not write is never
/// replaced. On failure reports an error, changes nothing and returns nullopt.
std::optional<InstallReport> installPackage(const VendorFolder &package, const OppPlace &place,
                                            const InstallOptions &options, Diagnostics &diagnostics);

/// Removes a vendor that opc installed. On failure reports E0545 or E0540, changes nothing and returns false.
bool removeVendor(const std::string &vendor, const OppPlace &place, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_OPP_INSTALL_H
