// The class that defines an operator, and its registration.

#ifndef OPC_RUNTIME_ASCENDC_HOST_OPDEF_H
#define OPC_RUNTIME_ASCENDC_HOST_OPDEF_H

#include "runtime/ascendc/host/Contexts.h"
#include "runtime/ascendc/host/TypeRows.h"

#include <map>
#include <utility>

namespace gert {
using TilingFunction = ge::graphStatus (*)(TilingContext *);
using InferShapeFunction = ge::graphStatus (*)(InferShapeContext *);
using InferDataTypeFunction = ge::graphStatus (*)(InferDataTypeContext *);
using TilingParseFunction = ge::graphStatus (*)(TilingParseContext *);
} // namespace gert

namespace opc::ascendc {

/// The functions of an operator, from its OpDef or from IMPL_OP.
struct HostFunctions {
  gert::TilingFunction tiling = nullptr;
  gert::InferShapeFunction inferShape = nullptr;
  gert::InferDataTypeFunction inferType = nullptr;
  gert::TilingParseFunction parse = nullptr;
  void *(*makeInfo)() = nullptr;
};
inline std::map<std::string, HostFunctions> &hostFunctions() {
  static std::map<std::string, HostFunctions> all;
  return all;
}

} // namespace opc::ascendc

namespace ops {

enum class ItemFindStatus { ITEM_FIND = 0, ITEM_NOEXIST = 1 };
enum class InitValueType { INIT_VALUE_UINT64 = 0, INIT_VALUE_FLOAT = 1 };
enum class DependScope { ALL = 0, TILING = 1 };

class OpParamDef {
public:
  explicit OpParamDef(const char *given) : name(given) { rows.name = given; }
  OpParamDef &ParamType(Option value) {
    option = value;
    return *this;
  }
  OpParamDef &DataType(std::vector<ge::DataType> values) {
    rows.types = {std::move(values), false};
    return *this;
  }
  OpParamDef &DataTypeList(std::vector<ge::DataType> values) {
    rows.types = {std::move(values), true};
    return *this;
  }
  OpParamDef &Format(std::vector<ge::Format> values) {
    rows.formats = {std::move(values), false};
    return *this;
  }
  OpParamDef &FormatList(std::vector<ge::Format> values) {
    rows.formats = {std::move(values), true};
    return *this;
  }
  OpParamDef &UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
  OpParamDef &DataTypeForBinQuery(std::vector<ge::DataType>) { return *this; }
  OpParamDef &FormatForBinQuery(std::vector<ge::Format>) { return *this; }
  OpParamDef &ValueDepend(Option) {
    valueDepend = true;
    return *this;
  }
  OpParamDef &ValueDepend(Option option, DependScope) { return ValueDepend(option); }
  OpParamDef &Scalar() { return *this; }
  OpParamDef &ScalarList() { return *this; }
  OpParamDef &To(const ge::DataType) { return *this; }
  OpParamDef &To(const char *) { return *this; }
  OpParamDef &Follow(const char *parameter, FollowType what = FollowType::ALL) {
    rows.follows = parameter;
    rows.followsTypes = what == FollowType::ALL || what == FollowType::DTYPE;
    rows.followsFormats = what == FollowType::ALL || what == FollowType::FORMAT;
    return *this;
  }
  OpParamDef &AutoContiguous() { return *this; }
  OpParamDef &IgnoreContiguous() { return *this; }
  OpParamDef &OutputShapeDependOnCompute() { return *this; }
  template <typename T> OpParamDef &InitValue(T) { return *this; }
  OpParamDef &Version(uint32_t) { return *this; }

