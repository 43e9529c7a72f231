// The last error of each thread, and the boundary of the C interface, which turns exceptions into a status.

#ifndef OPC_RUNTIME_API_ERROR_H
#define OPC_RUNTIME_API_ERROR_H

#include "runtime/api/opc_runtime.h"
#include "runtime/diagnostic/Diagnostic.h"

#include <exception>
#include <new>
#include <string>
#include <utility>

namespace opc::api {

/// The operator and the shapes of an error.
struct ErrorContext {
  std::string op;     ///< "AddRelu"
  std::string shapes; ///< "x1 float16[2, 3]"
};

/// Stores the first error as the thread's last error and returns its status; OPC_INTERNAL when there is no error.
opc_status fail(const Diagnostics &diagnostics, const ErrorContext &context = {});
opc_status fail(Code code, std::string message, std::string rule = {}, std::string fix = {});

/// Reports a null argument by its name in the header.
opc_status failNull(const char *argument);

/// Calls `body`; an exception becomes OPC-E0901 or OPC-E0900.
template <typename Body> opc_status guarded(Body &&body) noexcept {
  try {
    return std::forward<Body>(body)();
  } catch (const std::bad_alloc &) {
    return fail(Code::E0901, "the process ran out of memory");
  } catch (const std::exception &error) {
    return fail(Code::E0900, std::string("an exception reached the C interface: ") + error.what());
  }
}

} // namespace opc::api

#endif // OPC_RUNTIME_API_ERROR_H
