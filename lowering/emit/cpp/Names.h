// Names in C++ text: from snake_case in contracts and bodies to camelCase in C++, each used once.

#ifndef OPC_LOWERING_EMIT_CPP_NAMES_H
#define OPC_LOWERING_EMIT_CPP_NAMES_H

#include "runtime/target/ElementType.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace opc {

/// "tile_length" to "tileLength".
std::string lowerCamel(llvm::StringRef name);
/// "add_relu" to "AddRelu".
std::string upperCamel(llvm::StringRef name);

/// Whether identifiers of a kernel's source must not have this name: a keyword of C++, a type that the text uses, or
/// a macro of the toolchain's headers.
bool isReservedName(llvm::StringRef name);

/// The struct member for a field: the name of the field, with an underscore if it is reserved.
std::string memberName(llvm::StringRef field);

/// "DT_FLOAT16": the name of a type in the vendor's framework and its builds.
std::string frameworkTypeName(ElementType type);

/// The name of a value in the body, or a name that its op implies, such as the name of a field or "block"; empty if
/// there is none.
std::string bodyName(mlir::Value value);

/// The names in one scope; a copy serves as a nested scope. A name that is taken, reserved, or of the printer's form
/// (v1) gets a suffix.
class NameScope {
public:
  void reserve(llvm::StringRef name) { taken.insert(name); }
  std::string take(llvm::StringRef wanted);

private:
  llvm::StringSet<> taken;
};

} // namespace opc

#endif // OPC_LOWERING_EMIT_CPP_NAMES_H
