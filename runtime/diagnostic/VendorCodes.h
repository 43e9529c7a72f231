// Status codes of the vendor's runtime, explained: what a user who runs a kernel on a board may want to look up.

#ifndef OPC_RUNTIME_DIAGNOSTIC_VENDORCODES_H
#define OPC_RUNTIME_DIAGNOSTIC_VENDORCODES_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace opc {

struct VendorCode {
  uint32_t first, last;    ///< one number, or a family of them
  std::string_view source; ///< "aclError", "aclnn"
  std::string_view title, explanation;
};

/// Exact numbers stand before the families that contain them.
const std::vector<VendorCode> &allVendorCodes();
/// nullptr when nothing is known of the number.
const VendorCode *findVendorCode(uint32_t number);

} // namespace opc

#endif // OPC_RUNTIME_DIAGNOSTIC_VENDORCODES_H
