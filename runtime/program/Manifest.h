// manifest.json of an op folder: what the runtime needs to know about an operator, so that it does not read
// the contract.
//
//   <folder>/manifest.json          this file
//   <folder>/op_contract.yaml       a copy, for users and `opc test`
//   <folder>/sim/<kernel>.opcsim    simulator program, one for each tiling key
//   <folder>/cpu/<op>.so            CPU kernels of all keys
//   <folder>/ascendc/<op>.cpp, <op>_tiling.h    kernel source; host tiling in C++
//   <folder>/aic-ascend310b-ops-info.json       the vendor's description

#ifndef OPC_RUNTIME_PROGRAM_MANIFEST_H
#define OPC_RUNTIME_PROGRAM_MANIFEST_H

#include "runtime/program/Bytecode.h"
#include "runtime/target/ElementType.h"
#include "runtime/target/PackedForm.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace opc {

/// One dimension of a tensor's shape: a symbol, a fixed size, or a pack ("...S"), which is any number of dimensions.
struct ManifestDim {
  enum Kind : uint8_t { Symbol, Fixed, Pack };
  Kind kind = Symbol;
  std::string name; ///< of a symbol or a pack; a product is a symbol, "H*R", with an equation
  int64_t size = 0; ///< of a fixed dimension
};

/// The shape of an output that drops axes of an input or makes them 1; or the axes of one that keeps all dimensions.
struct ManifestReduction {
  std::string input;    ///< name of the input
  std::string axes;     ///< attribute, int or list of int; an empty list means all axes
  std::string keepDims; ///< bool attribute; empty: axes are dropped
};

/// Declares that a launch refuses values of an input (contract: values, outside: refused) that are not indices along
/// a dimension.
struct ManifestValues {
  std::string along;    ///< the name of a symbol or a product in a shape
  bool fromEnd = false; ///< the range begins at minus its size; else at 0
  int64_t size = 0;     ///< the size of the dimension in a static operator, whose shapes have no names; else 0
};

struct ManifestTensor {
  std::string name;
  std::vector<ElementType> types; ///< one for each type row
  std::vector<std::string> formats;
  std::vector<ManifestDim> shape;
  bool required = true;
  bool isConstant = false; ///< of inputs: a prepared launch may be given it once
  enum Broadcast : uint8_t {
    None,             ///< the shape is the declared one
    Numpy,            ///< aligned to the right; sizes of 1 and missing ones stretch. A pack comes first
    Scalar,           ///< one element, whatever its rank
    Batch,            ///< as Numpy along the pack, which comes first; other sizes are the declared ones
  } broadcast = None; ///< of inputs
  std::optional<ManifestReduction> reduces; ///< of outputs; `shape` is empty, or that of the reduced input
  std::optional<ManifestValues> values;     ///< of inputs of int32 or int64; none: no value is refused
  /// Whether it is in columns of fractals in a type row.
  bool isPacked(size_t row) const { return packedForm(row) != PackedForm::None; }
  PackedForm packedForm(size_t row) const {
    return row < formats.size() ? packedFormOf(formats[row]) : PackedForm::None;
  }
  /// Of inputs in the outline of a contract (KernelCompiler::outline): the attribute that says at compile time whether
  /// the input exists. Empty in files, which contain only existing inputs.
  std::string presence;
  /// The same for a tensor of an input with a count: the attribute that counts the tensors. The outline has as many as
  /// the range of the attribute allows, and those beyond its minimum are not required.
  std::string count;
};

/// Most dimensions of a tensor, packs included.
inline constexpr unsigned kMaxManifestRank = 8;

/// Monostate: no value, the launch must give the attribute.
using ManifestValue = std::variant<std::monostate, double, int64_t, bool, std::string, std::vector<double>,
                                   std::vector<int64_t>, std::vector<bool>, std::vector<std::string>>;

struct ManifestAttribute {
  std::string name;
  enum Type : uint8_t { Float, Int, Bool, String, ListFloat, ListInt, ListBool, ListString } type = Float;
  enum Bind : uint8_t {
    Compile, ///< fixed in the kernels
    Launch,  ///< passed in the tiling data: no strings, no lists
    Shape,   ///< used for shapes only: axes and keep_dims of a reduction
  } bind = Launch;
  ManifestValue defaultValue;
  std::optional<double> minimum, maximum; ///< of numbers and of each number in a list
};

