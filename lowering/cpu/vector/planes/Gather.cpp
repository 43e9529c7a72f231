// Kernels in which some tensors are indices of rows or elements of others, or in which positions are values.
//
//   table [V, N], indices [I], y [I, N]    row i of y is computed from row indices[i] of the table, read in place
//   table [A, V], indices [I], y [A, I]    elements are gathered into a buffer, from which the plane reads
//   y [M, N], positions along M and N      rows are computed one by one, and the plane gets the number of the row
//   table [V], y [N], computed indices     the same; the plane looks up elements (Lookup.h)
//
// Values that depend only on the column are computed once for the rows of a block, in pieces of columns.
//
// Blocks consist of rows. A row that is computed uses the inner kernel of elementwise kernels (Elementwise.cpp), whose
// iterations are whole vectors; shorter rows use an inner kernel of one element. A row that is only moved is moved in
// the loop over rows (moveRows). Meanwhile cache lines of a later row are prefetched, since the hardware cannot predict
// it. An index is clamped to the range of the table before it becomes an address.

#include "lowering/cpu/vector/VectorKernels.h"
#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/planes/Lookup.h"
#include "lowering/cpu/vector/planes/Move.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace opc::cpu {

namespace {

// Elements in the buffer for elements that are gathered one by one.
constexpr int64_t kPiece = 1024;
// The distance of the prefetched row, and the number of its lines that are always prefetched. The prefetcher of the
// hardware starts anew in each row and is late for rows of a few lines, so that the lines up to kBytesAhead are
// prefetched too.
constexpr int64_t kRowsAhead = 12, kLinesAhead = 4, kLineBytes = 64, kBytesAhead = 2048;
// If nothing is computed, a line of a later row is prefetched for each line that is read. The rows from
// this one to that one have about as many bytes as this: with three times as many, they and the written rows overflow
// an L1 cache.
constexpr int64_t kWindowBytes = 8192;

class Gather {
public:
  Gather(CodeBuilder &b, FusedKernel &kernel, Frame &frame, Function *wide, unsigned width, Function *narrow)
      : b(b), kernel(kernel), frame(frame), wide(wide), narrow(narrow), width(width), moves(onlyMoves(kernel)),
        positions(kernel) {}

  void emit();

private:
  Value *rowOf(unsigned tensor, const Frame::Place &place);
  Value *placeIn(unsigned tensor, Value *indices, Value *i);
  Value *rowAhead(unsigned tensor, const Frame::Place &place);
  void askAhead(unsigned tensor, const Frame::Place &place);
  void chooseStreams();
  void compute(ArrayRef<Value *> rows, Value *count);
  bool movesRows();
  void moveRows();
  void computeColumns(Lookup *tables, Value *begin, Value *count);
  void emitCounted();
  Value *slot(unsigned number) { return b.CreateConstInBoundsGEP1_64(b.getPtrTy(), pointers, number); }
  void fill(unsigned tensor, Value *row, Value *indices, Value *begin, Value *count, Value *buffer);

  CodeBuilder &b;
  FusedKernel &kernel;
  Frame &frame;
  Function *wide, *narrow; ///< planes
  unsigned width;          ///< elements of a turn of `wide`
  bool moves;              ///< computes nothing
  Value *pointers = nullptr, *steps = nullptr;
  Value *rowsAhead = nullptr, *streams = nullptr; ///< the distance of the prefetched row; non-temporal stores (i1)
  PositionValues positions;
  SmallVector<Value *> columns; ///< buffers of `positions`
};

} // namespace

/// The start of a row, without the offset of an index.
Value *Gather::rowOf(unsigned tensor, const Frame::Place &place) {
  Value *offset = b.index(0);
  if (kernel.isAlong(tensor, 0))
    offset = b.CreateMul(place.item, frame.rowDistance(tensor));
  if (place.outer) {
    offset = b.CreateAdd(offset, b.CreateMul(place.outer, frame.batchStride(tensor, 0)));
    offset = b.CreateAdd(offset, b.CreateMul(place.inner, frame.batchStride(tensor, 1)));
  }
  return b.at(frame.tensor(tensor), kernel.tensors[tensor].element.memory, offset);
}

