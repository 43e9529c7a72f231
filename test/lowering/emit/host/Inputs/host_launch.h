// One launch as the vendor's framework would ask generated host code, and what came of it. Shared
// by host_shim.cpp, which is built around an operator's code, and by host_launches, which loads
// that.
#ifndef HOST_LAUNCH_H
#define HOST_LAUNCH_H

#include <cstdint>
#include <map>
#include <vector>

struct HostLaunch {
  std::vector<std::vector<int64_t>> inputs;
  std::vector<bool> given;                  // for each input
  std::vector<int> inputTypes, outputTypes; // codes of the vendor's framework
  std::map<size_t, float> floats;           // attributes by position; those that are not there take their defaults
  std::map<size_t, int64_t> ints;
  std::map<size_t, bool> bools;
  std::map<size_t, std::vector<int64_t>> intLists;
  uint32_t cores = 1;

  bool taken = false;
  uint64_t key = 0;
  uint32_t blocks = 0;
  std::vector<unsigned char> tiling;
  // What inference says before the launch: shapes of the outputs, and their types where the inputs
  // decide them.
  bool inferred = false, typed = false;
  std::vector<std::vector<int64_t>> outputs;
  std::vector<int> types;
};

using RunHostLaunch = void (*)(HostLaunch &);

#endif
