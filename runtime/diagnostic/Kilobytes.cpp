#include "runtime/diagnostic/Kilobytes.h"

std::string opc::kilobytes(int64_t bytes) {
  int64_t whole = bytes / 1024, tenths = (bytes % 1024 * 10 + 1023) / 1024;
  whole += tenths / 10;
  tenths %= 10;
  return std::to_string(whole) + (tenths ? "." + std::to_string(tenths) : "") + " KB";
}