/// The offset in a tensor of the index in element `i` of a row of indices.
Value *Gather::placeIn(unsigned tensor, Value *indices, Value *i) {
  const KernelTensor &own = kernel.tensors[tensor];
  const Element &element = kernel.tensors[*own.indices].element;
  Value *address = b.at(indices, element.memory, i);
  Value *index = b.CreateSExt(b.CreateAlignedLoad(element.memory, address, Align(element.bytes)), b.getInt64Ty());
  Value *count = frame.places(tensor);
  if (own.fromEnd)
    index = b.CreateAdd(index, b.CreateAnd(b.CreateAShr(index, 63), count));
  // Empty dimensions were refused with the launch's sizes (Frame::reachOf).
  index = b.max(b.min(index, b.CreateSub(count, b.index(1))), b.index(0));
  return b.CreateMul(index, frame.placeDistance(tensor));
}

/// The start of the row of a tensor `rowsAhead` rows after a place, or of the last row of the batch.
Value *Gather::rowAhead(unsigned tensor, const Frame::Place &place) {
  Frame::Place ahead = place;
  Value *last = b.CreateSub(frame.loopSize(0), b.index(1));
  ahead.item = b.min(b.CreateAdd(place.item, rowsAhead), last);
  Value *index = placeIn(tensor, rowOf(*kernel.tensors[tensor].indices, ahead), b.index(0));
  return b.at(rowOf(tensor, ahead), kernel.tensors[tensor].element.memory, index);
}

/// Prefetches a later row of a tensor.
void Gather::askAhead(unsigned tensor, const Frame::Place &place) {
  const Element &element = kernel.tensors[tensor].element;
  Value *row = rowAhead(tensor, place);
  for (int64_t line = 0; line < kLinesAhead; ++line)
    prefetch(b, row, b.index(0), element, 1, line * kLineBytes);
  if (!kernel.isAlong(tensor, 1))
    return;
  const Element byte{Element::Plain, b.getInt8Ty(), b.getInt8Ty(), 1};
  Value *rowBytes = b.CreateMul(frame.loopSize(1), b.index(element.bytes));
  b.loop(b.index(kLinesAhead * kLineBytes), b.min(rowBytes, b.index(kBytesAhead)), b.index(kLineBytes),
         [&](Value *offset) { prefetch(b, row, offset, byte, 1, 0); });
}

// A table is much larger than what is read of it, so only the output counts, and as many bytes that are read.
void Gather::chooseStreams() {
  const unsigned output = kernel.firstOutput();
  const unsigned bytes = kernel.tensors[output].element.bytes;
  streams = b.getFalse();
  rowsAhead = b.index(kRowsAhead);
  if (!moves)
    return;
  if (b.level.streams)
    streams = b.CreateICmpUGT(b.CreateMul(frame.elementsOf(output), b.index(2 * bytes)), frame.streamThreshold);
  Value *row = b.max(b.CreateMul(frame.loopSize(1), b.index(bytes)), b.index(1));
  rowsAhead = b.min(b.CreateAdd(b.CreateUDiv(b.index(kWindowBytes), row), b.index(1)), rowsAhead);
}

/// Calls a plane for one row of `count` elements.
void Gather::compute(ArrayRef<Value *> rows, Value *count) {
  for (auto [i, row] : enumerate(rows))
    b.CreateAlignedStore(row, slot(unsigned(i)), Align(8));
  Value *arguments[] = {pointers, steps, b.index(1), count, streams, frame.tilingData()};
  b.ifElse(
      b.CreateICmpSGE(count, b.index(width)),
      [&]() -> Values {
        b.CreateCall(wide, arguments);
        return {};
      },
      [&]() -> Values {
        b.CreateCall(narrow, arguments);
        return {};
      });
}

/// Whether whole rows of a table are the rows of the result.
bool Gather::movesRows() {
  const std::optional<unsigned> table = moves ? kernel.copiedInput() : std::nullopt;
  return table && kernel.tensors[*table].indices && !kernel.hasIndexOfEach(*table) && kernel.isAlong(*table, 1);
}

