#include "lowering/cpu/vector/contraction/Panels.h"

#include "lowering/cpu/vector/code/Copies.h"
#include "lowering/cpu/vector/contraction/Cells.h"

#include <numeric>

using namespace llvm;

namespace opc::cpu {

// A tile of 6 rows leaves registers for a row of the right panel and an element of the left one: 12 of 16 registers
// are sums with AVX2, 24 of 32 elsewhere. NEON keeps both halves of pairs in registers, for half as many columns. With
// AVX-512 a right panel is four times as wide as with AVX2: 192 of k are 48 KB, the innermost cache of the measured
// machine. There a left panel holds a whole tile of the launch (CpuPolicy), since each tile packs the right operand
// separately; 0.2 MB are a fifth of the second-level cache.
PanelSizes::PanelSizes(const CpuLevel &level)
    : lanes(level.vectorBits / 32), vectors(level.vectorBits == 256 ? 2 : 4), ofBytes(level.isX86() ? vectors : 2),
      rows(kRowsOfTile), depth(lanes == 16 ? 192 : 256), rowBlock(lanes == 16 ? 264 : 192),
      columns(std::max<int64_t>(128, width())), results(256), readsLeft(level.isX86()) {
}

Value *tileHeight(CodeBuilder &b, Value *rows) {
  Value *half = b.CreateLShr(b.CreateAdd(rows, b.index(1)), 1), *most = b.min(rows, b.index(kRowsOfTile));
  Value *divides = b.CreateAnd(b.CreateICmpSGT(rows, b.index(kRowsOfTile)),
                               b.CreateICmpSLT(rows, b.index(kRowsOfTile + kRowsAlone)));
  return b.CreateSelect(divides, half, most);
}

unsigned elementsOfCells(const CpuLevel &level, const Element &element) {
  const bool isByte = element.kind == Element::Plain && element.memory->isIntegerTy(8);
  return !isByte ? 1 : level.dotsOfBytes ? 4 : 2;
}

std::string panelName(const MatrixPart &matrix) {
  const Element &element = matrix.element;
  if (element.memory->isIntegerTy(8))
    return std::string(matrix.isUnsigned ? "ui8" : "i8") + (matrix.isFlipped ? ".flipped" : "");
  return element.kind == Element::Half ? "f16" : element.kind == Element::BFloat ? "bf16" : "f32";
}

/// Calls `each` for the first column of every vector of `columns`, at least `lanes` of them; the last vector ends with
/// the columns.
static void forVectors(CodeBuilder &b, Value *columns, unsigned lanes, function_ref<void(Value *)> each) {
  Value *last = b.CreateSub(columns, b.index(lanes));
  b.loop(b.index(0), columns, b.index(lanes), [&](Value *column) { each(b.min(column, last)); });
}

void packRows(CodeBuilder &b, Value *to, int64_t toStep, const MatrixPart &matrix, Value *rows, Value *columns) {
  const Element element = matrix.element;
  std::string name = ("product.rows." + panelName(matrix) + "." + Twine(toStep)).str();
  callShared(b, name, {to, matrix.from, matrix.step, rows, columns}, [&](CodeBuilder &b) {
    Value *to = b.function->getArg(0), *from = b.function->getArg(1), *step = b.function->getArg(2);
    Value *rows = b.function->getArg(3), *elements = b.function->getArg(4);
    const unsigned lanes = b.level.vectorBits / 32;
    Cells cells(b, matrix);
    Value *columns = cells.wholeOf(elements);
    auto sweep = [&](function_ref<void(Value *, Value *)> row) {
      b.loop(b.index(0), rows, b.index(1), [&](Value *i) {
        Value *source = b.at(from, element.memory, b.CreateMul(i, step));
        Value *destination = b.at(to, b.getFloatTy(), b.CreateMul(i, b.index(toStep)));
        row(source, destination);
        if (cells.elementsOfCell > 1)
          b.loop(columns, cells.countOf(elements), b.index(1),
                 [&](Value *last) { store(b, cells.one(source, last, elements), destination, last, cells.plain); });
      });
    };
    b.ifElse(
        b.CreateICmpSGE(columns, b.index(lanes)),
        [&]() -> Values {
          sweep([&](Value *source, Value *destination) {
            forVectors(b, columns, lanes, [&](Value *column) {
              store(b, cells.along(source, column, lanes), destination, column, cells.plain);
            });
          });
          return {};
        },
        [&]() -> Values {
          sweep([&](Value *source, Value *destination) {
            b.loop(b.index(0), columns, b.index(1),
                   [&](Value *column) { store(b, cells.along(source, column, 0), destination, column, cells.plain); });
          });
          return {};
        });
  });
}

void packPanels(CodeBuilder &b, Value *to, const MatrixPart &matrix, Value *rows, Value *columns, Value *depth,
                Value *lastStep) {
  std::string name = "product.panels." + panelName(matrix);
  callShared(b, name, {to, matrix.from, matrix.step, rows, columns, depth, lastStep}, [&](CodeBuilder &b) {
    Value *to = b.function->getArg(0), *from = b.function->getArg(1), *step = b.function->getArg(2);
    Value *rows = b.function->getArg(3), *columns = b.function->getArg(4), *depth = b.function->getArg(5);
    Value *lastStep = b.function->getArg(6);
    const PanelSizes sizes(b.level);
    Cells cells(b, matrix);
    Value *width = b.index(sizes.width()), *whole = b.CreateAnd(columns, b.index(-sizes.width()));
    b.loop(b.index(0), cells.countOf(rows), b.index(1), [&](Value *row) {
      const Cells::Rows source = cells.rowsAt(from, step, row, rows);
      Value *inPanel = b.at(to, b.getFloatTy(), b.CreateMul(row, width));
      auto panelOf = [&](Value *column) { return b.at(inPanel, b.getFloatTy(), b.CreateMul(column, depth)); };
      b.loop(b.index(0), whole, width, [&](Value *column) {
        for (auto [i, vector] : enumerate(cells.across(source, column, sizes.lanes, sizes.vectors)))
          store(b, vector, panelOf(column), b.index(int64_t(i) * sizes.lanes), cells.plain);
      });
      Value *last = b.at(to, b.getFloatTy(), b.CreateAdd(b.CreateMul(whole, depth), b.CreateMul(row, lastStep)));
      auto byElements = [&]() -> Values {
        b.loop(whole, columns, b.index(1), [&](Value *column) {
          store(b, cells.across(source, column, 0), last, b.CreateSub(column, whole), cells.plain);
        });
        return {};
      };
      // A row with room for whole vectors takes zeros after its columns.
      auto byVectors = [&]() -> Values {
        b.loop(whole, columns, b.index(sizes.lanes), [&](Value *column) {
          Value *count = b.min(b.CreateSub(columns, column), b.index(sizes.lanes));
          store(b, cells.across(source, column, sizes.lanes, count), last, b.CreateSub(column, whole), cells.plain);
        });
        return {};
      };
      if (hasMasks(b, matrix.element))
        b.ifElse(b.CreateICmpEQ(lastStep, width), byVectors, byElements);
      else
        byElements();
    });
  });
}

/// Transposes a square of vectors: in each round, elements of the lower and of the upper half alternate.
static void turn(CodeBuilder &b, Values &vectors) {
  const unsigned lanes = vectors.size();
  auto alternate = [&](Value *low, Value *high, unsigned first) {
    SmallVector<int> mask;
    for (unsigned i = 0; i < lanes / 2; ++i) {
      mask.push_back(int(first + i));
      mask.push_back(int(lanes + first + i));
    }
    return b.CreateShuffleVector(low, high, mask);
  };
  for (unsigned round = 1; round < lanes; round *= 2) {
    Values next;
    for (unsigned i = 0; i < lanes / 2; ++i)
      for (unsigned first : {0u, lanes / 2})
        next.push_back(alternate(vectors[i], vectors[i + lanes / 2], first));
    vectors = std::move(next);
  }
}

void packTransposed(CodeBuilder &b, Value *to, int64_t toStep, const MatrixPart &matrix, Value *rows, Value *columns) {
  const Element element = matrix.element;
  std::string name = ("product.turned." + panelName(matrix) + "." + Twine(toStep)).str();
  callShared(b, name, {to, matrix.from, matrix.step, rows, columns}, [&](CodeBuilder &b) {
    Value *to = b.function->getArg(0), *from = b.function->getArg(1), *step = b.function->getArg(2);
    Value *rows = b.function->getArg(3), *elements = b.function->getArg(4);
    const unsigned lanes = b.level.vectorBits / 32;
    Cells cells(b, matrix);
    Value *columns = cells.wholeOf(elements);
    Value *lastRow = b.CreateSub(rows, b.index(1));
    auto destination = [&](Value *column, Value *row) {
      return b.at(to, b.getFloatTy(), b.CreateAdd(b.CreateMul(column, b.index(toStep)), row));
    };
    b.loop(b.index(0), rows, b.index(lanes), [&](Value *row) {
      SmallVector<Value *> sources;
      for (unsigned i = 0; i < lanes; ++i) {
        Value *each = b.min(b.CreateAdd(row, b.index(i)), lastRow);
        sources.push_back(b.at(from, element.memory, b.CreateMul(each, step)));
      }
      auto single = [&](Value *column) {
        for (unsigned i = 0; i < lanes; ++i)
          store(b, cells.one(sources[i], column, elements), destination(column, row), b.index(i), cells.plain);
      };
      b.ifElse(
          b.CreateICmpSGE(columns, b.index(lanes)),
          [&]() -> Values {
            forVectors(b, columns, lanes, [&](Value *column) {
              Values vectors;
              for (Value *source : sources)
                vectors.push_back(cells.along(source, column, lanes));
              turn(b, vectors);
              for (unsigned i = 0; i < lanes; ++i)
                store(b, vectors[i], destination(b.CreateAdd(column, b.index(i)), row), b.index(0), cells.plain);
            });
            return {};
          },
          [&]() -> Values {
            b.loop(b.index(0), columns, b.index(1), single);
            return {};
          });
      if (cells.elementsOfCell > 1)
        b.loop(columns, cells.countOf(elements), b.index(1), single);
    });
  });
}

void packWholePanels(CodeBuilder &b, Value *to, const MatrixPart &matrix, bool alongK, Value *depth, Value *columns) {
  const PanelSizes sizes(b.level);
  Cells cells(b, matrix);
  Value *count = cells.countOf(depth);
  Value *whole = b.CreateAnd(columns, b.index(-sizes.width())), *rest = b.CreateSub(columns, whole);
  auto panelAt = [&](Value *column) { return b.at(to, b.getFloatTy(), b.CreateMul(column, count)); };
  if (!alongK) {
    // All of a few panels at once, since rows may be on pages of their own.
    b.loop(b.index(0), columns, b.index(sizes.columns), [&](Value *column) {
      Value *taken = b.min(b.index(sizes.columns), b.CreateSub(columns, column));
      MatrixPart part = matrix;
      part.from = b.at(matrix.from, matrix.element.memory, column);
      packPanels(b, panelAt(column), part, depth, taken, count, rest);
    });
    return;
  }
  auto rowsFrom = [&](Value *column) {
    return b.at(matrix.from, matrix.element.memory, b.CreateMul(column, matrix.step));
  };
  b.loop(b.index(0), whole, b.index(sizes.width()), [&](Value *column) {
    MatrixPart part = matrix;
    part.from = rowsFrom(column);
    packTransposed(b, panelAt(column), sizes.width(), part, b.index(sizes.width()), depth);
  });
  Value *last = panelAt(whole);
  b.loop(whole, columns, b.index(1), [&](Value *column) {
    Value *source = rowsFrom(column), *place = b.at(last, b.getFloatTy(), b.CreateSub(column, whole));
    auto put = [&](Value *k, Value *cell) { store(b, cell, place, b.CreateMul(k, rest), cells.plain); };
    Value *inside = cells.wholeOf(depth);
    b.loop(b.index(0), inside, b.index(1), [&](Value *k) { put(k, cells.along(source, k, 0)); });
    if (cells.elementsOfCell > 1)
      b.loop(inside, count, b.index(1), [&](Value *k) { put(k, cells.one(source, k, depth)); });
  });
}

namespace {

/// The function of packTiles.
class LeftTiles {
public:
  LeftTiles(CodeBuilder &b, const MatrixPart &matrix)
      : b(b), sizes(b.level), element(matrix.element), cells(b, matrix), to(b.function->getArg(0)),
        from(b.function->getArg(1)), step(b.function->getArg(2)), rows(b.function->getArg(3)),
        depth(b.function->getArg(4)), toStep(b.function->getArg(5)) {
    // Tiles of 6 rows come first.
    Value *six = b.index(sizes.rows), *rest = b.CreateURem(rows, six);
    Value *begin = b.CreateSub(rows, rest), *before = b.CreateSub(begin, six);
    Value *isShared = b.CreateAnd(b.CreateICmpSGE(before, b.index(0)),
                                  b.CreateICmpSLT(tileHeight(b, b.CreateSub(rows, before)), six));
    whole = b.CreateSelect(isShared, before, begin);
    left = b.CreateSub(rows, whole);
  }
  void alongK();
  void acrossK();

private:
  // The size of a transposed square: a column of a tile and a part of the next one, which is written later.
  static constexpr unsigned kSquare = 8;

