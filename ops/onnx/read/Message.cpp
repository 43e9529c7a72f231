#include "ops/onnx/read/Message.h"

#include "runtime/diagnostic/Utf8.h"

namespace opc::onnx {

void Reading::refuse(Code code, const char *rule, const std::string &message, const std::string &fix) {
  std::string where = at ? " at byte " + std::to_string(offsetOf(at)) : std::string();
  diagnostics.error(code, {path, 0, 0}, message + where + (place.empty() ? "" : ", in " + place), rule, fix);
  throw Refused();
}

void Message::wrongWireType() {
  reading.refuse(Code::E1000, "onnx_c1",
                 "expects field " + std::to_string(field()) + " in its wire type, found type " +
                     std::to_string(static_cast<unsigned>(wire.wire_type())));
}

std::string_view Message::text() {
  std::string_view result = bytes();
  for (size_t i = 0; i < result.size();) {
    size_t length = utf8Length(result.substr(i));
    if (length == 0)
      reading.refuse(Code::E1000, "onnx_c5", "expects names in UTF-8, found '" + printable(result, 60) + "'");
    i += length;
  }
  return result;
}

void Message::integers(std::vector<int64_t> &values) {
  if (!isPacked()) {
    reading.count(values);
    values.push_back(integer());
    return;
  }
  for (int64_t value : wire.get_packed_int64()) {
    reading.count(values);
    values.push_back(value);
  }
}

void Message::numbers(std::vector<float> &values) {
  if (!isPacked()) {
    reading.count(values);
    values.push_back(number());
    return;
  }
  for (float value : wire.get_packed_float()) {
    reading.count(values);
    values.push_back(value);
  }
}

} // namespace opc::onnx
