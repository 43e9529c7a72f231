// What reads bytes that nobody vouches for, each as one function: libFuzzer's targets call it (Fuzzer.cpp), and so
// does the test that replays what was found before (Replay.cpp).
//
// A reader may refuse anything; it may not crash, hang or read what is not there. What it takes has to keep its
// promises: it is checked, it reads back from its own writer as the same, and whoever uses it as its header says is
// safe. A promise that is broken ends the process.

#ifndef OPC_TEST_FUZZ_READERS_READERS_H
#define OPC_TEST_FUZZ_READERS_READERS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace opc::fuzz {

using Reader = void (*)(const uint8_t *data, size_t size);

struct NamedReader {
  const char *name;
  Reader read;
};

/// manifest, package, program, tiling, npy, contract, proto, opsinfo.
const std::vector<NamedReader> &readers();

} // namespace opc::fuzz

#endif // OPC_TEST_FUZZ_READERS_READERS_H
