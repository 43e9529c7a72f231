#include "tools/opc/libraries/Exceptions.h"

#include "tools/opc/libraries/Libraries.h"

#include <exception>
#include <new>

namespace opc::tool {

void reportException(Diagnostics &diagnostics) {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    diagnostics.error(Code::E0901, {}, "the process ran out of memory");
  } catch (const MissingLibrary &error) {
    diagnostics.error(Code::E0606, {}, "a library of opc cannot be opened: " + printable(error.what(), 300), {},
                      "install opc as a whole: its libraries lie beside each other in lib");
  } catch (const std::exception &error) {
    diagnostics.error(Code::E0900, {}, std::string("an exception was not caught: ") + printable(error.what(), 300));
  } catch (...) {
    diagnostics.error(Code::E0900, {}, "an exception of an unknown type was not caught");
  }
}

} // namespace opc::tool
