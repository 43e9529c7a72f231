// Installing and removing a package at a place. Each takes the place's lock, puts right what a killed process left,
// and changes one thing at a time, so that a kill at any moment leaves the old state or the new one:
//
//   install   the folder is staged, flushed and renamed; then config.ini names the vendor. In between the folder is
//             there and nobody asks it: the old state.
//   remove    config.ini no longer names the vendor; then the folder goes. In between likewise: the new state.

#ifndef OPC_RUNTIME_OPP_INSTALL_H
#define OPC_RUNTIME_OPP_INSTALL_H

#include "runtime/opp/Place.h"
#include "runtime/opp/VendorFolder.h"

namespace opc {

/// Another vendor at the place has an operator of the package too.
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

/// Copies what the manifest lists, each file held to its checksum as it is copied. A vendor that is listed already
/// keeps its turn in load_priority; a new one is asked first. A folder of the name that opc did not write is never
/// replaced. Nothing, with an error, and nothing changed.
std::optional<InstallReport> installPackage(const VendorFolder &package, const OppPlace &place,
                                            const InstallOptions &options, Diagnostics &diagnostics);

/// Removes a vendor that opc installed. False, with E0545 or E0540, and nothing changed.
bool removeVendor(const std::string &vendor, const OppPlace &place, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_OPP_INSTALL_H