// Without a call for each row, whose arguments are in memory: the stores of a row are at all places of a page, and
// until they have reached the cache a load at the same place of another page waits for them.
void Gather::moveRows() {
  const unsigned table = *kernel.copiedInput(), indices = unsigned(*kernel.tensors[table].indices);
  const unsigned output = kernel.firstOutput(), elementBytes = kernel.tensors[output].element.bytes;
  RowMover mover(b, elementBytes);
  Value *bytes = b.CreateMul(frame.loopSize(1), b.index(elementBytes)),
        *rowsOfBatch = b.max(frame.loopSize(0), b.index(1));
  Value *mayStream = mover.mayStream(streams, bytes);
  b.ifThen(b.CreateICmpSGT(bytes, b.index(0)), [&] {
    b.loop(frame.begin, frame.end, b.index(1), [&](Value *item) {
      const Frame::Place place = frame.placeOf(item, rowsOfBatch);
      Value *number = placeIn(table, rowOf(indices, place), b.index(0));
      Value *row = b.at(rowOf(table, place), kernel.tensors[table].element.memory, number);
      Value *ahead = kernel.isAlong(indices, 0) ? rowAhead(table, place) : row;
      mover.row(rowOf(output, place), row, ahead, bytes, mayStream);
    });
  });
}

/// Gathers the elements begin .. begin + count of a row.
void Gather::fill(unsigned tensor, Value *row, Value *indices, Value *begin, Value *count, Value *buffer) {
  const KernelTensor &own = kernel.tensors[tensor];
  Type *memory = own.element.memory;
  const bool moves = kernel.isAlong(*own.indices, 1);
  Value *zero = b.index(0), *still = moves ? nullptr : placeIn(tensor, indices, zero);
  b.loop(zero, count, b.index(1), [&](Value *j) {
    Value *column = b.CreateAdd(begin, j);
    Value *place = moves ? placeIn(tensor, indices, column) : still;
    Value *from = b.at(row, memory, b.CreateAdd(place, b.CreateMul(column, frame.columnDistance(tensor))));
    Value *value = b.CreateAlignedLoad(memory, from, Align(own.element.bytes));
    b.CreateAlignedStore(value, b.at(buffer, memory, j), Align(own.element.bytes));
  });
}

/// Computes the buffers for the columns begin .. begin + count, rounded up to a whole vector.
void Gather::computeColumns(Lookup *tables, Value *begin, Value *count) {
  b.loop(b.index(0), count, b.index(width), [&](Value *i) {
    auto keep = [&](mlir::Operation &op, Value *value) {
      store(b, value, columns[*positions.bufferOf(op)], i, PositionValues::elementOf(op, b.getContext()));
    };
    for (mlir::linalg::GenericOp generic : kernel.generics) {
      Payload payload(b, width, [&](mlir::Value value) { return frame.scalar(value); });
      payload.position = [&](std::optional<unsigned>) { return b.numbersFrom(b.CreateAdd(begin, i), width); };
      const Lane none{PoisonValue::get(b.getInt32Ty())};
      payload.before = [&](mlir::Operation &op) {
        mlir::Value result = op.getResult(0);
        const bool isHere = mlir::isa<te::GatherOp>(op) ? positions.bufferOf(op).has_value()
                                                        : positions.isOfColumn(result) || positions.isOfNumbers(result);
        return isHere ? std::nullopt : std::optional(none);
      };
      payload.lookUp = [&](mlir::Operation &op, ArrayRef<Value *> places) {
        keep(op, tables->ofColumns(op, places));
        return none.value;
      };
      SmallVector<Lane> arguments(generic.getBody()->getNumArguments()), results;
      payload.run(*generic.getBody(), arguments, results);
      for (mlir::Operation *op : positions.buffered())
        if (op->getParentOp() == generic && !mlir::isa<te::GatherOp>(op))
          keep(*op, payload.result(op->getResult(0)).value);
    }
  });
}

