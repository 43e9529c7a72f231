// The interface between the host files of an operator, compiled by a stock compiler, and the process that loads them.
//
// Both sides may be built by different compilers, so they share only plain data and classes of virtual functions, as
// runtime/ascendc/KernelMachine.h does for kernels. The version shows whether they match.

#ifndef OPC_RUNTIME_ASCENDC_HOST_HOSTINTERFACE_H
#define OPC_RUNTIME_ASCENDC_HOST_HOSTINTERFACE_H

#include <cstdint>

namespace opc::ascendc {

inline constexpr uint32_t kHostVersion = 3;

/// The value of an attribute: the default of a definition, or the one of a launch.
struct HostValue {
  enum Kind : int32_t { Bool, Int, Float, String, ListInt, ListFloat, ListBool, ListListInt, NumKinds };
  Kind kind = Int;
  bool present = false; ///< false: the definition has no default
  int64_t integer = 0;  ///< Bool, Int
  double real = 0;
  const char *text = "";
  const int64_t *integers = nullptr; ///< ListInt, ListBool
  const double *reals = nullptr;
  uint32_t count = 0; ///< of a list
};

/// Receives what the host files define. Texts are valid during the call.
class HostDefinition {
public:
  /// A class that OP_ADD registers; the calls up to the next `op` belong to it.
  virtual void op(const char *type, const char *file, uint32_t line) = 0;
  /// `presence` is "REQUIRED", "OPTIONAL" or "DYNAMIC".
  virtual void tensor(bool isOutput, const char *name, const char *presence, bool valueDepend) = 0;
  /// The type and format of the last tensor in the next row; the numbers are those of ge::DataType and ge::Format.
  virtual void row(int32_t type, int32_t format) = 0;
  virtual void attribute(const char *name, bool isRequired, const HostValue &value) = 0;
  virtual void chip(const char *name) = 0;
  /// The functions that are registered for the operator.
  virtual void functions(bool tiling, bool inferShape, bool inferType) = 0;
  /// A tiling structure that REGISTER_TILING_DATA_CLASS connects to an operator or to an operator and a tiling key.
  virtual void tilingClass(const char *registeredFor, const char *name) = 0;
  /// A field of the last tiling structure; `count` is 0 for a single value.
  virtual void tilingField(const char *type, const char *name, uint32_t count, bool isStructure) = 0;

protected:
  ~HostDefinition() = default;
};

/// A tensor of a launch. An omitted optional input has `present` false.
struct HostTensor {
  uint32_t parameter = 0; ///< its number among the inputs or outputs of the definition
  bool present = true;
  int32_t type = 0, format = 0;
  const int64_t *sizes = nullptr;
  uint32_t rank = 0;
  const void *values = nullptr; ///< of an input
  bool valueDepend = false;     ///< the definition says that tiling depends on them
  bool isGiven = false;         ///< an output whose sizes the caller gives, as callers of the framework's functions do
};

struct HostLaunch {
  const char *op = "";
  const HostTensor *inputs = nullptr, *outputs = nullptr; ///< outputs: type and format; their shapes are inferred
  const HostValue *attributes = nullptr;                  ///< in the order of the definition
  uint32_t numInputs = 0, numOutputs = 0, numAttributes = 0;

  // The chip.
  const char *chip = ""; ///< "Ascend310B1"
  uint32_t numCores = 1;
  uint64_t ubBytes = 0, l1Bytes = 0, l0aBytes = 0, l0bBytes = 0, l0cBytes = 0;
};

/// Receives the results of InferShape, InferDataType and TilingFunc.
class HostResult {
public:
  virtual void outputShape(uint32_t output, const int64_t *sizes, uint32_t rank) = 0;
  virtual void outputType(uint32_t output, int32_t type) = 0;
  virtual void launch(uint32_t numBlocks, uint64_t tilingKey, const void *tiling, uint64_t tilingBytes) = 0;
  virtual void workspace(uint64_t bytes) = 0;
  /// The arguments of the kernel's template that belong to the tiling key, as C++ text, or why there are none.
  virtual void templateArguments(const char *text, const char *problem) = 0;
  /// A function reads the values of an input whose definition does not say ValueDepend.
  virtual void readsValues(uint32_t input) = 0;
  /// The function that is called next, so that a crash can be reported: "TilingFunc".
  virtual void calls(const char *function) = 0;
  /// The function of the last `calls` returned another value than GRAPH_SUCCESS.
  virtual void failed() = 0;
  /// A message of the host files, or about an unsupported use of the contexts.
  virtual void message(const char *text) = 0;

protected:
  ~HostResult() = default;
};

/// The exports of the compiled host files.
class HostObject {
public:
  virtual uint32_t version() const = 0;
  virtual void define(HostDefinition &definition) = 0;
  /// Infers shapes and types, then computes the tiling data. InferShape computes the outputs whose sizes are not given;
  /// without it they have the sizes in the launch.
  virtual void launch(const HostLaunch &launch, HostResult &result) = 0;

protected:
  ~HostObject() = default;
};

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_HOST_HOSTINTERFACE_H
