// The class an operator is defined by. What it says is kept, for tests to read.
#ifndef STAND_IN_OP_DEF_REGISTRY_H
#define STAND_IN_OP_DEF_REGISTRY_H
#include "../stand_in.h"

namespace ops {

enum Option { REQUIRED, OPTIONAL };

class OpParamDef {
public:
  explicit OpParamDef(const char *name) : name(name) {}
  OpParamDef &ParamType(Option value) {
    option = value;
    return *this;
  }
  OpParamDef &DataType(std::vector<ge::DataType> value) {
    types = value;
    return *this;
  }
  OpParamDef &Format(std::vector<ge::Format> value) {
    formats = value;
    return *this;
  }
  OpParamDef &UnknownShapeFormat(std::vector<ge::Format> value) {
    unknown = value;
    return *this;
  }
  std::string name;
  Option option = REQUIRED;
  std::vector<ge::DataType> types;
  std::vector<ge::Format> formats, unknown;
};

class OpAttrDef {
public:
  explicit OpAttrDef(const char *name) : name(name) {}
  OpAttrDef &AttrType(Option value) {
    option = value;
    return *this;
  }
  OpAttrDef &Float() { return Set("float"); }
  OpAttrDef &Float(float value) {
    number = value;
    return Set("float");
  }
  OpAttrDef &Int() { return Set("int"); }
  OpAttrDef &Int(int64_t value) {
    number = double(value);
    return Set("int");
  }
  OpAttrDef &Bool() { return Set("bool"); }
  OpAttrDef &Bool(bool value) {
    number = value;
    return Set("bool");
  }
  OpAttrDef &String() { return Set("string"); }
  OpAttrDef &String(const char *value) {
    text = value;
    return Set("string");
  }
  OpAttrDef &ListInt() { return Set("list_int"); }
  OpAttrDef &ListInt(std::vector<int64_t> value) {
    count = value.size();
    return Set("list_int");
  }
  OpAttrDef &ListFloat() { return Set("list_float"); }
  OpAttrDef &ListFloat(std::vector<float> value) {
    count = value.size();
    return Set("list_float");
  }
  std::string name, type, text;
  Option option = REQUIRED;
  double number = 0;
  size_t count = 0;

private:
  OpAttrDef &Set(const char *word) {
    type = word;
    return *this;
  }
};

using TilingFunc = ge::graphStatus (*)(gert::TilingContext *);
using InferShapeFunc = ge::graphStatus (*)(gert::InferShapeContext *);
using InferDataTypeFunc = ge::graphStatus (*)(gert::InferDataTypeContext *);

class OpAICoreDef {
public:
  OpAICoreDef &SetTiling(TilingFunc value) {
    tiling = value;
    return *this;
  }
  OpAICoreDef &AddConfig(const char *chip) {
    chips.push_back(chip);
    return *this;
  }
  TilingFunc tiling = nullptr;
  std::vector<std::string> chips;
};

// References into a list stay valid while more is added: lists are deque-like by never growing past
// what is reserved.
class OpDef {
public:
  explicit OpDef(const char *name) : name(name) {
    inputs.reserve(64);
    outputs.reserve(64);
    attrs.reserve(64);
  }
  OpParamDef &Input(const char *n) {
    inputs.emplace_back(n);
    return inputs.back();
  }
  OpParamDef &Output(const char *n) {
    outputs.emplace_back(n);
    return outputs.back();
  }
  OpAttrDef &Attr(const char *n) {
    attrs.emplace_back(n);
    return attrs.back();
  }
  OpDef &SetInferShape(InferShapeFunc value) {
    inferShape = value;
    return *this;
  }
  OpDef &SetInferDataType(InferDataTypeFunc value) {
    inferDataType = value;
    return *this;
  }
  OpAICoreDef &AICore() { return core; }
  std::string name;
  std::vector<OpParamDef> inputs, outputs;
  std::vector<OpAttrDef> attrs;
  InferShapeFunc inferShape = nullptr;
  InferDataTypeFunc inferDataType = nullptr;
  OpAICoreDef core;
};

// All operators that were added, for tests.
inline std::vector<OpDef> &Added() {
  static std::vector<OpDef> all;
  return all;
}

} // namespace ops

#define OP_ADD(NAME) static const bool standInAdd##NAME = (ops::Added().push_back(NAME(#NAME)), true)
#endif
