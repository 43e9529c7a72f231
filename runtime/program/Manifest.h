// manifest.json of an op folder: what the runtime needs to know of an operator without its
// contract.
//
//   <folder>/manifest.json          this file
//   <folder>/op_contract.yaml       a copy, for people and `opc test`
//   <folder>/sim/<kernel>.opcsim    simulator program, one for each tiling key
//   <folder>/cpu/<op>.so            CPU kernels of all keys
//   <folder>/ascendc/<op>.cpp, <op>_tiling.h    kernel source; host tiling in C++
//   <folder>/aic-ascend310b-ops-info.json       the vendor's description

#ifndef OPC_RUNTIME_PROGRAM_MANIFEST_H
#define OPC_RUNTIME_PROGRAM_MANIFEST_H

#include "runtime/program/Bytecode.h"
#include "runtime/target/ElementType.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace opc {

/// One dimension of a tensor's shape: a symbol, a fixed size, or a pack ("...S") that stands for
/// any number of dimensions.
struct ManifestDim {
  enum Kind : uint8_t { Symbol, Fixed, Pack };
  Kind kind = Symbol;
  std::string name; ///< of a symbol or a pack
  int64_t size = 0; ///< of a fixed dimension
};

struct ManifestTensor {
  std::string name;
  std::vector<ElementType> types; ///< one for each type row
  std::vector<std::string> formats;
  std::vector<ManifestDim> shape;
  bool required = true;
};

struct ManifestAttribute {
  std::string name;
  enum Type : uint8_t { Float, Int, Bool, String } type = Float;
  bool launch = true; ///< travels in the tiling data; else fixed at compile time
  std::variant<std::monostate, double, int64_t, bool, std::string>
      defaultValue; ///< monostate: required
  std::optional<double> minimum, maximum;
};

/// A symbol that is computed (equation) or bounded (range). Code works like a tiling function:
/// inputs are symbols by name.
struct ManifestSymbol {
  std::string name;
  int64_t minimum = 0;
  int64_t maximum = INT64_MAX;
  std::vector<std::string> inputs; ///< symbols the equation reads; empty and no code: a free symbol
  uint16_t numRegisters = 0;
  std::vector<ScalarInstruction> code; ///< result in the last register written; empty: no equation
  std::string label;                   ///< rule label of the range or equation, for messages
};

struct ManifestKernel {
  std::string name; ///< "add_relu_float16": kernel, simulator program, CPU entry
  uint64_t tilingKey = 0;
  unsigned typeRow = 0;
  std::string simulatorProgram; ///< path in the folder, empty when not built
  TilingFunction tiling;
  std::vector<std::string>
      launchAttributes; ///< names in the order of the tiling data's last fields
};

/// A file of the folder. The hash tells whether it is still the file that was compiled.
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
  std::vector<ManifestTensor> inputs, outputs;
  std::vector<ManifestAttribute> attributes;
  std::vector<ManifestSymbol> symbols;
  std::vector<ManifestKernel> kernels;
  std::string cpuLibrary;             ///< path in the folder, empty when not built
  std::vector<std::string> cpuLevels; ///< "x86-64-v3"
  std::vector<ManifestFile>
      files; ///< every other file of the folder, programs and libraries among them
};

/// Whether names are names, paths stay inside the folder, type rows and positions exist, and all
/// code is checked; the text says what is wrong, empty when all is well. Whoever holds a checked
/// manifest may index with what it says.
std::string checkManifest(const Manifest &manifest);

/// JSON text, two blanks of indent, keys in a fixed order: the same manifest gives the same bytes.
std::string writeManifest(const Manifest &manifest);
/// Returns the reason of a refusal, empty when all is well: text that is no manifest, or one that
/// checkManifest refuses.
std::string readManifest(const std::string &text, Manifest &manifest);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MANIFEST_H
