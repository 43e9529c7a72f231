// The framework's element types, formats and results, with the numbers of the vendor's documentation.

#ifndef OPC_RUNTIME_ASCENDC_HOST_GRAPH_H
#define OPC_RUNTIME_ASCENDC_HOST_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ge {

enum DataType {
  DT_FLOAT = 0,
  DT_FLOAT16 = 1,
  DT_INT8 = 2,
  DT_INT32 = 3,
  DT_UINT8 = 4,
  DT_INT16 = 6,
  DT_UINT16 = 7,
  DT_UINT32 = 8,
  DT_INT64 = 9,
  DT_UINT64 = 10,
  DT_DOUBLE = 11,
  DT_BOOL = 12,
  DT_STRING = 13,
  DT_COMPLEX64 = 16,
  DT_COMPLEX128 = 17,
  DT_QINT8 = 18,
  DT_QINT16 = 19,
  DT_QINT32 = 20,
  DT_QUINT8 = 21,
  DT_QUINT16 = 22,
  DT_RESOURCE = 23,
  DT_DUAL = 25,
  DT_VARIANT = 26,
  DT_BF16 = 27,
  DT_UNDEFINED = 28,
  DT_INT4 = 29,
  DT_UINT1 = 30,
  DT_INT2 = 31,
  DT_UINT2 = 32,
  DT_COMPLEX32 = 33
};

enum Format {
  FORMAT_NCHW = 0,
  FORMAT_NHWC = 1,
  FORMAT_ND = 2,
  FORMAT_NC1HWC0 = 3,
  FORMAT_FRACTAL_Z = 4,
  FORMAT_HWCN = 16,
  FORMAT_NDHWC = 27,
  FORMAT_FRACTAL_NZ = 29,
  FORMAT_NCDHW = 30,
  FORMAT_NCL = 47,
  FORMAT_NULL = 0x7fffffff - 1,
  FORMAT_RESERVED = 0x7fffffff
};

using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xffffffff;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;

/// Bytes of an element; 0 for types without a size in whole bytes.
inline int GetSizeByDataType(DataType type) {
  switch (type) {
  case DT_INT8:
  case DT_UINT8:
  case DT_BOOL:
  case DT_QINT8:
  case DT_QUINT8:
    return 1;
  case DT_FLOAT16:
  case DT_BF16:
  case DT_INT16:
  case DT_UINT16:
  case DT_QINT16:
  case DT_QUINT16:
    return 2;
  case DT_FLOAT:
  case DT_INT32:
  case DT_UINT32:
  case DT_QINT32:
  case DT_COMPLEX32:
    return 4;
  case DT_INT64:
  case DT_UINT64:
  case DT_DOUBLE:
  case DT_COMPLEX64:
    return 8;
  case DT_COMPLEX128:
    return 16;
  default:
    return 0;
  }
}

/// The bytes of an element and the names of types and formats.
class TypeUtils {
public:
  /// False for types without a size in whole bytes.
  static bool GetDataTypeLength(DataType type, uint32_t &length) {
    const int bytes = GetSizeByDataType(type);
    if (bytes > 0)
      length = uint32_t(bytes);
    return bytes > 0;
  }
  /// "DT_FLOAT16"
  static std::string DataTypeToSerialString(DataType type);
  /// "ND"
  static std::string FormatToSerialString(Format format);
};

inline std::string TypeUtils::DataTypeToSerialString(DataType type) {
  static const std::pair<DataType, const char *> names[] = {
      {DT_FLOAT, "DT_FLOAT"},   {DT_FLOAT16, "DT_FLOAT16"},     {DT_INT8, "DT_INT8"},
      {DT_INT32, "DT_INT32"},   {DT_UINT8, "DT_UINT8"},         {DT_INT16, "DT_INT16"},
      {DT_UINT16, "DT_UINT16"}, {DT_UINT32, "DT_UINT32"},       {DT_INT64, "DT_INT64"},
      {DT_UINT64, "DT_UINT64"}, {DT_DOUBLE, "DT_DOUBLE"},       {DT_BOOL, "DT_BOOL"},
      {DT_STRING, "DT_STRING"}, {DT_COMPLEX64, "DT_COMPLEX64"}, {DT_COMPLEX128, "DT_COMPLEX128"},
      {DT_BF16, "DT_BF16"},     {DT_INT4, "DT_INT4"},           {DT_COMPLEX32, "DT_COMPLEX32"}};
  for (const auto &[number, name] : names)
    if (number == type)
      return name;
  return "DT_UNDEFINED";
}

inline std::string TypeUtils::FormatToSerialString(Format format) {
  static const std::pair<Format, const char *> names[] = {
      {FORMAT_NCHW, "NCHW"},       {FORMAT_NHWC, "NHWC"},   {FORMAT_ND, "ND"},
      {FORMAT_NC1HWC0, "NC1HWC0"}, {FORMAT_HWCN, "HWCN"},   {FORMAT_FRACTAL_Z, "FRACTAL_Z"},
      {FORMAT_NDHWC, "NDHWC"},     {FORMAT_NCDHW, "NCDHW"}, {FORMAT_FRACTAL_NZ, "FRACTAL_NZ"},
      {FORMAT_NCL, "NCL"}};
  for (const auto &[number, name] : names)
    if (number == format)
      return name;
  return "RESERVED";
}

/// The size of a dimension that is not known before the launch, and of a shape whose rank is not.
constexpr int64_t UNKNOWN_DIM = -1;
constexpr int64_t UNKNOWN_DIM_NUM = -2;

/// A shape for functions of the kernel library; the contexts have gert::Shape.
class Shape {
public:
  Shape() = default;
  explicit Shape(std::vector<int64_t> sizes) : sizes(std::move(sizes)) {}
  size_t GetDimNum() const { return sizes.size(); }
  int64_t GetDim(size_t index) const { return index < sizes.size() ? sizes[index] : 0; }
  std::vector<int64_t> GetDims() const { return sizes; }
  /// The number of elements; 0 without dimensions.
  int64_t GetShapeSize() const {
    int64_t count = sizes.empty() ? 0 : 1;
    for (int64_t size : sizes)
      if (size < 0 || __builtin_mul_overflow(count, size, &count))
        return -1;
    return count;
  }

private:
  std::vector<int64_t> sizes;
};

class AscendString {
public:
  AscendString() = default;
  AscendString(const char *text) : text(text ? text : "") {}
  const char *GetString() const { return text.c_str(); }
  size_t GetLength() const { return text.size(); }
  bool operator==(const AscendString &other) const { return text == other.text; }
  bool operator<(const AscendString &other) const { return text < other.text; }

private:
  std::string text;
};

} // namespace ge

#endif // OPC_RUNTIME_ASCENDC_HOST_GRAPH_H
