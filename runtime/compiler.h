// The compiler interface that the kernel cache calls on a miss. The runtime does not link a compiler; a compiler
// registers itself.
//
//   opc          registers lowering/pipelines' compiler when a command needs kernels
//   a board      registers none: a miss is an error that says so
//
// A request names a contract and everything that is fixed at compile time. Its key holds all inputs of the compilation
// and no ambient state: no path, no time, no environment. This header is a leaf: every layer may include it.

#ifndef OPC_RUNTIME_COMPILER_H
#define OPC_RUNTIME_COMPILER_H

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/Manifest.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace opc {

struct KernelRequest {
  std::string contract;              ///< path of op_contract.yaml
  std::string target = "Ascend310B"; ///< chip or family
  std::string body;                  ///< "te", "aicore"; empty: the contract's first
  /// Element types of the inputs in the order of the original contract, which select a type row. Inputs that
  /// `attributes` remove are included, and their type has no meaning; an input with a count has one type for all its
  /// tensors. They are followed by the types of the outputs where several rows have these inputs. A packed type is
  /// "float16:FRACTAL_NZ".
  std::vector<std::string> types;
  /// Attributes with the binding Compile whose value is not the default: name to value, as text.
  std::map<std::string, std::string> attributes;
};

/// Everything that the result of a compilation depends on.
struct KernelKey {
  std::string opType;
  /// Shape keys of the kernels in the entry; "all" when one compilation makes the kernels of every key of the row.
  std::string tilingKey = "all";
  std::vector<std::string> types;                ///< of inputs, then outputs
  std::vector<std::string> formats;              ///< of inputs, then outputs
  std::map<std::string, std::string> attributes; ///< with the binding Compile, by name
  std::string target;                            ///< "Ascend310B1"
  std::string compiler;                          ///< version and build
  std::string schedule;                          ///< "default", or a hash of the author's schedule file
  std::string source;                            ///< hash of contract and body

  /// Name and value of each field in a fixed order; `opc cache why` compares them.
  std::vector<std::pair<std::string, std::string>> fields() const;
  /// "name=value" lines; two texts are equal if and only if the keys are.
  std::string text() const;
  /// SHA-256 of the text, lower-case hex.
  std::string hash() const;
  /// Parses the result of `text()`; nullopt for any other text.
  static std::optional<KernelKey> parse(const std::string &text);
};

/// A file of an op folder; `path` is relative to the folder.
struct KernelFile {
  std::string path;
  std::string bytes;
};

class KernelCompiler {
public:
  virtual ~KernelCompiler() = default;
  /// Reads a contract and returns a manifest of all type rows, without kernels and files. Returns nullopt after
  /// reporting the contract's errors.
  virtual std::optional<Manifest> outline(const std::string &contract, Diagnostics &diagnostics) = 0;
  /// The key of a request; reads the contract but does not compile. Returns nullopt after reporting an error.
  virtual std::optional<KernelKey> describe(const KernelRequest &request, Diagnostics &diagnostics) = 0;
  /// Compiles the requested row. Returns the files of the op folder, manifest.json included; empty after reporting
  /// an error.
  virtual std::vector<KernelFile> compile(const KernelRequest &request, Diagnostics &diagnostics) = 0;
};

/// Sets the compiler of this process; a later registration replaces an earlier one. Thread-safe, as kernelCompiler.
void registerKernelCompiler(std::shared_ptr<KernelCompiler> compiler);
/// The registered compiler, null when there is none.
std::shared_ptr<KernelCompiler> kernelCompiler();

} // namespace opc

#endif // OPC_RUNTIME_COMPILER_H