  std::string name;
  Option option = REQUIRED;
  opc::ascendc::RowsOfParameter rows;
  bool valueDepend = false;
};

class OpAttrDef {
  using Value = opc::ascendc::HostValue;

public:
  explicit OpAttrDef(const char *name) : name(name) {}
  OpAttrDef &AttrType(Option value) {
    option = value;
    return *this;
  }
  OpAttrDef &Bool() { return set(Value::Bool, false); }
  OpAttrDef &Bool(bool given) { return integer(Value::Bool, given); }
  OpAttrDef &Int() { return set(Value::Int, false); }
  OpAttrDef &Int(int64_t given) { return integer(Value::Int, given); }
  OpAttrDef &Float() { return set(Value::Float, false); }
  OpAttrDef &Float(float given) {
    value.real = double(given);
    return set(Value::Float, true);
  }
  OpAttrDef &String() { return set(Value::String, false); }
  OpAttrDef &String(const char *given) {
    text = given ? given : "";
    return set(Value::String, true);
  }
  OpAttrDef &ListInt() { return set(Value::ListInt, false); }
  OpAttrDef &ListInt(std::vector<int64_t> given) {
    integers = std::move(given);
    return set(Value::ListInt, true);
  }
  OpAttrDef &ListBool() { return set(Value::ListBool, false); }
  OpAttrDef &ListBool(const std::vector<bool> &given) {
    integers.assign(given.begin(), given.end());
    return set(Value::ListBool, true);
  }
  OpAttrDef &ListFloat() { return set(Value::ListFloat, false); }
  OpAttrDef &ListFloat(const std::vector<float> &given) {
    reals.assign(given.begin(), given.end());
    return set(Value::ListFloat, true);
  }
  OpAttrDef &ListListInt() { return set(Value::ListListInt, false); }
  OpAttrDef &ListListInt(const std::vector<std::vector<int64_t>> &) { return set(Value::ListListInt, true); }
  OpAttrDef &Version(uint32_t) { return *this; }

  /// The default; its lists and texts live as long as this object.
  Value defaultValue() const {
    Value result = value;
    result.text = text.c_str();
    const bool isReal = value.kind == Value::ListFloat;
    result.integers = isReal ? nullptr : integers.data();
    result.reals = isReal ? reals.data() : nullptr;
    result.count = uint32_t(isReal ? reals.size() : integers.size());
    return result;
  }
  std::string name;
  Option option = REQUIRED;

private:
  OpAttrDef &set(Value::Kind kind, bool present) {
    value.kind = kind;
    value.present = present;
    return *this;
  }
  OpAttrDef &integer(Value::Kind kind, int64_t given) {
    value.integer = given;
    return set(kind, true);
  }

  Value value;
  std::string text;
  std::vector<int64_t> integers;
  std::vector<double> reals;
};

/// Parameters in the order of their first use; a repeated name is the same parameter.
template <typename T> class ParameterList {
public:
  T &at(const char *name) {
    for (std::unique_ptr<T> &parameter : all)
      if (parameter->name == name)
        return *parameter;
    all.push_back(std::make_unique<T>(name));
    return *all.back();
  }
  const std::vector<std::unique_ptr<T>> &list() const { return all; }

private:
  std::vector<std::unique_ptr<T>> all;
};

/// The configuration for one chip: its parameters replace those of the operator.
class OpAICoreConfig {
public:
  OpAICoreConfig() = default;
  explicit OpAICoreConfig(const char *) {}
  OpParamDef &Input(const char *name) { return lists->inputs.at(name); }
  OpParamDef &Output(const char *name) { return lists->outputs.at(name); }
  OpAICoreConfig &DynamicCompileStaticFlag(bool) { return *this; }
  OpAICoreConfig &DynamicFormatFlag(bool) { return *this; }
  OpAICoreConfig &DynamicRankSupportFlag(bool) { return *this; }
  OpAICoreConfig &DynamicShapeSupportFlag(bool) { return *this; }
  OpAICoreConfig &NeedCheckSupportFlag(bool) { return *this; }
  OpAICoreConfig &PrecisionReduceFlag(bool) { return *this; }
  OpAICoreConfig &ExtendCfgInfo(const char *, const char *) { return *this; }

