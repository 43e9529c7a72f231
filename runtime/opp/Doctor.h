// Examines installed vendors for problems and other findings.

#ifndef OPC_RUNTIME_OPP_DOCTOR_H
#define OPC_RUNTIME_OPP_DOCTOR_H

#include "runtime/opp/VendorFolder.h"

namespace opc {

struct OppFinding {
  enum Status { Ok, Note, Problem } status = Ok;
  std::string vendor;  ///< name of the folder; empty: a finding about the place
  std::string subject; ///< "checksums", "formats", "chip", "operator AddRelu", "libraries"
  std::string found;
  std::string fix; ///< what would fix it; may be empty
};

/// Examines vendor folders, in the order in which the framework searches them. `chip` is the folder name of the
/// chip ("ascend310b").
std::vector<OppFinding> examineVendors(const std::vector<std::string> &folders, const std::string &chip);

} // namespace opc

#endif // OPC_RUNTIME_OPP_DOCTOR_H
