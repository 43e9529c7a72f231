// What a parser plugin sees: nodes with attributes, and the registration of the function that maps
// them.
#ifndef STAND_IN_REGISTER_H
#define STAND_IN_REGISTER_H
#include "../stand_in.h"

#include <functional>

namespace ge {
class TensorDesc {
public:
  void SetDataType(DataType value) { type = value; }
  DataType GetDataType() const { return type; }

private:
  DataType type = DT_FLOAT;
};

class Operator {
public:
  TensorDesc GetOutputDescByName(const char *name) const {
    auto found = outputs.find(name);
    return found == outputs.end() ? TensorDesc() : found->second;
  }
  graphStatus UpdateOutputDesc(const char *name, const TensorDesc &desc) {
    outputs[name] = desc;
    return GRAPH_SUCCESS;
  }
  std::map<std::string, TensorDesc> outputs;
  void SetAttr(const char *name, float value) { floats[name] = value; }
  void SetAttr(const char *name, int64_t value) { ints[name] = value; }
  void SetAttr(const char *name, bool value) { bools[name] = value; }
  void SetAttr(const char *name, const std::string &value) { texts[name] = value; }
  void SetAttr(const char *name, const std::vector<int64_t> &value) { intLists[name] = value; }
  void SetAttr(const char *name, const std::vector<float> &value) { floatLists[name] = value; }
  void SetAttr(const char *name, const std::vector<bool> &value) { boolLists[name] = value; }
  graphStatus GetAttr(const char *name, float &value) const { return Get(floats, name, value); }
  graphStatus GetAttr(const char *name, int64_t &value) const { return Get(ints, name, value); }
  graphStatus GetAttr(const char *name, bool &value) const { return Get(bools, name, value); }
  graphStatus GetAttr(const char *name, AscendString &value) const {
    std::string text;
    graphStatus status = Get(texts, name, text);
    if (status == GRAPH_SUCCESS)
      value = AscendString(text.c_str());
    return status;
  }
  graphStatus GetAttr(const char *name, std::vector<int64_t> &value) const { return Get(intLists, name, value); }
  graphStatus GetAttr(const char *name, std::vector<float> &value) const { return Get(floatLists, name, value); }
  graphStatus GetAttr(const char *name, std::vector<bool> &value) const { return Get(boolLists, name, value); }
  std::map<std::string, float> floats;
  std::map<std::string, int64_t> ints;
  std::map<std::string, bool> bools;
  std::map<std::string, std::string> texts;
  std::map<std::string, std::vector<int64_t>> intLists;
  std::map<std::string, std::vector<float>> floatLists;
  std::map<std::string, std::vector<bool>> boolLists;

private:
  template <typename T> static graphStatus Get(const std::map<std::string, T> &values, const char *name, T &value) {
    auto found = values.find(name);
    if (found == values.end())
      return GRAPH_FAILED;
    value = found->second;
    return GRAPH_SUCCESS;
  }
};
} // namespace ge

namespace domi {
using Status = uint32_t;
constexpr Status SUCCESS = 0;
constexpr Status FAILED = 1;
enum FrameworkType { CAFFE, ONNX };
enum class ImplyType { TVM };
inline Status AutoMappingByOpFn(const ge::Operator &, ge::Operator &) {
  return SUCCESS;
}

class StandInRegistration {
public:
  explicit StandInRegistration(const char *type) : type(type) {}
  StandInRegistration &FrameworkType(domi::FrameworkType value) {
    framework = value;
    return *this;
  }
  StandInRegistration &OriginOpType(std::vector<ge::AscendString> value) {
    origins = value;
    return *this;
  }
  StandInRegistration &ParseParamsByOperatorFn(std::function<Status(const ge::Operator &, ge::Operator &)> value) {
    parse = value;
    return *this;
  }
  StandInRegistration &ImplyType(domi::ImplyType) { return *this; }
  std::string type;
  domi::FrameworkType framework = CAFFE;
  std::vector<ge::AscendString> origins;
  std::function<Status(const ge::Operator &, ge::Operator &)> parse;
};
inline std::vector<StandInRegistration> &Registered() {
  static std::vector<StandInRegistration> all;
  return all;
}
struct StandInAdd {
  StandInAdd(const StandInRegistration &one) { Registered().push_back(one); }
};
} // namespace domi

#define STAND_IN_JOIN(A, B) A##B
#define STAND_IN_NAME(A, B) STAND_IN_JOIN(A, B)
#define REGISTER_CUSTOM_OP(NAME)                                                                                       \
  static const domi::StandInAdd STAND_IN_NAME(standInRegister, __LINE__) = domi::StandInRegistration(NAME)
#endif
