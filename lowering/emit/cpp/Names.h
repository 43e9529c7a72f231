// Names in C++ text: from the words of contracts and bodies (snake_case) to those of C++ (camelCase), each taken once.

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

/// Whether no identifier of a kernel's source may have this name: a keyword of C++, a type that the text names, or a
/// macro of the toolchain's headers.
bool isReservedName(llvm::StringRef name);

/// The member of a struct that holds a field: its name, with an underscore where it is reserved.
std::string memberName(llvm::StringRef field);

/// "DT_FLOAT16": a type as the vendor's framework and its builds call it.
std::string frameworkTypeName(ElementType type);

/// What the body calls a value, or what an op says of itself: the name of a field, "block"; empty when
/// nothing is known.
std::string bodyName(mlir::Value value);

/// The names of one scope; a copy is a scope inside. A name that is taken, reserved, or one that the printer gives by
/// itself (v1) gets a suffix.
class NameScope {
public:
  void reserve(llvm::StringRef name) { taken.insert(name); }
  std::string take(llvm::StringRef wanted);

private:
  llvm::StringSet<> taken;
};

} // namespace opc

#endif // OPC_LOWERING_EMIT_CPP_NAMES_H
