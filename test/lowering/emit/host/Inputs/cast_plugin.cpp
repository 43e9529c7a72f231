// The parser plugin of an operator whose inputs do not say the type of its output: the node does.
#include "my_cast_plugin.cpp"

#include "check.h"

static domi::Status parse(const char *json, ge::DataType &type) {
  ge::Operator node, op;
  if (json)
    node.SetAttr("attribute", std::string(json));
  domi::Status status = domi::Registered()[0].parse(node, op);
  type = op.outputs.count("y") ? op.outputs["y"].GetDataType() : ge::DT_UNDEFINED;
  return status;
}

int main() {
  // Numbers of TensorProto.DataType.
  ge::DataType type;
  CHECK(parse(R"({"attribute":[{"name":"to","i":10}]})", type) == domi::SUCCESS);
  CHECK(type == ge::DT_FLOAT16);
  CHECK(parse(R"({"attribute":[{"name":"to","i":"16"}]})", type) == domi::SUCCESS);
  CHECK(type == ge::DT_BF16);
  CHECK(parse(R"({"attribute":[{"name":"to","i":3}]})", type) == domi::SUCCESS);
  CHECK(type == ge::DT_INT8);
  // Not said, a type that no row has, a value that is no number, another attribute.
  for (const char *broken : {"{}", R"({"attribute":[{"name":"to","i":11}]})", R"({"attribute":[{"name":"to","f":1}]})",
                             R"({"attribute":[{"name":"too","i":1}]})", R"({"attribute":[{"name":"to","i":0}]})"}) {
    CHECK(parse(broken, type) == domi::FAILED);
    CHECK(type == ge::DT_UNDEFINED);
  }
  CHECK(parse(nullptr, type) == domi::FAILED);

  ge::Operator node, op;
  node.SetAttr("to", int64_t(6));
  CHECK(domi::Registered()[0].parse(node, op) == domi::SUCCESS);
  CHECK(op.outputs["y"].GetDataType() == ge::DT_INT32);
  return done();
}
