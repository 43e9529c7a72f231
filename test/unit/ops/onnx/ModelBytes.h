// Models of ONNX as bytes, for tests: right ones and wrong ones.

#ifndef OPC_TEST_UNIT_OPS_ONNX_MODELBYTES_H
#define OPC_TEST_UNIT_OPS_ONNX_MODELBYTES_H

#include <protozero/pbf_writer.hpp>

#include <functional>
#include <string>

namespace opc::test {

/// A message that `fill` writes.
inline std::string message(const std::function<void(protozero::pbf_writer &)> &fill) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  fill(writer);
  return bytes;
}

/// A node with one attribute, unless it is empty.
inline std::string node(const std::string &op, const std::vector<std::string> &inputs,
                        const std::vector<std::string> &outputs, const std::string &attribute = {},
                        const std::string &domain = {}) {
  return message([&](protozero::pbf_writer &writer) {
    for (const std::string &input : inputs)
      writer.add_string(1, input);
    for (const std::string &output : outputs)
      writer.add_string(2, output);
    writer.add_string(3, "the_" + op);
    writer.add_string(4, op);
    if (!attribute.empty())
      writer.add_message(5, attribute);
    if (!domain.empty())
      writer.add_string(7, domain);
  });
}

inline std::string value(const std::string &name) {
  return message([&](protozero::pbf_writer &writer) { writer.add_string(1, name); });
}

/// A float32 tensor with raw data.
inline std::string tensor(const std::string &name, const std::vector<int64_t> &shape, size_t bytes, int32_t type = 1) {
  return message([&](protozero::pbf_writer &writer) {
    for (int64_t size : shape)
      writer.add_int64(1, size);
    writer.add_int32(2, type);
    writer.add_string(8, name);
    writer.add_bytes(9, std::string(bytes, '\0'));
  });
}

struct GraphParts {
  std::vector<std::string> nodes, initializers, sparse;
  std::vector<std::string> inputs = {"x"}, outputs = {"y"};
};

inline std::string graph(const GraphParts &parts) {
  return message([&](protozero::pbf_writer &writer) {
    for (const std::string &each : parts.nodes)
      writer.add_message(1, each);
    writer.add_string(2, "g");
    for (const std::string &each : parts.initializers)
      writer.add_message(5, each);
    for (const std::string &each : parts.inputs)
      writer.add_message(11, value(each));
    for (const std::string &each : parts.outputs)
      writer.add_message(12, value(each));
    for (const std::string &each : parts.sparse)
      writer.add_message(15, each);
  });
}

inline std::string opset(const std::string &domain, int64_t version) {
  return message([&](protozero::pbf_writer &writer) {
    writer.add_string(1, domain);
    writer.add_int64(2, version);
  });
}

/// A model of IR version 10 and opset 21, and what `more` adds.
inline std::string model(const std::string &graph, const std::function<void(protozero::pbf_writer &)> &more = {}) {
  return message([&](protozero::pbf_writer &writer) {
    writer.add_int64(1, 10);
    writer.add_message(8, opset("", 21));
    writer.add_message(7, graph);
    if (more)
      more(writer);
  });
}

} // namespace opc::test

#endif // OPC_TEST_UNIT_OPS_ONNX_MODELBYTES_H
