// Buffer assignment: which buffer (home) holds which value of a tile program.
//
//   a loaded or stored value has a buffer of its own, named after the tensor
//   a result is written over a source of the same type that has no later reader
//   otherwise it takes a free temporary, or the output's buffer while that is free
//   an element of a row that a step applies to the whole row is first spread over a block of 32 bytes

#ifndef OPC_LOWERING_AICORE_PLACE_WRITER_HOMES_H
#define OPC_LOWERING_AICORE_PLACE_WRITER_HOMES_H

#include "dialect/aicore/tiles/WindowTiles.h"
#include "lowering/aicore/place/program/KernelShape.h"

#include <map>

namespace opc::aicore {

struct Home {
  std::string name;
  ElementType type = ElementType::Float32;
  Spread spread = Spread::Full;
  bool isMask = false;
  bool byDma = false;     ///< multi-buffered: two slots
  bool invariant = false; ///< made once, before the loop over tiles
  /// Of Column: elements of a block of 32 bytes for each row, in this type or in that of what it addresses. 0 for
  /// others, in which rows are TileNeeds::columnStride elements apart.
  int64_t lanes = 0;
};

struct Homes {
  std::vector<Home> homes;
  std::vector<unsigned> of; ///< by value
  /// The scratch tile of a reduction, by the reduction's result. Each row has a part of its own, so that no row waits
  /// for the previous one. Reductions in passes over a row have none.
  llvm::DenseMap<TileId, unsigned> scratchOf;
  /// For Column values: a home with a block of 32 bytes for each row, in which each lane holds the element of the
  /// row. Steps then take the blocks, and the scalar unit does not read the elements one by one.
  llvm::DenseMap<TileId, unsigned> blocksOf;
  /// Column values that are one number of the kernel's entry and are filled once, before the loops. Equal numbers have
  /// one home.
  llvm::DenseSet<TileId> constants;
  /// Homes of the byte offsets that spread such elements, by the size of the element type.
  std::map<unsigned, unsigned> offsetsOf;

  /// The home of the byte offsets that expand a tensor, by the number of a tensor whose loops the launch decides.
  llvm::DenseMap<unsigned, unsigned> tableOf;

  /// The home of the row with the running values before a tile, by the result of a scan.
  llvm::DenseMap<TileId, unsigned> runningOf;

  /// The homes of a reduction of windows, by its result.
  struct WindowHomes {
    unsigned down = 0;   ///< columns of the input, combined down; then, for one column of the windows, its elements
    unsigned padded = 0; ///< the columns with neutral elements beside them
  };
  llvm::DenseMap<TileId, WindowHomes> windowsOf;
  /// By the size of the element type: byte offsets of the first elements of windows in padded rows, and of the elements
  /// at one column of the windows.
  std::map<unsigned, unsigned> placesOf, movedOf;

  /// The homes of a convolution: the loaded parts of the input and of the filters, both also in float32, padded rows of
  /// the input, and one element of each window.
  struct ConvolutionHomes {
    unsigned loaded = 0, input = 0, loadedFilters = 0, filters = 0, padded = 0, elements = 0;
  };
  std::optional<ConvolutionHomes> convolution;

  /// In a matrix product: Row values that are copied to each row of a tile, so that steps process whole tiles, and
  /// their homes, which other Row values may use before. Otherwise each row of a tile is a separate intrinsic.
  llvm::DenseSet<TileId> repeated;
  llvm::DenseSet<unsigned> repeatedHomes;

  /// The intrinsic with which a step takes the blocks of its rows; nullopt if the step takes a scalar.
  std::optional<Intrinsic> rowsIntrinsic(const TileStep &step) const {
    return step.rowScalar && blocksOf.contains(*step.rowScalar) ? withRows(step.intrinsic) : std::nullopt;
  }

  /// Whether a step or load of this spread is placed before the loop over tiles.
  static bool isInvariant(Spread spread, KernelForm form) {
    // Columns of a matrix product and positions of windows differ in each tile.
    const bool isPerTile =
        form == KernelForm::Flat || form == KernelForm::Windows || form == KernelForm::Sorted || isProduct(form);
    return spread == Spread::One || (spread == Spread::Row && !isPerTile);
  }
};

/// `inPasses`: the steps run in several passes over parts of a row, each of which runs some of them. `alias`: results
/// and stored values may take over the homes of loaded values without further readers. It has no effect in passes or
/// when rows are folded, where values are loaded again.
Homes assignHomes(const TileProgram &program, const KernelShape &shape, bool inPasses, bool alias,
                  const Target &target);

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_PLACE_WRITER_HOMES_H
