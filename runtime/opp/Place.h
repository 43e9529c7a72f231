// Where packages are: the folder to install to, and the vendor folders that the vendor's framework asks, in its order.

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
  std::string said;    ///< by what: "--install-path", "ASCEND_CUSTOM_OPP_PATH", "ASCEND_OPP_PATH"
};

/// The place to install to: `installPath`, else ASCEND_CUSTOM_OPP_PATH, else ASCEND_OPP_PATH. A path whose last
/// folder but one is `vendors` is a vendor folder and stands for what holds `vendors`. Nothing, with E0542, when
/// nothing is said or ASCEND_CUSTOM_OPP_PATH names several places.
std::optional<OppPlace> findPlace(const std::string &installPath, Diagnostics &diagnostics);

/// Vendor folders in the order in which the framework asks them: those of ASCEND_CUSTOM_OPP_PATH, then
/// ASCEND_OPP_PATH/vendors by load_priority; with `installPath`, the ones there instead. Of the variables' folders
/// those that are not there are left out; an `installPath` that is none (E0542) and a config.ini that cannot be taken
/// (E0543) are reported.
std::vector<std::string> vendorFolders(const std::string &installPath, Diagnostics &diagnostics);
/// Where vendorFolders looks, for a message: "in '/opt/opp/vendors'".
std::string placesText(const std::string &installPath);

} // namespace opc

#endif // OPC_RUNTIME_OPP_PLACE_H
