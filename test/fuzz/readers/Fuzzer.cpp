// libFuzzer's entry for the reader of this target, OPC_FUZZ_READER.

#include "test/fuzz/readers/Readers.h"

#include <cstdlib>
#include <cstring>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const opc::fuzz::Reader read = [] {
    for (const opc::fuzz::NamedReader &reader : opc::fuzz::readers())
      if (std::strcmp(reader.name, OPC_FUZZ_READER) == 0)
        return reader.read;
    std::abort();
  }();
  read(data, size);
  return 0;
}