/// A symbol with an equation or a range, or a pack with a range. The code of an equation runs like a tiling function
/// whose inputs are symbols.
struct ManifestSymbol {
  std::string name;
  int64_t minimum = 0; ///< of the size, or of each size of a pack
  int64_t maximum = INT64_MAX;
  unsigned minimumRank = 0, maximumRank = kMaxManifestRank; ///< of packs
  std::vector<std::string> inputs; ///< names of the symbols that the equation reads; empty and no code: a free symbol
  uint16_t numRegisters = 0;
  std::vector<ScalarInstruction> code; ///< the result is in the register that is written last; empty: no equation
  std::string label;                   ///< rule label of the range or equation, for messages
};

/// A kernel of a type row. Where a row has several kernels, its tiling function selects one by its output
/// "tiling_key". All kernels of a row have the same tiling function.
struct ManifestKernel {
  std::string name; ///< "add_relu_float16": kernel, simulator program, CPU entry
  uint64_t tilingKey = 0;
  unsigned typeRow = 0;
  std::string simulatorProgram; ///< path in the folder, empty when not built
  TilingFunction tiling;
  std::vector<std::string> launchAttributes; ///< names in the order of the tiling data's last fields
  /// Of a kernel for the CPU: what its type row has that the AI Core does not support ("'devices: cpu'"), as messages
  /// say it; empty if the chip has a kernel too.
  std::string cpuAlone;
  /// Whether a kernel for the AI Core orders FIX and V by flags of their own, which no source shows the chip to have.
  bool assumesFixToV = false;
};

/// A file of the folder. The hash shows whether the file has changed since it was compiled.
struct ManifestFile {
  std::string path;   ///< in the folder
  std::string sha256; ///< of its bytes, 64 lower-case hex digits
};

struct Manifest {
  std::string opType; ///< "AddRelu"
  std::string name;   ///< "add_relu"
  std::string version;
  std::string compiler; ///< version of opc that wrote it
  std::string target;   ///< soc version
  std::string body;     ///< "aicore" or "te"
  std::string contractSha256;
  bool isStatic = false;     ///< compiled for the shapes of `inputs` only, which are all fixed
  bool refusesEmpty = false; ///< launches with tensors without elements are an error
  std::vector<ManifestTensor> inputs, outputs;
  /// Tensors of kernels that a launch makes and no caller sees: values between the nests of a kernel. Each is written
  /// before it is read.
  std::vector<ManifestTensor> workspace;
  std::vector<ManifestAttribute> attributes;
  std::vector<ManifestSymbol> symbols;
  std::vector<ManifestKernel> kernels; ///< of the chip and of the simulator
  /// Kernels of the CPU library, with their own tiling functions, where they differ from those of the chip; empty:
  /// the same as `kernels`. They are listed here so that launches are bound without loading the library.
  std::vector<ManifestKernel> cpuKernels;
  std::string cpuLibrary;             ///< path in the folder, empty when not built
  std::vector<std::string> cpuLevels; ///< "x86-64-v3"
  std::vector<ManifestFile> files;    ///< every other file of the folder, including programs and libraries

  /// Of kernels: inputs, outputs, workspace, in this order.
  size_t numTensors() const { return inputs.size() + outputs.size() + workspace.size(); }
  const ManifestTensor &tensorAt(size_t index) const {
    const size_t returned = inputs.size() + outputs.size();
    return index < inputs.size() ? inputs[index]
           : index < returned    ? outputs[index - inputs.size()]
                                 : workspace[index - returned];
  }
};

/// Checks that names are valid, paths stay inside the folder, type rows and positions exist, and all code is valid.
/// Returns the error, empty when the manifest is valid. Positions in a checked manifest may be used as indices
/// without further checks.
std::string checkManifest(const Manifest &manifest);

/// Whether a kernel may write its output over inputs of the output's shape and element size. True for one output of
/// elementwise te bodies: all tensors are scalars or have the shape [...S]. Such kernels read each element before they
/// write it.
bool mayOverwriteInputs(const Manifest &manifest);

/// JSON text with two blanks of indent and keys in a fixed order: equal manifests give equal bytes.
std::string writeManifest(const Manifest &manifest);
/// Parses and checks a manifest. Returns the error, empty on success: the text is not a manifest, or checkManifest
/// refuses it.
std::string readManifest(const std::string &text, Manifest &manifest);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MANIFEST_H
