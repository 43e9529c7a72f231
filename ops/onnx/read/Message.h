// One message of a protocol buffer, read field by field over the bytes of the file.
//
// protozero reads the wire format and throws if a message is truncated or malformed; this header adds the checks that
// it leaves to its users: the wire type of each field, UTF-8, places for errors, a limit of depth and of memory. Files
// that include it are compiled with exceptions, and nothing leaves readModel (ReadModel.cpp).

#ifndef OPC_OPS_ONNX_READ_MESSAGE_H
#define OPC_OPS_ONNX_READ_MESSAGE_H

#include "runtime/diagnostic/Diagnostic.h"

#include <protozero/pbf_reader.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace opc::onnx {

/// Maximum nesting of graphs and types; models have two or three levels.
inline constexpr unsigned kMaxDepth = 32;
/// Memory for nodes, names and numbers of attributes, without weights, which stay in the file.
inline constexpr size_t kMaxMemory = size_t(512) << 20;

/// Maximum rank of a type. Each node that reads a value handles its type, so a long one would be handled a
/// thousand times.
inline constexpr size_t kMaxRank = 64;

/// Thrown to end the reading; the error is already reported.
struct Refused {};

/// The state that all messages of one file share.
struct Reading {
  Reading(std::string path, std::string_view file, Diagnostics &diagnostics)
      : path(std::move(path)), file(file), diagnostics(diagnostics) {}

  std::string path;
  std::string_view file;
  Diagnostics &diagnostics;
  const char *at = nullptr; ///< position of the current field, for errors
  std::string place;        ///< "node 12", empty outside of nodes
  size_t memory = 0;
  unsigned depth = 0;

  size_t offsetOf(const char *byte) const { return static_cast<size_t>(byte - file.data()); }
  /// Reports an error at the current field and ends the reading.
  [[noreturn]] void refuse(Code code, const char *rule, const std::string &message, const std::string &fix = {});
  /// onnx_c8.
  void checkRank(size_t rank) {
    if (rank > kMaxRank)
      refuse(Code::E1001, "onnx_c8", "expects a tensor of rank 64 at most, found rank " + std::to_string(rank));
  }
  /// Counts memory that a list takes for one more element.
  template <typename T> void count(const std::vector<T> &) { count(sizeof(T)); }
  void count(size_t bytes) {
    memory += bytes;
    if (memory > kMaxMemory)
      refuse(Code::E1002, "onnx_c4",
             "expects nodes, names and numbers of attributes that take at most 512 MiB, found more");
  }
};

/// Counts a level of nesting during its lifetime.
class Level {
public:
  explicit Level(Reading &reading) : reading(reading) {
    if (++reading.depth > kMaxDepth)
      reading.refuse(Code::E1002, "onnx_c3", "expects graphs and types nested at most 32 deep, found more");
  }
  ~Level() { --reading.depth; }

private:
  Reading &reading;
};

class Message {
public:
  Message(Reading &reading, std::string_view bytes)
      : reading(reading), wire(protozero::data_view(bytes.data(), bytes.size())) {}

  /// Moves to the next field; false at the end.
  bool next() {
    reading.at = wire.data().data();
    return wire.next();
  }
  uint32_t field() const { return wire.tag(); }
  void skip() { wire.skip(); }

  /// The bytes of a text, bytes or message field.
  std::string_view bytes() {
    expect(protozero::pbf_wire_type::length_delimited);
    protozero::data_view view = wire.get_view();
    return {view.data(), view.size()};
  }
  /// A field that is UTF-8.
  std::string_view text();
  int64_t integer() {
    expect(protozero::pbf_wire_type::varint);
    return wire.get_int64();
  }
  float number() {
    expect(protozero::pbf_wire_type::fixed32);
    return wire.get_float();
  }
  /// Adds the numbers of a repeated field, packed or one by one.
  void integers(std::vector<int64_t> &values);
  void numbers(std::vector<float> &values);
  /// Adds a text to a list.
  void textTo(std::vector<std::string_view> &values) {
    reading.count(values);
    values.push_back(text());
  }
  bool isPacked() const { return wire.wire_type() == protozero::pbf_wire_type::length_delimited; }
  bool isVarint() const { return wire.wire_type() == protozero::pbf_wire_type::varint; }
  bool isFixed32() const { return wire.wire_type() == protozero::pbf_wire_type::fixed32; }
  bool isFixed64() const { return wire.wire_type() == protozero::pbf_wire_type::fixed64; }
  [[noreturn]] void wrongWireType();

private:
  void expect(protozero::pbf_wire_type type) {
    if (wire.wire_type() != type)
      wrongWireType();
  }
  Reading &reading;
  protozero::pbf_reader wire;
};

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_READ_MESSAGE_H
