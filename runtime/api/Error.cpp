#include "runtime/api/Error.h"

namespace opc::api {

namespace {
/// Owns the texts that opc_error points to.
struct LastError {
  std::string rule, op, shapes, reason, fix;
  opc_error error{OPC_OK, "", "", "", "", "", ""};
};
} // namespace

static LastError &lastError() {
  thread_local LastError last;
  return last;
}

static opc_status statusOf(ExitCode exit) {
  // opc_status has the numbers of ExitCode; an error never has the exit code Done.
  return exit == ExitCode::Done ? OPC_INTERNAL : static_cast<opc_status>(exit);
}

static opc_status remember(const Diagnostic &diagnostic, const ErrorContext &context) {
  LastError &last = lastError();
  const CodeInfo &info = codeInfo(diagnostic.code);
  last.rule = diagnostic.rule;
  last.op = context.op;
  last.shapes = context.shapes;
  last.reason = diagnostic.message;
  last.fix = diagnostic.fix;
  last.error = {statusOf(info.exit), info.name.data(),    last.rule.c_str(), last.op.c_str(),
                last.shapes.c_str(), last.reason.c_str(), last.fix.c_str()};
  return last.error.status;
}

opc_status fail(const Diagnostics &diagnostics, const ErrorContext &context) {
  for (const Diagnostic &diagnostic : diagnostics.all())
    if (diagnostic.severity == Severity::Error)
      return remember(diagnostic, context);
  return fail(Code::E0900, "a call failed without a reason");
}

opc_status fail(Code code, std::string message, std::string rule, std::string fix) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.rule = std::move(rule);
  diagnostic.fix = std::move(fix);
  return remember(diagnostic, {});
}

opc_status failNull(const char *argument) {
  return fail(Code::E0532, std::string("expects '") + argument + "', found a null pointer");
}

} // namespace opc::api

extern "C" const opc_error *opc_last_error(void) {
  return &opc::api::lastError().error;
}