  struct Lists {
    ParameterList<OpParamDef> inputs, outputs;
  };
  std::shared_ptr<Lists> lists = std::make_shared<Lists>();
};

class OpAICoreDef {
public:
  OpAICoreDef &SetTiling(gert::TilingFunction function) {
    functions->tiling = function;
    return *this;
  }
  OpAICoreDef &SetTilingParse(gert::TilingParseFunction function) {
    functions->parse = function;
    return *this;
  }
  template <typename T> OpAICoreDef &SetCheckSupport(T) { return *this; }
  template <typename T> OpAICoreDef &SetOpSelectFormat(T) { return *this; }
  template <typename T> OpAICoreDef &SetOpSupportInfo(T) { return *this; }
  template <typename T> OpAICoreDef &SetOpSpecInfo(T) { return *this; }
  template <typename T> OpAICoreDef &SetParamGeneralize(T) { return *this; }
  OpAICoreDef &AddConfig(const char *chip) {
    chips.emplace_back(chip, OpAICoreConfig());
    return *this;
  }
  OpAICoreDef &AddConfig(const char *chip, const OpAICoreConfig &config) {
    chips.emplace_back(chip, config);
    return *this;
  }
  std::vector<std::pair<std::string, OpAICoreConfig>> chips;
  opc::ascendc::HostFunctions *functions = nullptr;
};

class OpDef {
public:
  explicit OpDef(const char *type) : type(type) { core.functions = &functions; }
  OpDef(const OpDef &) = delete;
  OpParamDef &Input(const char *name) { return inputs.at(name); }
  OpParamDef &Output(const char *name) { return outputs.at(name); }
  OpAttrDef &Attr(const char *name) { return attributes.at(name); }
  OpDef &Comment(const char *) { return *this; }
  template <typename T> OpDef &Comment(T, const char *) { return *this; }
  OpDef &SetInferShape(gert::InferShapeFunction function) {
    functions.inferShape = function;
    return *this;
  }
  OpDef &SetInferDataType(gert::InferDataTypeFunction function) {
    functions.inferType = function;
    return *this;
  }
  template <typename T> OpDef &SetInferShapeRange(T) { return *this; }
  OpDef &FormatMatchMode(Option) { return *this; }
  OpAICoreDef &AICore() { return core; }

  std::string type;
  ParameterList<OpParamDef> inputs, outputs;
  ParameterList<OpAttrDef> attributes;
  OpAICoreDef core;
  opc::ascendc::HostFunctions functions;
};

} // namespace ops

namespace opc::ascendc {

struct RegisteredOp {
  std::unique_ptr<ops::OpDef> (*make)(const char *type);
  const char *type, *file;
  uint32_t line;
};
inline std::vector<RegisteredOp> &registeredOps() {
  static std::vector<RegisteredOp> all;
  return all;
}
template <typename T> bool registerOp(const char *type, const char *file, uint32_t line) {
  registeredOps().push_back(
      {[](const char *name) -> std::unique_ptr<ops::OpDef> { return std::make_unique<T>(name); }, type, file, line});
  return true;
}

/// IMPL_OP(Type).Tiling(f).InferShape(g): functions apart from the definition.
class ImplRegister {
public:
  explicit ImplRegister(const char *type) : type(type) {}
  ImplRegister &Tiling(gert::TilingFunction function, size_t = 0) { return set(&HostFunctions::tiling, function); }
  ImplRegister &InferShape(gert::InferShapeFunction function) { return set(&HostFunctions::inferShape, function); }
  ImplRegister &InferDataType(gert::InferDataTypeFunction function) { return set(&HostFunctions::inferType, function); }
  template <typename T> ImplRegister &TilingParse(gert::TilingParseFunction function) {
    set(&HostFunctions::makeInfo, +[]() -> void * { return new T(); });
    return set(&HostFunctions::parse, function);
  }
  ImplRegister &TilingInputsDataDependency(std::initializer_list<int32_t>) { return *this; }
  ImplRegister &InputsDataDependency(std::initializer_list<int32_t>) { return *this; }
  ImplRegister &OutputShapeDependOnCompute(std::initializer_list<int32_t>) { return *this; }
  template <typename T> ImplRegister &InferShapeRange(T) { return *this; }
  template <typename... T> ImplRegister &PrivateAttr(T...) { return *this; }

private:
  template <typename T> ImplRegister &set(T HostFunctions::*field, T value) {
    hostFunctions()[type].*field = value;
    return *this;
  }
  std::string type;
};

} // namespace opc::ascendc

#define OP_ADD(TYPE, ...)                                                                                              \
  [[maybe_unused]] static const bool opcRegistered_##TYPE = opc::ascendc::registerOp<TYPE>(#TYPE, __FILE__, __LINE__)

#define OPC_IMPL_NAME_OF(TYPE, LINE) opcFunctionsOf_##TYPE##_##LINE
#define OPC_IMPL_NAME(TYPE, LINE) OPC_IMPL_NAME_OF(TYPE, LINE)
#define IMPL_OP(TYPE)                                                                                                  \
  [[maybe_unused]] static opc::ascendc::ImplRegister OPC_IMPL_NAME(TYPE, __LINE__) = opc::ascendc::ImplRegister(#TYPE)
#define IMPL_OP_INFERSHAPE(TYPE) IMPL_OP(TYPE)
#define IMPL_OP_OPTILING(TYPE) IMPL_OP(TYPE)
#define IMPL_OP_INFER(TYPE) IMPL_OP(TYPE)

#endif // OPC_RUNTIME_ASCENDC_HOST_OPDEF_H
