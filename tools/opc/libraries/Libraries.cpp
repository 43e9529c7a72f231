#include "tools/opc/libraries/Libraries.h"

#include <dlfcn.h>

namespace opc::tool {

void *libraryFunction(const std::string &name, const char *entry) {
  // A name without a slash: the loader searches the folders of the program's other libraries. Calls are bound when they
  // are made: a command makes few of those that MLIR could make, and to bind all takes a tenth of a compile's time.
  void *library = dlopen(("lib" + name + ".so").c_str(), RTLD_LAZY | RTLD_LOCAL);
  void *function = library ? dlsym(library, entry) : nullptr;
  if (!function) {
    const char *why = dlerror();
    throw MissingLibrary(why ? why : "lib" + name + ".so has no function '" + entry + "'");
  }
  return function;
}

const Compiler &compiler() {
  static const Compiler &opened =
      *reinterpret_cast<const Compiler *(*)()>(libraryFunction("opc_pipelines", OPC_COMPILER_ENTRY))();
  return opened;
}

} // namespace opc::tool
