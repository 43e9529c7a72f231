// The log of host files of the newer operator libraries, and their checks that return from a function.
//
// Errors become part of opc's diagnostic about the failed function; other lines are dropped.

#ifndef OPC_RUNTIME_ASCENDC_HOST_MESSAGES_H
#define OPC_RUNTIME_ASCENDC_HOST_MESSAGES_H

#include "runtime/ascendc/host/HostInterface.h"

#include <cstdarg>
#include <cstdio>

namespace opc::ascendc {

/// The receiver of errors; null outside of host functions.
inline HostResult *&messageTarget() {
  static HostResult *target = nullptr;
  return target;
}

inline void logError(const char *format, ...) __attribute__((format(printf, 1, 2)));
inline void logError(const char *format, ...) {
  char text[500] = "";
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (HostResult *target = messageTarget())
    target->message(text);
}

} // namespace opc::ascendc

#define OP_LOGE(OPERATOR, ...) ((void)(OPERATOR), opc::ascendc::logError(__VA_ARGS__))
#define OP_LOGW(OPERATOR, ...) ((void)(OPERATOR))
#define OP_LOGI(OPERATOR, ...) ((void)(OPERATOR))
#define OP_LOGD(OPERATOR, ...) ((void)(OPERATOR))
#define OP_LOGE_WITHOUT_REPORT(OPERATOR, ...) OP_LOGE(OPERATOR, __VA_ARGS__)
#define OP_CHECK_IF(CONDITION, LOG, RETURN)                                                                            \
  do {                                                                                                                 \
    if (CONDITION) {                                                                                                   \
      LOG;                                                                                                             \
      RETURN;                                                                                                          \
    }                                                                                                                  \
  } while (false)
#define OP_CHECK_NULL_WITH_CONTEXT(CONTEXT, POINTER)                                                                   \
  OP_CHECK_IF((POINTER) == nullptr, OP_LOGE(CONTEXT, "%s is null", #POINTER), return ge::GRAPH_FAILED)

#endif // OPC_RUNTIME_ASCENDC_HOST_MESSAGES_H
