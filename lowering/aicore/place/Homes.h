// Which buffer holds which value of a tile program, and what all of them take.
//
//   loaded and stored values have a buffer of their own, by the tensor's name
//   a result is written over a source of the same type that nobody reads afterwards
//   else it takes a temporary that is free, or the output's buffer while that is free
//   a row's element that a step takes for its whole row is spread over a block of 32 bytes first

#ifndef OPC_LOWERING_AICORE_PLACE_HOMES_H
#define OPC_LOWERING_AICORE_PLACE_HOMES_H

#include "lowering/aicore/place/KernelShape.h"

#include <map>

namespace opc::aicore {

struct Home {
  std::string name;
  ElementType type = ElementType::Float32;
  Spread spread = Spread::Full;
  bool isMask = false;
  bool byDma = false;     ///< two slots
  bool invariant = false; ///< made once, in front of the loop over tiles
};

struct Homes {
  std::vector<Home> homes;
  std::vector<unsigned> of; ///< by value
  /// The scratch tile of a reduction, by its result: each row has a part of its own, so that no row waits for the one
  /// before. In passes over a row there are no such homes.
  llvm::DenseMap<TileId, unsigned> scratchOf;
  /// Of Column values: a block of 32 bytes for each row, every lane of it the row's element. Steps then take the
  /// blocks and the scalar unit need not read each element.
  llvm::DenseMap<TileId, unsigned> blocksOf;
  /// Byte offsets that spread such elements, by the size of their type.
  std::map<unsigned, unsigned> offsetsOf;

  /// The intrinsic by which a step takes the blocks of its rows; nullopt where it takes a scalar.
  std::optional<Intrinsic> rowsIntrinsic(const TileStep &step) const {
    return step.rowScalar && blocksOf.contains(*step.rowScalar) ? withRows(step.intrinsic) : std::nullopt;
  }

  /// The part of a step or load that stands in front of the loop over tiles.
  static bool isInvariant(Spread spread, KernelForm form) {
    return form == KernelForm::Flat ? spread == Spread::One : spread == Spread::One || spread == Spread::Row;
  }
};

/// `inPasses`: the steps run in several passes over parts of a row, each pass some of them. `alias`: results, and
/// what is stored, may take the tiles of loaded values that nobody reads any more; not in passes and not where rows
/// are folded, which load again what they read.
Homes assignHomes(const TileProgram &program, const KernelShape &shape, bool inPasses, bool alias,
                  const Target &target);

/// By value: how many reductions stand on each other below it, the value included.
std::vector<unsigned> levelsOf(const TileProgram &program);
/// Passes over a long row.
unsigned passesOf(const TileProgram &program, const std::vector<unsigned> &levels);

/// Whether row scalars are compared: Column buffers then have whole repeats of the vector unit, and their
/// masks whole blocks.
bool comparesColumns(const TileProgram &program);

/// What a kernel needs of UB, apart from how large its tile is.
struct TileNeeds {
  int64_t tileBits = 0;    ///< for each element of a tile: all Full and Row buffers, with slots
  int64_t rowBytes = 0;    ///< for each row of a tile: all Column buffers, with slots
  int64_t secondBits = 0;  ///< of tileBits, second slots
  int64_t secondBytes = 0; ///< of rowBytes, second slots
  int64_t fixedBytes = 0;  ///< the rest
  int64_t buffers = 0;
  int64_t loads = 0;         ///< copies into UB for each tile
  int64_t loadBytes = 0;     ///< for each element of a tile
  int64_t storeBytes = 0;    ///< for each element of a tile
  int64_t smallest = 4;      ///< bytes of the smallest element type: rows of all tiles have one stride
  bool readsScalars = false; ///< the scalar unit reads UB inside of the loop over tiles
  int64_t passes = 1;        ///< over a row
  int64_t tileOps = 0;       ///< intrinsics for each tile
  int64_t rowOps = 0;        ///< intrinsics for each row of a tile
  int64_t cycles = 0;        ///< of the vector unit for NeedsAttr::kCountedElements, beyond starts
  /// Of these cycles those up to the last intrinsic that touches a tile that was loaded, and those from the first one
  /// that touches a tile that is stored.
  int64_t loadReach = 0, storeReach = 0;
};
TileNeeds needsOf(const TileProgram &program, const Homes &homes, bool inPasses, const Target &target);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_HOMES_H
