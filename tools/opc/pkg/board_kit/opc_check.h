// Runs an operator on the device through its two-phase call on the .npy files of check/<case>/, and compares
// the results.
//
// The outputs there come from the CPU kernel of the same contract. CPU kernel and device are each within the
// contract's tolerance of the exact result, so they may differ by twice the tolerance. Uses C++17, the standard
// library and the toolkit's public API.
#ifndef OPC_TOOLS_OPC_PKG_BOARD_KIT_OPC_CHECK_H
#define OPC_TOOLS_OPC_PKG_BOARD_KIT_OPC_CHECK_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

namespace opc_check {

// How far a result may be from the exact one.
struct Tolerance {
  double ulp = 0;
  std::vector<size_t> plusInputs,
      plusAttributes;                                        // |product| of these is added to `ulp`, element by element
  double absolute = -1, meanRelative = -1, maxRelative = -1; // below 0: none
  bool flushed = false;                                      // subnormal numbers of the type may be flushed to zero
};

struct Case {
  std::string folder;
  std::vector<std::string> inputs,
      outputs; // names of tensors, in the order of the call; "" for an omitted one
  std::vector<double> attributes;
  std::vector<Tolerance> tolerances; // one for each output
};

struct Array {
  std::string type; // the type code of .npy: "<f2", "<f4", "<V2" (bfloat16), "|i1", ...
  std::vector<int64_t> shape;
  std::vector<char> bytes;

