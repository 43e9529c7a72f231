// Status codes of the vendor's runtime with explanations, for users who run kernels on a board.

#ifndef OPC_RUNTIME_DIAGNOSTIC_VENDORCODES_H
#define OPC_RUNTIME_DIAGNOSTIC_VENDORCODES_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace opc {

struct VendorCode {
  uint32_t first, last;    ///< a range of numbers, inclusive; equal for one number
  std::string_view source; ///< "aclError", "aclnn"
  std::string_view title, explanation;
};

/// All codes; a single number comes before a range that contains it.
const std::vector<VendorCode> &allVendorCodes();
/// The first row that contains `number`, nullptr when there is none.
const VendorCode *findVendorCode(uint32_t number);

} // namespace opc

#endif // OPC_RUNTIME_DIAGNOSTIC_VENDORCODES_H
