// Declarations of the graph engine: each word becomes a call that keeps what was said.
#ifndef STAND_IN_OPERATOR_REG_H
#define STAND_IN_OPERATOR_REG_H
#include "../stand_in.h"

namespace ge {
struct TensorType {
  TensorType(std::initializer_list<DataType> types) : types(types) {}
  std::vector<DataType> types;
};
using Float = float;
using Int = int64_t;
using Bool = bool;
using String = std::string;
using ListInt = std::vector<int64_t>;
using ListFloat = std::vector<float>;
using ListBool = std::vector<bool>;

class StandInProto {
public:
  explicit StandInProto(const char *name) : name(name) {}
  StandInProto &Tensor(const char *kind, const char *tensor, TensorType type) {
    said += std::string(said.empty() ? "" : " ") + kind + ":" + tensor + ":" + std::to_string(type.types.size());
    return *this;
  }
  template <typename T> StandInProto &Attr(const char *attr, T) {
    said += std::string(" attr:") + attr;
    return *this;
  }
  StandInProto &Done(const char *end) {
    closed = end;
    return *this;
  }
  std::string name, said, closed;
};
inline std::vector<StandInProto> &Protos() {
  static std::vector<StandInProto> all;
  return all;
}
struct StandInProtoAdd {
  StandInProtoAdd(const StandInProto &proto) { Protos().push_back(proto); }
};
} // namespace ge

#define REG_OP(NAME) static const StandInProtoAdd standInProto##NAME = StandInProto(#NAME)
#define INPUT(NAME, ...) Tensor("input", #NAME, __VA_ARGS__)
#define OPTIONAL_INPUT(NAME, ...) Tensor("optional", #NAME, __VA_ARGS__)
#define OUTPUT(NAME, ...) Tensor("output", #NAME, __VA_ARGS__)
#define ATTR(NAME, TYPE, ...) Attr(#NAME, TYPE(__VA_ARGS__))
#define REQUIRED_ATTR(NAME, TYPE) Attr(#NAME, TYPE())
#define OP_END_FACTORY_REG(NAME) Done(#NAME);
#endif