  size_t Size() const {
    size_t count = 1;
    for (int64_t size : shape)
      count *= static_cast<size_t>(size);
    return count;
  }
  size_t ElementBytes() const { return static_cast<size_t>(std::atoi(type.c_str() + 2)); }
};

[[noreturn]] inline void Fail(const std::string &what) {
  std::fprintf(stderr, "error: %s\n", what.c_str());
  std::exit(1);
}

inline void Expect(int status, const std::string &what) {
  if (status != 0)
    Fail(what + " returned " + std::to_string(status) + "; errors.md explains the number");
}

inline Array ReadNpy(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::string data((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (data.size() < 12 || data.compare(0, 6, "\x93NUMPY") != 0)
    Fail("'" + path + "' is no .npy file");
  size_t wide = data[6] > 1 ? 4 : 2, length = 0;
  for (size_t i = 0; i < wide; ++i)
    length |= static_cast<size_t>(static_cast<unsigned char>(data[8 + i])) << (8 * i);
  size_t start = 8 + wide + length;
  if (start > data.size())
    Fail("'" + path + "' ends in its header");
  std::string header = data.substr(8 + wide, length);
  Array array;
  size_t descr = header.find("'descr'"), shape = header.find("'shape'");
  if (descr == std::string::npos || shape == std::string::npos)
    Fail("'" + path + "' has a header of another form");
  size_t open = header.find('\'', descr + 8);
  array.type = header.substr(open + 1, header.find('\'', open + 1) - open - 1);
  if (array.type == "|b1")
    array.type = "|u1";
  for (size_t at = header.find('(', shape) + 1; at < header.size() && header[at] != ')';) {
    if (header[at] < '0' || header[at] > '9') {
      ++at;
      continue;
    }
    size_t used = 0;
    array.shape.push_back(std::stoll(header.substr(at), &used));
    at += used;
  }
  array.bytes.assign(data.begin() + static_cast<std::ptrdiff_t>(start), data.end());
  if (array.bytes.size() != array.Size() * array.ElementBytes())
    Fail("'" + path + "' has another length than its shape");
  return array;
}

inline float FromHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float value = exponent == 31  ? (fraction ? NAN : INFINITY)
                : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return bits >> 15 ? -value : value;
}

inline double Element(const Array &array, size_t i) {
  const char *at = array.bytes.data() + i * array.ElementBytes();
  auto load = [at](auto value) {
    std::memcpy(&value, at, sizeof value);
    return value;
  };
  const std::string kind = array.type.substr(1);
  if (kind == "f2")
    return FromHalf(load(uint16_t()));
  if (kind == "f4")
    return load(float());
  if (kind == "f8")
    return load(double());
  if (kind == "V2") {
    uint32_t bits = static_cast<uint32_t>(load(uint16_t())) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (kind == "i1")
    return load(int8_t());
  if (kind == "u1")
    return load(uint8_t());
  if (kind == "i2")
    return load(int16_t());
  if (kind == "u2")
    return load(uint16_t());
  if (kind == "i4")
    return load(int32_t());
  if (kind == "u4")
    return load(uint32_t());
  if (kind == "i8")
    return static_cast<double>(load(int64_t()));
  return static_cast<double>(load(uint64_t()));
}

inline aclDataType TypeOf(const Array &array, const std::string &name) {
  const std::string kind = array.type.substr(1);
  if (kind == "f2")
    return ACL_FLOAT16;
  if (kind == "f4")
    return ACL_FLOAT;
  if (kind == "f8")
    return ACL_DOUBLE;
  if (kind == "V2")
    return ACL_BF16;
  if (kind == "i1")
    return ACL_INT8;
  if (kind == "u1")
    return ACL_UINT8;
  if (kind == "i2")
    return ACL_INT16;
  if (kind == "u2")
    return ACL_UINT16;
  if (kind == "i4")
    return ACL_INT32;
  if (kind == "u4")
    return ACL_UINT32;
  if (kind == "i8")
    return ACL_INT64;
  if (kind == "u8")
    return ACL_UINT64;
  Fail("'" + name + "' has elements " + array.type);
}

// The distance to the next number at a value, in the array's type; 0 for integers.
inline double Ulp(const Array &array, double value) {
  const std::string kind = array.type.substr(1);
  int bits = kind == "f2" ? 10 : kind == "f4" ? 23 : kind == "V2" ? 7 : kind == "f8" ? 52 : -1;
  int lowest = kind == "f2" ? -14 : kind == "f8" ? -1022 : -126;
  if (bits < 0)
    return 0;
  int exponent = value == 0 ? lowest : std::ilogb(std::fabs(value));
  return std::ldexp(1.0, (exponent < lowest ? lowest : exponent) - bits);
}

// A tensor on the device.
class DeviceTensor {
public:
  DeviceTensor(const Array &array, bool upload, const std::string &name) : bytes(array.bytes.size()) {
    // aclrtMalloc refuses a size of 0.
    Expect(aclrtMalloc(&memory, bytes == 0 ? 32 : bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    if (upload && bytes != 0)
      Expect(aclrtMemcpy(memory, bytes, array.bytes.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE), "aclrtMemcpy");
    std::vector<int64_t> strides(array.shape.size(), 1);
    for (size_t i = strides.size(); i-- > 1;)
      strides[i - 1] = strides[i] * array.shape[i];
    tensor = aclCreateTensor(array.shape.data(), array.shape.size(), TypeOf(array, name), strides.data(), 0,
                             ACL_FORMAT_ND, array.shape.data(), array.shape.size(), memory);
    if (tensor == nullptr)
      Fail("aclCreateTensor made no tensor for '" + name + "'");
  }
  DeviceTensor(const DeviceTensor &) = delete;
  ~DeviceTensor() {
    aclDestroyTensor(tensor);
    aclrtFree(memory);
  }
  std::vector<char> Download() const {
    std::vector<char> data(bytes);
    if (bytes != 0)
      Expect(aclrtMemcpy(data.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST), "aclrtMemcpy");
    return data;
  }
  aclTensor *tensor = nullptr;

private:
  void *memory = nullptr;
  size_t bytes;
};

// The arguments of a call: null for an omitted input.
struct Tensors {
  std::vector<aclTensor *> in, out;
};
using Prepare = aclnnStatus (*)(const Tensors &, const Case &, uint64_t *, aclOpExecutor **);
using Launch = aclnnStatus (*)(void *, uint64_t, aclOpExecutor *, aclrtStream);

// The smallest normal number of the array's type.
inline double SmallestNormal(const Array &array) {
  const std::string kind = array.type.substr(1);
  return std::ldexp(1.0, kind == "f2" ? -14 : kind == "f8" ? -1022 : -126);
}

// Whether a difference is undocumented behaviour of the chip: 16-bit floats may overflow to the largest number
// instead of infinity; if the tolerance says so, subnormal arguments and results may be zero.
inline bool IsOpen(const Array &array, double found, double expected, double error, const Tolerance &tolerance,
                   const std::vector<Array> &inputs, size_t index) {
  const std::string kind = array.type.substr(1);
  if (std::isinf(expected) && (kind == "f2" || kind == "V2")) {
    double largest = kind == "f2" ? 65504.0 : std::ldexp(255.0, 120);
    return found == std::copysign(largest, expected);
  }
  if (!tolerance.flushed)
    return false;
  const double normal = SmallestNormal(array);
  if (found == 0 && std::fabs(expected) - error < normal)
    return true;
  for (const Array &input : inputs) {
    if (input.type != array.type || input.Size() != array.Size())
      continue;
    double size = std::fabs(Element(input, index));
    if (size != 0 && size < normal)
      return true;
  }
  return false;
}

// Compares an output; returns the difference, empty when it is within the tolerance.
inline std::string Compare(const Array &found, const Array &expected, const Tolerance &tolerance, const Case &one,
                           const std::vector<Array> &inputs) {
  double sum = 0;
  for (size_t i = 0; i < expected.Size(); ++i) {
    double a = Element(found, i), e = Element(expected, i);
    if (a == e || (std::isnan(a) && std::isnan(e)))
      continue;
    double error = std::fabs(a - e), ulp = Ulp(expected, e), units = 2 * tolerance.ulp;
    if (!tolerance.plusInputs.empty() || !tolerance.plusAttributes.empty()) {
      double product = 2;
      for (size_t k : tolerance.plusInputs)
        product *= inputs[k].Size() == expected.Size() ? Element(inputs[k], i) : 1;
      for (size_t k : tolerance.plusAttributes)
        product *= one.attributes[k];
      units += std::fabs(product);
    }
    double relative = error / (std::fabs(e) > 1e-12 ? std::fabs(e) : 1e-12);
    bool good = error <= units * ulp || (tolerance.absolute >= 0 && error <= 2 * tolerance.absolute);
    good = good || IsOpen(expected, a, e, units * ulp, tolerance, inputs, i);
    if (tolerance.maxRelative >= 0)
      good = good || relative <= 2 * tolerance.maxRelative;
    if (tolerance.meanRelative >= 0) {
      good = good || tolerance.maxRelative < 0;
      sum += relative;
    }
    if (!good || std::isnan(error)) {
      char text[160];
      std::snprintf(text, sizeof text, "element %zu is %.9g, expected %.9g", i, a, e);
      return text;
    }
  }
  if (tolerance.meanRelative >= 0 && expected.Size() != 0 &&
      sum / static_cast<double>(expected.Size()) > 2 * tolerance.meanRelative)
    return "the mean of the relative errors is " + std::to_string(sum / static_cast<double>(expected.Size()));
  return {};
}

inline bool RunCase(const std::string &root, const Case &one, Prepare prepare, Launch launch, aclrtStream stream,
                    unsigned loop) {
  const std::string folder = root + "/" + one.folder + "/";
  std::vector<Array> inputs, expected;
  std::vector<DeviceTensor *> owned;
  Tensors tensors;
  for (const std::string &name : one.inputs) {
    inputs.push_back(name.empty() ? Array() : ReadNpy(folder + name + ".npy"));
    if (!name.empty())
      owned.push_back(new DeviceTensor(inputs.back(), true, name));
    tensors.in.push_back(name.empty() ? nullptr : owned.back()->tensor);
  }
  size_t firstOutput = owned.size();
  for (const std::string &name : one.outputs) {
    expected.push_back(ReadNpy(folder + name + ".npy"));
    owned.push_back(new DeviceTensor(expected.back(), false, name));
    tensors.out.push_back(owned.back()->tensor);
  }
  for (unsigned i = 0; i < loop; ++i) {
    uint64_t bytes = 0;
    aclOpExecutor *executor = nullptr;
    Expect(prepare(tensors, one, &bytes, &executor), one.folder + ": the first phase");
    void *workspace = nullptr;
    if (bytes != 0)
      Expect(aclrtMalloc(&workspace, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    Expect(launch(workspace, bytes, executor, stream), one.folder + ": the launch");
    Expect(aclrtSynchronizeStream(stream), one.folder + ": aclrtSynchronizeStream");
    if (workspace != nullptr)
      aclrtFree(workspace);
  }
  bool good = true;
  for (size_t i = 0; i < expected.size(); ++i) {
    Array found = expected[i];
    found.bytes = owned[firstOutput + i]->Download();
    std::string wrong = Compare(found, expected[i], one.tolerances[i], one, inputs);
    good = good && wrong.empty();
    std::printf("%-8s %s %s%s%s\n", wrong.empty() ? "passed" : "FAILED", one.folder.c_str(), one.outputs[i].c_str(),
                wrong.empty() ? "" : ": ", wrong.c_str());
  }
  for (DeviceTensor *tensor : owned)
    delete tensor;
  return good;
}

// Arguments: <folder> [launches of each case]
inline int Main(const std::vector<Case> &cases, Prepare prepare, Launch launch, int argc, char **argv) {
  const std::string root = argc > 1 ? argv[1] : "check";
  const unsigned loop = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  Expect(aclInit(nullptr), "aclInit");
  Expect(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Expect(aclrtCreateStream(&stream), "aclrtCreateStream");
  size_t failed = 0;
  for (const Case &one : cases)
    failed += !RunCase(root, one, prepare, launch, stream, loop == 0 ? 1 : loop);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  std::printf("%zu of %zu cases passed\n", cases.size() - failed, cases.size());
  return failed == 0 ? 0 : 1;
}

} // namespace opc_check

#endif // OPC_TOOLS_OPC_PKG_BOARD_KIT_OPC_CHECK_H
