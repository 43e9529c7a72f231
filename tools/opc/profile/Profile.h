// The results of `opc profile`: figures from a run on the simulator, with the same meaning in text, JSON, tables
// and page.
//
//   run (Profiler)  ->  Profile  ->  text | profile.json | CSV | profile.html
//
// All cycles are those of the cost model. Claims about them (the bounding pipe, memory or compute bound) are tested
// at half and at double of every assumed figure, and the figures that they depend on are named.

#ifndef OPC_TOOLS_OPC_PROFILE_PROFILE_H
#define OPC_TOOLS_OPC_PROFILE_PROFILE_H

#include "runtime/core/launch/Launch.h"
#include "runtime/device/sim/Simulator.h"
#include "runtime/device/sim/profile/Profiler.h"
#include "runtime/target/MemoryModel.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opc::tool {

/// A tensor of a launch that is profiled.
struct ProfiledTensor {
  /// Workspace: a value between the nests of a launch.
  enum Role : uint8_t { Input, Output, Workspace };
  std::string name;
  const Tensor *tensor = nullptr; ///< null for an optional input that is not given
  Role role = Input;
  bool isRandom = false; ///< its elements are random, from the seed
};

/// The launch that was profiled.
struct ProfiledLaunch {
  std::string operatorName, kernel, typeRow;
  std::string source; ///< file of a kernel in Ascend C; empty for a kernel of opc
  bool isStatic = false;
  const SimulatorProgram *program = nullptr;
  const Target *target = nullptr;
  std::vector<ProfiledTensor> tensors; ///< in the order of the program's
  std::string figuresFile;             ///< of --target-figures; empty: the chip's own figures
  MemoryModel memory;
  int64_t blocks = 1;
  uint64_t seed = 0;
};

struct PipeProfile {
  Pipe pipe = Pipe::S;
  int64_t busyCycles = 0;   ///< copies, vector work, scalar instructions
  int64_t syncCycles = 0;   ///< flags and barriers, including waiting time
  double startUpCycles = 0; ///< the part of the busy cycles that does not depend on bytes or repeats
  int64_t instructions = 0;
  int64_t bytes = 0;    ///< of GM and UB, read and written
  double idleShare = 0; ///< of all cycles, 0 to 1
};

struct CopyProfile {
  int64_t count = 0;  ///< instructions
  int64_t bursts = 0; ///< rows; each one is a burst
  int64_t bytes = 0;
  double efficiency = 0; ///< bytes at the full rate over busy cycles, 0 to 1
};

struct TensorTraffic {
  std::string tensor;
  bool written = false;
  CopyProfile copies;
};

struct IntrinsicProfile {
  std::string name, types; ///< "vexp", "float32", "float16>float32"
  int64_t calls = 0, elements = 0, cycles = 0;
  double share = 0; ///< of the busy cycles of V
};

struct LineProfile {
  std::string file;
  unsigned line = 0;
  int64_t calls = 0, cycles = 0; ///< busy, all pipes
  double share = 0;              ///< of the busy cycles of all pipes
};

/// The position of the launch in the roofline model: the time of its bytes at the full rate of the slower copy pipe,
/// and the time of its repeats, or of its fractals if they take longer, without start-up. Floating-point work of the
/// cube counts the multiplied rows and columns, rounded up to whole fractals.
struct Roofline {
  double flopPerByte = 0;                  ///< compute density; 0 without floating-point work
  double flopPerCycle = 0;                 ///< reached
  double computeRoof = 0;                  ///< FLOP per cycle of this mix of intrinsics; 0 without floating-point work
  double memoryRoof = 0;                   ///< GM bytes per cycle of this mix of loads and stores
  double memoryCycles = 0;                 ///< at the memory roof
  double vectorCycles = 0;                 ///< at the compute roof
  double roofShare = 0;                    ///< the larger of both divided by all cycles
  bool memoryBound = false;                ///< the memory roof is the lower one
  std::vector<std::string_view> dependsOn; ///< assumed figures that memoryBound depends on
};

