// Tensors and attributes of a launch for a host function.

#ifndef OPC_RUNTIME_ASCENDC_HOST_TENSORS_H
#define OPC_RUNTIME_ASCENDC_HOST_TENSORS_H

#include "runtime/ascendc/host/HostInterface.h"
#include "runtime/ascendc/host/Shapes.h"

#include <cstring>
#include <type_traits>
#include <vector>

namespace gert {

class CompileTimeTensorDesc {
public:
  CompileTimeTensorDesc() = default;
  CompileTimeTensorDesc(ge::DataType type, ge::Format format) : type(type), format(format) {}
  ge::DataType GetDataType() const { return type; }
  const StorageFormat &GetFormat() const { return format; }
  ge::Format GetStorageFormat() const { return format.GetStorageFormat(); }
  ge::Format GetOriginFormat() const { return format.GetOriginFormat(); }

private:
  ge::DataType type = ge::DT_UNDEFINED;
  StorageFormat format;
};

class Tensor {
public:
  Tensor() = default;
  /// `result`, if it is not null, receives reads of the values.
  Tensor(const StorageShape &shape, const CompileTimeTensorDesc &desc, const opc::ascendc::HostTensor &given,
         opc::ascendc::HostResult *result)
      : shape(shape), desc(desc), values(given.values), parameter(given.parameter), result(result) {}
  int64_t GetShapeSize() const { return shape.GetStorageShape().GetShapeSize(); }
  const StorageShape &GetShape() const { return shape; }
  const Shape &GetStorageShape() const { return shape.GetStorageShape(); }
  const Shape &GetOriginShape() const { return shape.GetOriginShape(); }
  ge::DataType GetDataType() const { return desc.GetDataType(); }
  const StorageFormat &GetFormat() const { return desc.GetFormat(); }
  ge::Format GetStorageFormat() const { return desc.GetStorageFormat(); }
  ge::Format GetOriginFormat() const { return desc.GetOriginFormat(); }
  size_t GetSize() const { return size_t(GetShapeSize()) * size_t(ge::GetSizeByDataType(GetDataType())); }
  /// The elements of an input; null for outputs.
  template <typename T> const T *GetData() const { return static_cast<const T *>(GetAddr()); }
  const void *GetAddr() const {
    if (values && result)
      result->readsValues(parameter);
    return values;
  }

private:
  StorageShape shape;
  CompileTimeTensorDesc desc;
  const void *values = nullptr;
  uint32_t parameter = 0;
  opc::ascendc::HostResult *result = nullptr;
};

/// A list as an attribute.
template <typename T> class TypedContinuousVector {
public:
  size_t GetSize() const { return values.size(); }
  size_t GetCapacity() const { return values.size(); }
  const T *GetData() const { return values.data(); }
  std::vector<T> values;
};
using ContinuousVector = TypedContinuousVector<int64_t>;

/// The values of attributes in the order of the operator's definition.
class RuntimeAttrs {
public:
  explicit RuntimeAttrs(const opc::ascendc::HostLaunch *launch) {
    for (uint32_t i = 0; launch && i < launch->numAttributes; ++i) {
      const opc::ascendc::HostValue &given = launch->attributes[i];
      Value value;
      value.kind = given.kind;
      value.present = given.present;
      value.integer = given.integer;
      value.real = float(given.real);
      value.truth = given.integer != 0;
      value.text = given.text;
      value.setBytes(given.count);
      if (given.integers)
        value.integers.values.assign(given.integers, given.integers + given.count);
      if (given.integers)
        value.truths.values.assign(given.integers, given.integers + given.count);
      if (given.reals)
        value.reals.values.assign(given.reals, given.reals + given.count);
      values.push_back(std::move(value));
    }
  }
  size_t GetAttrNum() const { return values.size(); }
  const int64_t *GetInt(size_t index) const { return of(index, Kind::Int, &Value::integer); }
  const float *GetFloat(size_t index) const { return of(index, Kind::Float, &Value::real); }
  const bool *GetBool(size_t index) const { return of(index, Kind::Bool, &Value::truth); }
  const char *GetStr(size_t index) const {
    const Value *value = at(index, Kind::String);
    return value ? value->text.c_str() : nullptr;
  }
  const TypedContinuousVector<int64_t> *GetListInt(size_t index) const {
    return of(index, Kind::ListInt, &Value::integers);
  }
  const TypedContinuousVector<float> *GetListFloat(size_t index) const {
    return of(index, Kind::ListFloat, &Value::reals);
  }
  const TypedContinuousVector<uint8_t> *GetListBool(size_t index) const {
    return of(index, Kind::ListBool, &Value::truths);
  }
  /// The value in the type that the caller names: int64_t, float, bool, char (a string), or a list.
  template <typename T> const T *GetAttrPointer(size_t index) const {
    using U = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<U, float>)
      return GetFloat(index);
    else if constexpr (std::is_same_v<U, bool>)
      return GetBool(index);
    else if constexpr (std::is_same_v<U, char>)
      return GetStr(index);
    else if constexpr (std::is_same_v<U, TypedContinuousVector<int64_t>>)
      return GetListInt(index);
    else if constexpr (std::is_same_v<U, TypedContinuousVector<float>>)
      return GetListFloat(index);
    else {
      static_assert(std::is_integral_v<U>, "attributes are bool, int64_t, float, strings and lists of them");
      return reinterpret_cast<const T *>(GetInt(index)); // narrower integers: their low bytes, as in the framework
    }
  }

private:
  using Kind = opc::ascendc::HostValue::Kind;
  struct Value {
    Kind kind = Kind::Int;
    bool present = false, truth = false;
    int64_t integer = 0;
    float real = 0;
    std::string text;
    alignas(8) uint8_t bytes[8] = {}; ///< the value for a caller that names another type
    TypedContinuousVector<int64_t> integers;
    TypedContinuousVector<float> reals;
    TypedContinuousVector<uint8_t> truths;
    void setBytes(int64_t elements) {
      if (kind == Kind::Float)
        __builtin_memcpy(bytes, &real, sizeof real);
      else if (kind == Kind::String)
        __builtin_memcpy(bytes, text.c_str(), text.size() < sizeof bytes ? text.size() : sizeof bytes);
      else
        __builtin_memcpy(bytes, kind == Kind::Int || kind == Kind::Bool ? &integer : &elements, sizeof bytes);
    }
  };
  const Value *at(size_t index, Kind kind) const {
    return index < values.size() && values[index].present && values[index].kind == kind ? &values[index] : nullptr;
  }
  template <typename T> const T *of(size_t index, Kind kind, T Value::*field) const {
    if (const Value *value = at(index, kind))
      return &(value->*field);
    // The framework does not check types: it reads the first bytes as the caller's type. A list starts with its size.
    if constexpr (std::is_arithmetic_v<T>)
      if (index < values.size() && values[index].present)
        return reinterpret_cast<const T *>(values[index].bytes);
    return nullptr;
  }

  std::vector<Value> values;
};

} // namespace gert

#endif // OPC_RUNTIME_ASCENDC_HOST_TENSORS_H
