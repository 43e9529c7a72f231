// Registration of single functions of an operator.
#ifndef STAND_IN_OP_IMPL_REGISTRY_H
#define STAND_IN_OP_IMPL_REGISTRY_H
#include "op_def_registry.h"

class StandInImpl {
public:
  explicit StandInImpl(const char *name) : name(name) {}
  StandInImpl &InferShape(ops::InferShapeFunc value) {
    infer = value;
    return *this;
  }
  StandInImpl &InferDataType(ops::InferDataTypeFunc value) {
    types = value;
    return *this;
  }
  StandInImpl &Tiling(ops::TilingFunc value) {
    tiling = value;
    return *this;
  }
  const char *name;
  ops::InferShapeFunc infer = nullptr;
  ops::InferDataTypeFunc types = nullptr;
  ops::TilingFunc tiling = nullptr;
};

#define IMPL_OP_INFERSHAPE(NAME) StandInImpl standInInfer##NAME = StandInImpl(#NAME)
#define IMPL_OP_OPTILING(NAME) StandInImpl standInTiling##NAME = StandInImpl(#NAME)
#endif
