// What a miss of the kernel cache calls: the runtime knows no compiler, a compiler registers itself.
//
//   opc          registers lowering/pipelines' compiler when it starts
//   a board      registers none: a miss is an error that says so
//
// A request names a contract and what is fixed when it is compiled. Its key holds all that the result depends on and
// nothing ambient: no path, no time, no environment. A leaf: every layer may include it.

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
  /// Of the inputs, in the contract's order: one row of its table; then, where they leave a choice, of the outputs.
  std::vector<std::string> types;
  /// Attributes bound when compiled that take another value than their default, as text.
  std::map<std::string, std::string> attributes;
};

/// Everything that decides what a compile gives.
struct KernelKey {
  std::string opType;
  /// Keys of the kernels in the entry; "all" where one compile gives every key of the row.
  std::string tilingKey = "all";
  std::vector<std::string> types;                ///< of inputs, then outputs
  std::vector<std::string> formats;              ///< likewise
  std::map<std::string, std::string> attributes; ///< bound when compiled, by name
  std::string target;                            ///< "Ascend310B1"
  std::string compiler;                          ///< version and build
  std::string schedule;                          ///< "default", or a hash of the author's
  std::string source;                            ///< hash of contract and body

  /// Name and value of each field in a fixed order, as `why` compares them.
  std::vector<std::pair<std::string, std::string>> fields() const;
  /// "name=value" lines: equal for equal keys alone.
  std::string text() const;
  /// SHA-256 of the text.
  std::string hash() const;
  /// Reads `text()` back; nothing when it is none.
  static std::optional<KernelKey> parse(const std::string &text);
};

/// A file of an op folder, by its path in it.
struct KernelFile {
  std::string path;
  std::string bytes;
};

class KernelCompiler {
public:
  virtual ~KernelCompiler() = default;
  /// What a contract says of its operator: a manifest of all type rows, without kernels and files. Nothing, with
  /// the contract's errors.
  virtual std::optional<Manifest> outline(const std::string &contract, Diagnostics &diagnostics) = 0;
  /// The key of a request: reads the contract, compiles nothing.
  virtual std::optional<KernelKey> describe(const KernelRequest &request, Diagnostics &diagnostics) = 0;
  /// The files of an op folder with the kernels of that row, manifest.json among them; empty with an error.
  virtual std::vector<KernelFile> compile(const KernelRequest &request, Diagnostics &diagnostics) = 0;
};

/// The compiler of this process; later registrations replace earlier ones.
void registerKernelCompiler(std::shared_ptr<KernelCompiler> compiler);
/// Null when none is registered.
std::shared_ptr<KernelCompiler> kernelCompiler();

} // namespace opc

#endif // OPC_RUNTIME_COMPILER_H
