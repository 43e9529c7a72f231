// The table of VendorCodes.def and its lookup.

#include "runtime/diagnostic/VendorCodes.h"

using namespace opc;

const std::vector<VendorCode> &opc::allVendorCodes() {
  static const std::vector<VendorCode> table = {
#define OPC_VENDOR_CODE(FIRST, LAST, SOURCE, TITLE, EXPLANATION) {FIRST, LAST, SOURCE, TITLE, EXPLANATION},
#include "runtime/diagnostic/VendorCodes.def"
#undef OPC_VENDOR_CODE
  };
  return table;
}

const VendorCode *opc::findVendorCode(uint32_t number) {
  for (const VendorCode &code : allVendorCodes())
    if (code.first <= number && number <= code.last)
      return &code;
  return nullptr;
}