struct BufferProfile {
  std::string name, file;
  unsigned line = 0; ///< of the first writer
  Memory memory = Memory::UB;
  int64_t address = 0; ///< of slot 0, in its memory
  int64_t slotBytes = 0, slots = 1;
  int64_t lives = 0;
  double heldShare = 0; ///< share of slots * cycles in which it was live
};

struct MemoryProfile {
  Memory memory = Memory::UB;
  int64_t bytes = 0, peakBytes = 0; ///< size; most that were held at one time
};

/// Cycles of the launch at half and at double the value of one assumed figure.
struct FigureEffect {
  std::string_view name, unit, source;
  double value = 0;
  int64_t halfCycles = 0, doubleCycles = 0;
};

/// Loads and stores of global memory: what they are charged, and what the launch would take at the rates of boards.
struct MemoryRates {
  double load = 0, store = 0; ///< GB/s of this run
  BoardRates boards;
  int64_t cachedBytes = 0; ///< loads: bytes that L2 had
  /// Cycles at the lowest and at the highest rate; nullopt if the launch was not run with them.
  std::optional<std::pair<int64_t, int64_t>> cyclesOfBoards;
};

struct Profile {
  int64_t cycles = 0;
  double microseconds = 0; ///< at the chip's clock
  Pipe bound = Pipe::S;
  double boundShare = 0;
  std::vector<std::string_view> boundDependsOn;
  std::vector<PipeProfile> pipes; ///< S, MTE2, V, MTE3; for a kernel with the cube also MTE1, M and FIX
  double idleShare = 0;           ///< share of all cycles in which no pipe but S works
  int64_t flop = 0, integerOps = 0;
  int64_t gmReadBytes = 0, gmWrittenBytes = 0;
  MemoryRates memory;
  Roofline roofline;
  CopyProfile loads, stores;
  std::vector<TensorTraffic> tensors;
  std::vector<IntrinsicProfile> intrinsics;     ///< most cycles first
  std::vector<LineProfile> lines;               ///< most cycles first
  int64_t codeInstructions = 0, codeCycles = 0; ///< of the kernel's own scalar code, part of those of S
  std::vector<MemoryProfile> memories;          ///< UB, then others in which the kernel has buffers
  std::vector<BufferProfile> buffers;
  std::vector<FigureEffect> effects; ///< largest first, without figures that have no effect
  int64_t steps = 0, droppedSteps = 0, lives = 0, droppedLives = 0;
};

/// Makes a profile, without `effects`.
Profile makeProfile(const ProfiledLaunch &launch, const SimResult &result, const Profiler &profiler);

nlohmann::ordered_json profileJson(const ProfiledLaunch &launch, const Profile &profile);
std::string profileText(const ProfiledLaunch &launch, const Profile &profile);

struct ProfileFile {
  std::string name, bytes;
};
/// Writes files to a new folder, an empty one, or one with `what`.json. False after an error.
bool writeProfileFolder(const std::string &folder, const std::string &what, const std::vector<ProfileFile> &files,
                        Diagnostics &diagnostics);

/// The vendor's tables, by file name: code_exe.csv, instr_exe.csv, op_summary.csv, op_statistic.csv.
std::vector<ProfileFile> profileTables(const ProfiledLaunch &launch, const Profile &profile, const Profiler &profiler);

/// A self-contained HTML page with the numbers of profile.json, the timeline, the roofline and the storyboard of UB.
std::string profilePage(const ProfiledLaunch &launch, const Profile &profile, const Profiler &profiler);

/// A page of tools/opc/profile/page with its parts and its data; no text of the data can leave its element.
std::string pageOf(const std::string &file, const nlohmann::ordered_json &data);

/// The name of a pipe in the vendor's tables: "VECTOR", "MTE2".
std::string_view tablePipeName(Pipe pipe);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROFILE_PROFILE_H