  Value *rowAt(Value *row) { return b.at(from, element.memory, b.CreateMul(row, step)); }
  Value *tileAt(Value *row) { return b.at(to, b.getFloatTy(), b.CreateMul(row, toStep)); }
  void put(Value *cell, Value *destination, Value *i) { store(b, cell, destination, i, cells.plain); }
  /// Calls `each` for the rows after the tiles of 6: with the row, the address of its elements, and their stride.
  void forLeft(function_ref<void(Value *row, Value *to, Value *height)> each) {
    Value *first = tileHeight(b, left);
    b.loop(b.index(0), left, b.index(1), [&](Value *i) {
      Value *isFirst = b.CreateICmpSLT(i, first), *begin = b.CreateSelect(isFirst, b.index(0), first);
      Value *tile = tileAt(b.CreateAdd(whole, begin));
      each(b.CreateAdd(whole, i), b.at(tile, b.getFloatTy(), b.CreateSub(i, begin)),
           b.CreateSelect(isFirst, first, b.CreateSub(left, first)));
    });
  }
  Value *columnAt(Value *k) { return b.CreateMul(k, b.index(sizes.rows)); }

  CodeBuilder &b;
  const PanelSizes sizes;
  const Element element;
  Cells cells;
  Value *to, *from, *step, *rows, *depth, *toStep, *whole, *left;
};

} // namespace

void LeftTiles::alongK() {
  Value *squares = b.CreateAnd(cells.wholeOf(depth), b.index(-int64_t(kSquare))), *count = cells.countOf(depth);
  b.loop(b.index(0), whole, b.index(sizes.rows), [&](Value *row) {
    Value *tile = tileAt(row);
    SmallVector<Value *> sources;
    for (unsigned i = 0; i < sizes.rows; ++i)
      sources.push_back(rowAt(b.CreateAdd(row, b.index(i))));
    b.loop(b.index(0), squares, b.index(kSquare), [&](Value *k) {
      Values vectors;
      for (unsigned i = 0; i < kSquare; ++i)
        vectors.push_back(i < sizes.rows ? cells.along(sources[i], k, kSquare) : vectors.back());
      turn(b, vectors);
      for (unsigned i = 0; i < kSquare; ++i)
        put(vectors[i], tile, columnAt(b.CreateAdd(k, b.index(i))));
    });
    b.loop(squares, count, b.index(1), [&](Value *k) {
      for (unsigned i = 0; i < sizes.rows; ++i)
        put(cells.one(sources[i], k, depth), tile, b.CreateAdd(columnAt(k), b.index(i)));
    });
  });
  forLeft([&](Value *row, Value *place, Value *height) {
    Value *source = rowAt(row), *whole = cells.wholeOf(depth);
    b.loop(b.index(0), whole, b.index(1),
           [&](Value *k) { put(cells.along(source, k, 0), place, b.CreateMul(k, height)); });
    if (cells.elementsOfCell > 1)
      b.loop(whole, count, b.index(1),
             [&](Value *k) { put(cells.one(source, k, depth), place, b.CreateMul(k, height)); });
  });
}

// All tiles of a row of memory, since rows may be on pages of their own.
void LeftTiles::acrossK() {
  constexpr unsigned kFirst = 4;
  b.loop(b.index(0), cells.countOf(depth), b.index(1), [&](Value *k) {
    const Cells::Rows source = cells.rowsAt(from, step, k, depth);
    b.loop(b.index(0), whole, b.index(sizes.rows), [&](Value *row) {
      Value *tile = tileAt(row), *column = columnAt(k), *first = b.index(kFirst);
      put(cells.across(source, row, kFirst), tile, column);
      put(cells.across(source, b.CreateAdd(row, first), sizes.rows - kFirst), tile, b.CreateAdd(column, first));
    });
    forLeft([&](Value *row, Value *place, Value *height) {
      put(cells.across(source, row, 0), place, b.CreateMul(k, height));
    });
  });
}

void packTiles(CodeBuilder &b, Value *to, Value *toStep, const MatrixPart &matrix, bool alongK, Value *rows,
               Value *depth) {
  std::string name = "product.tiled." + panelName(matrix) + (alongK ? ".k" : ".m");
  callShared(b, name, {to, matrix.from, matrix.step, rows, depth, toStep}, [&](CodeBuilder &b) {
    LeftTiles tiles(b, matrix);
    alongK ? tiles.alongK() : tiles.acrossK();
  });
}

} // namespace opc::cpu
