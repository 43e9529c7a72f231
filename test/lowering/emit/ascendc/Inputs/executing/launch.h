// Launches of an emitted operator over many sizes and numbers of blocks, tiled by the emitted host
// function.

#ifndef OPC_TEST_EXECUTING_LAUNCH_H
#define OPC_TEST_EXECUTING_LAUNCH_H

#include "kernel_operator.h"

constexpr int64_t kSizes[] = {0,   1,   15,   16,   17,   31,   32,   33,    127,   128,    129,
                              511, 512, 4095, 4096, 8191, 8192, 8193, 16384, 65537, 131072, 300007};
constexpr int64_t kBlocks[] = {1, 2, 3, 8};

/// An element between -4 and 4 that depends on its place and on which tensor it is of.
template <typename T> T sample(int64_t i, int64_t tensor) {
  return T(static_cast<float>((i * 7919 + tensor * 104729) % 2048 - 1024) / 256.0f);
}

/// Runs every size on every number of blocks. `tile` fills the tiling data and says whether it can,
/// `launch` runs a block with the inputs and the output, `expected` computes an element from those
/// of the inputs.
template <typename T, typename Tiling, typename Tile, typename Launch, typename Expected>
void runAll(uint64_t key, unsigned inputs, Tile tile, Launch launch, Expected expected) {
  for (int64_t n : kSizes)
    for (int64_t blocks : kBlocks) {
      Tiling tiling{};
      Machine::expect(tile(n, blocks, tiling), "the tiling function refuses a size");
      Machine::expect(tiling.block_num >= 1 && int64_t(tiling.block_num) <= blocks,
                      "more blocks than there are");
      std::vector<std::vector<T>> tensors(inputs + 1, std::vector<T>(static_cast<size_t>(n)));
      machine.tilingKey = key;
      machine.tensors.clear();
      for (unsigned t = 0; t <= inputs; ++t) {
        for (int64_t i = 0; i < n && t < inputs; ++i)
          tensors[t][static_cast<size_t>(i)] = sample<T>(i, t);
        machine.tensors.push_back(
            {reinterpret_cast<uint8_t *>(tensors[t].data()), n * int64_t(sizeof(T))});
      }
      std::memset(static_cast<void *>(tensors[inputs].data()), 0xff,
                  static_cast<size_t>(n) * sizeof(T));
      for (uint32_t block = 0; block < tiling.block_num; ++block) {
        machine.startBlock(block);
        launch(machine.tensors, reinterpret_cast<uint8_t *>(&tiling));
        machine.endBlock();
      }
      for (int64_t i = 0; i < n; ++i) {
        T wanted = expected(tensors, static_cast<size_t>(i));
        if (std::memcmp(&wanted, &tensors[inputs][static_cast<size_t>(i)], sizeof(T)) != 0) {
          std::printf("key %d, %lld elements, %lld blocks: element %lld is wrong\n", int(key),
                      (long long)n, (long long)blocks, (long long)i);
          std::exit(1);
        }
      }
    }
}

#endif // OPC_TEST_EXECUTING_LAUNCH_H
