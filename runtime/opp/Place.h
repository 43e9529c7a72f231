// Locations of packages: the folder to install to, and the vendor folders that the vendor's framework searches, in
// its order.

#ifndef OPC_RUNTIME_OPP_PLACE_H
#define OPC_RUNTIME_OPP_PLACE_H

#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace opc {

struct OppPlace {
  std::string root;    ///< holds `vendors`
  std::string vendors; ///< root + "/vendors"
  std::string said;    ///< the option or variable that gave the path: "--install-path",
                       ///< "ASCEND_CUSTOM_OPP_PATH", "ASCEND_OPP_PATH"
};

/// The place to install to: `installPath`, else ASCEND_CUSTOM_OPP_PATH, else ASCEND_OPP_PATH. A path whose last
/// folder but one is `vendors` is a vendor folder and means the folder that contains `vendors`. Returns nullopt after
/// reporting E0542 when none is given or ASCEND_CUSTOM_OPP_PATH names several places.
std::optional<OppPlace> findPlace(const std::string &installPath, Diagnostics &diagnostics);

/// Vendor folders in the order in which the framework searches them: those of ASCEND_CUSTOM_OPP_PATH, then
/// ASCEND_OPP_PATH/vendors by load_priority; with `installPath`, those at that place instead. Skips folders of the
/// variables that do not exist. Reports an invalid `installPath` (E0542) and a malformed config.ini (E0543).
std::vector<std::string> vendorFolders(const std::string &installPath, Diagnostics &diagnostics);
/// The places that vendorFolders searches, for messages: "in '/opt/opp/vendors'".
std::string placesText(const std::string &installPath);

} // namespace opc

#endif // OPC_RUNTIME_OPP_PLACE_H
