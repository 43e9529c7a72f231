// The order that flags and barriers have established up to some point of a kernel, reduced to the information that
// later instructions can distinguish.
//
// HappensBefore.h numbers the instructions of each pipe and compares clocks with these numbers. Only the outcome of
// such a comparison ever matters: whether a clock covers an access. So any numbers in the same order represent the same
// state, and the state uses the smallest ones:
//
//   a write of v, number 17, clocks for v: s 12, mte2 20, mte3 20      ->   write 2, clocks 1, 2, 2
//
// Of an access that every pipe knows to be complete, only the written buffer is kept. So a loop returns to an earlier
// state after some iterations, and there are few states in all.
//
// Instructions are applied in program order. If every set comes before its wait in that order, each instruction has
// the same clock as in the network of queues, which is determinate. Otherwise the verdict is Unsure.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_PIPESTATE_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_PIPESTATE_H

#include "lowering/aicore/verify/order/program/KernelProgram.h"
#include "lowering/aicore/verify/order/program/Unrolling.h"
#include "runtime/target/Target.h"

#include <array>
#include <string>
#include <vector>

namespace opc::aicore::proof {

/// The result of checking an instruction.
enum class Verdict {
  Holds,
  Breaks,  ///< a rule is broken
  Unsure,  ///< a wait comes before its set in program order, or a number is unknown
  TooMuch, ///< too many steps, states, or parts of memory
};

/// A location and how it is accessed.
struct PlacedAccess {
  Place place;
  unsigned memory;           ///< locations in different memories have no common bytes
  bool reads, writes, owned; ///< owned: a read must find bytes written through the same buffer
  bool isCrowded = false;    ///< Home::isCrowded
};

class PipeState {
public:
  /// `used`: whether the kernel has instructions of a pipe. Clocks of other pipes do not matter.
  PipeState(const Target &target, const std::array<bool, kNumPipes> &used);

  Verdict work(Pipe pipe, llvm::ArrayRef<PlacedAccess> accesses);
  Verdict set(Pipe from, Pipe to, int64_t id);
  Verdict wait(Pipe from, Pipe to, int64_t id);
  void barrier(Pipe pipe);
  /// Whether no flag is set.
  bool isAtRest() const;

  /// Renumbers with the smallest numbers, and appends the whole state to `bytes`: two states are equal if their
  /// bytes are.
  void reduce(std::string &bytes);

private:
  /// A number for each pipe.
  using Clock = std::array<int, kNumPipes>;
  /// Bytes with a common history. Instructions are numbered by pipe from 1; 0 is none, or one that all pipes cover.
  struct Cell {
    unsigned memory;
    int64_t begin, end;
    int home = -1; ///< of the last write
    unsigned writerPipe = 0;
    int write = 0, writerTile = kNoTile;
    Clock reads{};
    std::array<int, kNumPipes> readerTile;
    bool isLike(const Cell &other) const;
  };
  struct Tile {
    int number;
    Clock writes{}, reads{};
  };
  /// The last accesses to some bytes of a crowded buffer, or to bytes among which trip counts choose.
  struct Reach {
    unsigned home;
    int64_t begin, end;
    bool moves;
    Clock writes{}, reads{};
  };
  struct Channel {
    unsigned from, to;
    int64_t id;
    bool pending = false;
    Clock published{};
    int lastWait = 0; ///< on pipe `to`
  };

  std::pair<size_t, size_t> cellsOf(unsigned memory, const Place &place);
  Tile &tileOf(int number);
  Reach &reachOf(const Place &place);
  bool isBehindOthers(unsigned pipe, const PlacedAccess &access) const;
  /// Whether the chip has flags between the pipes, and the id is one that kernels may use (sync_c7).
  bool hasFlag(Pipe from, Pipe to, int64_t id) const;
  Channel &channelOf(Pipe from, Pipe to, int64_t id);
  bool isOrdered(unsigned pipe, unsigned byPipe, int instruction, int itsTile, int tile, bool writes) const;
  bool isOrdered(const Cell &cell, unsigned pipe, int tile, bool writes) const;
  void renumber();
  void renumber(unsigned pipe, llvm::MutableArrayRef<int> covered);
  template <typename Visit> void eachRecord(llvm::ArrayRef<unsigned> pipes, Visit visit);
  void append(std::string &bytes) const;

  bool knowsItself(unsigned pipe, unsigned of) const { return pipe == of && inOrder[pipe]; }

  std::array<bool, kNumPipes> inOrder{}, used;
  const Target *target;
  Clock issued{}; ///< the number of the last instruction of each pipe
  std::array<Clock, kNumPipes> clocks{};
  std::vector<Cell> cells;       ///< by memory and begin
  std::vector<Tile> tiles;       ///< by number
  std::vector<Reach> reaches;    ///< by home and bytes
  std::vector<Channel> channels; ///< by pipes and id
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_PIPESTATE_H
