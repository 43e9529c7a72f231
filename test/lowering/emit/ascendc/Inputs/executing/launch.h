// Launches of an emitted operator over many sizes and numbers of blocks, tiled by the emitted host
// function: its text is compiled with the header for the simulator, recorded, and run with all
// sanitizers.

#ifndef OPC_TEST_EXECUTING_LAUNCH_H
#define OPC_TEST_EXECUTING_LAUNCH_H

#include "kernel_operator.h"
#include "runtime/ascendc/Recorder.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <vector>

constexpr int64_t kSizes[] = {0,   1,   15,   16,   17,   31,   32,   33,    127,   128,    129,
                              511, 512, 4095, 4096, 8191, 8192, 8193, 16384, 65537, 131072, 300007};
constexpr int64_t kBlocks[] = {1, 2, 3, 8};

/// An element between -4 and 4 that depends on its place and on which tensor it is of.
template <typename T> T sample(int64_t i, int64_t tensor) {
  return T(static_cast<float>((i * 7919 + tensor * 104729) % 2048 - 1024) / 256.0f);
}

inline void expect(bool holds, const char *what) {
  if (holds)
    return;
  std::printf("error: %s\n", what);
  std::exit(1);
}

/// One launch: tensors in the order of the kernel's parameters, then a call for each block.
class Launch {
public:
  /// A tensor that the kernel may read, and store to when it is an output. Its address means
  /// nothing but the tensor.
  template <typename T> uint8_t *add(std::vector<T> &values, bool isOutput) {
    const auto base = int64_t(tensors.size() + 1) * opc::ascendc::kTensorSpan;
    const auto bytes = int64_t(values.size() * sizeof(T));
    const std::string name = "tensor " + std::to_string(tensors.size());
    const opc::ElementType type = opc::ascendc::elementTypeOf<T>();
    tensors.push_back({name, values.data(), bytes, type, isOutput});
    settings.tensors.push_back({name, base, bytes, type, isOutput, values.data()});
    return reinterpret_cast<uint8_t *>(base);
  }
  /// Kernels that store parts of their outputs, or what nobody wrote, go without `init`.
  opc::Sanitize sanitize = opc::Sanitize::all();

  template <typename Tiling, typename Kernel> void run(uint64_t key, int64_t blocks, Tiling &tiling, Kernel kernel) {
    settings.target = opc::findTarget("Ascend310B1");
    settings.kernel = "launched";
    settings.tiling = reinterpret_cast<const uint8_t *>(&tiling);
    settings.tilingBytes = sizeof tiling;
    settings.tilingKey = key;
    settings.blockNum = blocks;
    opc::ascendc::Recorder recorder(settings, diagnostics, [this] { end(); });
    opc_kernel_machine = &recorder;
    for (int64_t block = 0; block < blocks; ++block) {
      recorder.startBlock(block);
      kernel(reinterpret_cast<uint8_t *>(&tiling));
      recorder.endBlock();
    }
    const opc::ascendc::Recording recording = recorder.finish();
    opc::SimOptions options;
    options.sanitize = sanitize;
    std::vector<uint64_t> reads;
    options.scalarReads = &reads;
    simulate(recording.program, *settings.target, tensors, {}, blocks, options, diagnostics);
    if (diagnostics.hasErrors())
      end();
    expect(reads == recording.reads, "the scalar unit reads other values than it was told");
  }

private:
  [[noreturn]] void end() {
    for (const opc::Diagnostic &diagnostic : diagnostics.all())
      printText(std::cout, diagnostic);
    std::cout.flush();
    std::exit(1);
  }

  opc::ascendc::RecordSettings settings;
  std::vector<opc::SimTensor> tensors;
  opc::Diagnostics diagnostics;
};

/// Runs every size on every number of blocks. `tile` fills the tiling data and says whether it can,
/// `launch` runs a block with the inputs and the output, `expected` computes an element from those
/// of the inputs.
template <typename T, typename Tiling, typename Tile, typename Run, typename Expected>
void runAll(uint64_t key, unsigned inputs, Tile tile, Run run, Expected expected) {
  for (int64_t n : kSizes)
    for (int64_t blocks : kBlocks) {
      Tiling tiling{};
      expect(tile(n, blocks, tiling), "the tiling function refuses a size");
      expect(tiling.block_num_ >= 1 && int64_t(tiling.block_num_) <= blocks, "more blocks than there are");
      std::vector<std::vector<T>> values(inputs + 1, std::vector<T>(static_cast<size_t>(n)));
      Launch launch;
      std::vector<uint8_t *> tensors;
      for (unsigned t = 0; t <= inputs; ++t) {
        for (int64_t i = 0; i < n && t < inputs; ++i)
          values[t][static_cast<size_t>(i)] = sample<T>(i, t);
        tensors.push_back(launch.add(values[t], t == inputs));
      }
      if (n > 0) // an empty vector may have no address
        std::memset(static_cast<void *>(values[inputs].data()), 0xff, static_cast<size_t>(n) * sizeof(T));
      launch.run(key, tiling.block_num_, tiling, [&](uint8_t *data) { run(tensors, data); });
      for (int64_t i = 0; i < n; ++i) {
        T wanted = expected(values, static_cast<size_t>(i));
        if (std::memcmp(&wanted, &values[inputs][static_cast<size_t>(i)], sizeof(T)) != 0) {
          std::printf("key %d, %lld elements, %lld blocks: element %lld is wrong\n", int(key), (long long)n,
                      (long long)blocks, (long long)i);
          std::exit(1);
        }
      }
    }
}

#endif // OPC_TEST_EXECUTING_LAUNCH_H
