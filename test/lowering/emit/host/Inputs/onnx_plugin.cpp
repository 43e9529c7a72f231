// The parser plugin of an operator with a float attribute: both forms in which converters hand it
// over.
#include "my_swish_plugin.cpp"

#include "check.h"

#include <algorithm>

static domi::Status parse(const char *json, float &beta) {
  ge::Operator node, op;
  if (json)
    node.SetAttr("attribute", std::string(json));
  domi::Status status = domi::Registered()[0].parse(node, op);
  beta = op.floats.count("beta") ? op.floats["beta"] : -1.0f;
  return status;
}

int main() {
  const domi::StandInRegistration &plugin = domi::Registered()[0];
  CHECK(plugin.type == "MySwish" && plugin.framework == domi::ONNX);
  auto registered = [&](const std::string &name) {
    return std::any_of(plugin.origins.begin(), plugin.origins.end(),
                       [&](const ge::AscendString &origin) { return origin.GetString() == name; });
  };
  CHECK(registered("mine::1::MySwish") && registered("ai.onnx::11::MySwish"));

  float beta = 0;
  CHECK(parse(nullptr, beta) == domi::SUCCESS && beta == 1.0f);
  CHECK(parse(R"({"attribute": [{"name": "alpha", "f": 3}, {"name": "beta", "type": 1, "f": "0.25"}]})", beta) ==
        domi::SUCCESS);
  CHECK(beta == 0.25f);
  CHECK(parse(R"({"attribute":[{"name":"beta","f":-1.5e1}]})", beta) == domi::SUCCESS && beta == -15.0f);
  CHECK(parse(R"({"attribute":[{"name":"gamma","f":2,"ints":[1,2,3]}]})", beta) == domi::SUCCESS && beta == 1.0f);
  // Text that cannot be read is no missing attribute.
  for (const char *broken : {R"({"attribute":[{"name":"beta","f":)", R"({"attribute":[{"name":"beta","i":2}]})",
                             R"({"attribute":[{"name":"beta","f":"two"}]})", "[[[", "{\"a\" 1}", "\"", "{\"beta\"",
                             R"([{"name":"beta","f":[1,2]}])"})
    CHECK(parse(broken, beta) == domi::FAILED);
  std::string deep(100000, '[');
  CHECK(parse(deep.c_str(), beta) == domi::FAILED);

  ge::Operator node, op;
  node.SetAttr("beta", 4.0f);
  CHECK(plugin.parse(node, op) == domi::SUCCESS && op.floats["beta"] == 4.0f);
  return done();
}
