// The declarations of a package for the graph engine, and the registrations of inference and
// tiling.
#include "op_proto.h"

#include "check.h"
#include "register/op_impl_registry.h"

// Made by add_relu_proto.cpp and add_relu_tiling.cpp, which are compiled beside this file.
namespace ge {
extern StandInImpl standInInferAddRelu;
}
namespace optiling {
extern StandInImpl standInTilingAddRelu;
}

int main() {
  const std::vector<ge::StandInProto> &protos = ge::Protos();
  CHECK(protos.size() == 1 && protos[0].name == "AddRelu" && protos[0].closed == "AddRelu");
  CHECK(protos[0].said == "input:x1:3 input:x2:3 output:y:3");
  CHECK(ge::standInInferAddRelu.infer && ge::standInInferAddRelu.types && optiling::standInTilingAddRelu.tiling);
  return done();
}