/// Kernels with positions: rows in pieces of columns.
void Gather::emitCounted() {
  const unsigned tensors = kernel.tensors.size();
  for (mlir::Operation *op : positions.buffered())
    columns.push_back(b.buffer(PositionValues::elementOf(*op, b.getContext()).memory, PositionValues::kRoom));
  for (auto [i, buffer] : enumerate(columns))
    b.CreateAlignedStore(buffer, slot(tensors + 2 + unsigned(i)), Align(8));
  std::optional<Lookup> tables;
  if (kernel.kind == FusedKernel::Kind::Lookup && !columns.empty())
    tables.emplace(b, kernel, frame, positions, width);
  Value *n = frame.loopSize(1), *rowsOfBatch = b.max(frame.loopSize(0), b.index(1));
  // Without buffers a row is one piece.
  Value *piece = columns.empty() ? b.max(n, b.index(1)) : b.index(PositionValues::kPiece);
  b.loop(b.index(0), n, piece, [&](Value *begin) {
    Value *count = b.min(b.CreateSub(n, begin), piece);
    b.CreateAlignedStore(begin, slot(tensors + 1), Align(8));
    if (!columns.empty())
      computeColumns(tables ? &*tables : nullptr, begin, count);
    b.loop(frame.begin, frame.end, b.index(1), [&](Value *item) {
      const Frame::Place place = frame.placeOf(item, rowsOfBatch);
      SmallVector<Value *> rows;
      for (unsigned i = 0; i < tensors; ++i) {
        // Columns of tables are found by their number in the whole row.
        const bool isAtPiece = kernel.isAlong(i, 1) && kernel.tensors[i].places.empty();
        Value *row = rowOf(i, place);
        rows.push_back(isAtPiece ? b.at(row, kernel.tensors[i].element.memory, begin) : row);
      }
      b.CreateAlignedStore(place.item, slot(tensors), Align(8));
      compute(rows, count);
    });
  });
}

void Gather::emit() {
  const unsigned tensors = kernel.tensors.size();
  Type *i64 = b.getInt64Ty();
  pointers = b.buffer(b.getPtrTy(), tensors + 2 + positions.buffered().size());
  steps = b.buffer(i64, 2 * tensors);
  Value *zero = b.index(0), *n = frame.loopSize(1);
  for (unsigned i = 0; i < 2 * tensors; ++i)
    b.CreateAlignedStore(zero, b.CreateConstInBoundsGEP1_64(i64, steps, i), Align(8));
  chooseStreams();
  if (kernel.counts())
    return emitCounted();
  if (movesRows()) {
    moveRows();
    if (b.level.streams)
      b.ifThen(streams, [&] { endStreams(b); });
    return;
  }
  SmallVector<Value *> buffers(tensors);
  bool inPieces = false;
  for (unsigned i = 0; i < tensors; ++i)
    if (kernel.hasIndexOfEach(i)) {
      buffers[i] = b.buffer(kernel.tensors[i].element.memory, kPiece);
      inPieces = true;
    }
  Value *rowsOfBatch = b.max(frame.loopSize(0), b.index(1));
  b.loop(frame.begin, frame.end, b.index(1), [&](Value *item) {
    const Frame::Place place = frame.placeOf(item, rowsOfBatch);
    SmallVector<Value *> rows;
    for (unsigned i = 0; i < tensors; ++i) {
      Value *row = rowOf(i, place);
      const KernelTensor &own = kernel.tensors[i];
      if (own.indices && !kernel.hasIndexOfEach(i)) {
        row = b.at(row, own.element.memory, placeIn(i, rowOf(*own.indices, place), zero));
        if (kernel.isAlong(*own.indices, 0))
          askAhead(i, place);
      }
      rows.push_back(row);
    }
    if (!inPieces)
      return compute(rows, n);
    b.loop(zero, n, b.index(kPiece), [&](Value *begin) {
      Value *count = b.min(b.CreateSub(n, begin), b.index(kPiece));
      SmallVector<Value *> parts;
      for (unsigned i = 0; i < tensors; ++i) {
        if (kernel.hasIndexOfEach(i)) {
          fill(i, rows[i], rowOf(*kernel.tensors[i].indices, place), begin, count, buffers[i]);
          parts.push_back(buffers[i]);
        } else {
          parts.push_back(kernel.isAlong(i, 1) ? b.at(rows[i], kernel.tensors[i].element.memory, begin) : rows[i]);
        }
      }
      compute(parts, count);
    });
  });
  if (moves && b.level.streams)
    b.ifThen(streams, [&] { endStreams(b); });
}

bool emitGather(Module &module, CodeBuilder &b, FusedKernel &kernel, Frame &frame, ArrayRef<KernelField> fields) {
  const RowPlanes planes(module, kernel, fields, b.level);
  Gather(b, kernel, frame, planes.wide, planes.lanes, planes.narrow).emit();
  return true;
}

} // namespace opc::cpu
