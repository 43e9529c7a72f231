// What is wrong, or worth knowing, of the vendors that are installed.

#ifndef OPC_RUNTIME_OPP_DOCTOR_H
#define OPC_RUNTIME_OPP_DOCTOR_H

#include "runtime/opp/VendorFolder.h"

namespace opc {

struct OppFinding {
  enum Status { Ok, Note, Problem } status = Ok;
  std::string vendor;  ///< folder's name; empty: of the place
  std::string subject; ///< "checksums", "formats", "chip", "operator AddRelu", "libraries"
  std::string found;
  std::string fix; ///< what would mend it; may be empty
};

/// `folders` in the order in which the framework asks them; `chip` is the folder name of the chip that is
/// asked for ("ascend310b").
std::vector<OppFinding> examineVendors(const std::vector<std::string> &folders, const std::string &chip);

} // namespace opc

#endif // OPC_RUNTIME_OPP_DOCTOR_H
