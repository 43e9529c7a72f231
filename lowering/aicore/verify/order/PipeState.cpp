#include "lowering/aicore/verify/order/PipeState.h"

#include "llvm/ADT/STLExtras.h"

#include <climits>
#include <cstring>
#include <numeric>
#include <tuple>
#include <utility>

namespace opc::aicore::proof {

/// Limit for the parts into which accesses divide the memory. Practical kernels have some dozens.
static constexpr size_t kMostCells = 1 << 12;

static unsigned indexOf(Pipe pipe) {
  return static_cast<unsigned>(pipe);
}

PipeState::PipeState(const Target &target, const std::array<bool, kNumPipes> &used) : used(used), target(&target) {
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe) {
    inOrder[pipe] = target.completesInOrder(opc::Pipe(pipe));
    if (inOrder[pipe])
      clocks[pipe][pipe] = INT_MAX;
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

bool PipeState::Cell::isLike(const Cell &other) const {
  return memory == other.memory && home == other.home && writerPipe == other.writerPipe && write == other.write &&
         writerTile == other.writerTile && reads == other.reads && readerTile == other.readerTile;
}

/// The cells of a location, as a range of indices. Cells at its boundaries are divided, gaps are filled.
std::pair<size_t, size_t> PipeState::cellsOf(unsigned memory, const Place &place) {
  auto isBefore = [](const Cell &cell, std::pair<unsigned, int64_t> point) {
    return std::tie(cell.memory, cell.end) <= std::tie(point.first, point.second);
  };
  auto insert = [&](size_t index, int64_t begin, int64_t end) {
    Cell cell;
    cell.memory = memory;
    cell.begin = begin;
    cell.end = end;
    cell.readerTile.fill(kNoTile);
    cells.insert(cells.begin() + long(index), cell);
  };
  auto cutAt = [&](size_t index, int64_t point) {
    Cell &cell = cells[index];
    if (cell.begin >= point || cell.end <= point)
      return false;
    Cell rest = cell;
    rest.begin = cell.end = point;
    cells.insert(cells.begin() + long(index) + 1, rest);
    return true;
  };
  size_t first = size_t(llvm::lower_bound(cells, std::pair(memory, place.begin), isBefore) - cells.begin());
  if (first < cells.size() && cells[first].memory == memory && cutAt(first, place.begin))
    ++first;
  size_t index = first;
  for (int64_t at = place.begin; at < place.end; ++index) {
    const bool isInside = index < cells.size() && cells[index].memory == memory && cells[index].begin < place.end;
    if (!isInside || cells[index].begin > at)
      insert(index, at, isInside ? cells[index].begin : place.end);
    else
      cutAt(index, place.end);
    at = cells[index].end;
  }
  return {first, index};
}

PipeState::Tile &PipeState::tileOf(int number) {
  auto at = llvm::lower_bound(tiles, number, [](const Tile &tile, int wanted) { return tile.number < wanted; });
  if (at == tiles.end() || at->number != number) {
    Tile tile;
    tile.number = number;
    at = tiles.insert(at, tile);
  }
  return *at;
}

PipeState::Reach &PipeState::reachOf(const Place &place) {
  const auto wanted = std::tuple(place.home, place.reachBegin, place.reachEnd, place.moves);
  auto at = llvm::lower_bound(reaches, wanted, [](const Reach &reach, const auto &key) {
    return std::tuple(reach.home, reach.begin, reach.end, reach.moves) < key;
  });
  if (at == reaches.end() || std::tuple(at->home, at->begin, at->end, at->moves) != wanted) {
    Reach reach;
    std::tie(reach.home, reach.begin, reach.end, reach.moves) = wanted;
    at = reaches.insert(at, reach);
  }
  return *at;
}

/// Whether `pipe` comes after all accesses through other buffers with which some trip counts give it common bytes.
bool PipeState::isBehindOthers(unsigned pipe, const PlacedAccess &access) const {
  const Place &place = access.place;
  return llvm::all_of(reaches, [&](const Reach &other) {
    if (other.home == place.home || (!other.moves && !place.moves) || other.begin >= place.reachEnd ||
        place.reachBegin >= other.end)
      return true;
    for (unsigned by = 0; by < kNumPipes; ++by)
      if (other.writes[by] > clocks[pipe][by] || (access.writes && other.reads[by] > clocks[pipe][by]))
        return false;
    return true;
  });
}

/// Whether `pipe`, which accesses `tile`, comes after an instruction of `byPipe`. See Network::unordered for rows.
bool PipeState::isOrdered(unsigned pipe, unsigned byPipe, int instruction, int itsTile, int tile, bool writes) const {
  if (!instruction)
    return true;
  if (itsTile == kNoTile || itsTile == tile)
    return instruction <= clocks[pipe][byPipe];
  auto touched = llvm::find_if(tiles, [&](const Tile &known) { return known.number == itsTile; });
  for (unsigned by = 0; by < kNumPipes; ++by)
    if (touched->writes[by] > clocks[pipe][by] || (writes && touched->reads[by] > clocks[pipe][by]))
      return false;
  return true;
}

bool PipeState::isOrdered(const Cell &cell, unsigned pipe, int tile, bool writes) const {
  if (!isOrdered(pipe, cell.writerPipe, cell.write, cell.writerTile, tile, writes))
    return false;
  for (unsigned by = 0; by < kNumPipes && writes; ++by)
    if (!isOrdered(pipe, by, cell.reads[by], cell.readerTile[by], tile, writes))
      return false;
  return true;
}

Verdict PipeState::work(Pipe on, llvm::ArrayRef<PlacedAccess> accesses) {
  const unsigned pipe = indexOf(on);
  for (const PlacedAccess &access : accesses) {
    if (access.isCrowded && !isBehindOthers(pipe, access))
      return Verdict::Breaks;
    auto [first, end] = cellsOf(access.memory, access.place);
    for (size_t index = first; index < end; ++index) {
      const Cell &cell = cells[index];
      if (!isOrdered(cell, pipe, access.place.tile, access.writes))
        return Verdict::Breaks;
      if (access.owned && access.reads && cell.home != int(access.place.home))
        return Verdict::Breaks;
    }
  }
  const int instruction = ++issued[pipe];
  // All reads come before all writes.
  for (bool writes : {false, true})
    for (const PlacedAccess &access : accesses) {
      if (!(writes ? access.writes : access.reads))
        continue;
      if (access.isCrowded)
        (writes ? reachOf(access.place).writes : reachOf(access.place).reads)[pipe] = instruction;
      const int tile = access.place.tile;
      if (tile != kNoTile)
        (writes ? tileOf(tile).writes : tileOf(tile).reads)[pipe] = instruction;
      auto [first, end] = cellsOf(access.memory, access.place);
      for (size_t index = first; index < end; ++index) {
        Cell &cell = cells[index];
        if (!writes) {
          cell.reads[pipe] = instruction;
          cell.readerTile[pipe] = tile;
          continue;
        }
        cell.home = int(access.place.home);
        cell.writerPipe = pipe;
        cell.write = instruction;
        cell.writerTile = tile;
        cell.reads.fill(0);
        cell.readerTile.fill(kNoTile);
      }
    }
  return cells.size() > kMostCells ? Verdict::TooMuch : Verdict::Holds;
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

PipeState::Channel &PipeState::channelOf(Pipe from, Pipe to, int64_t id) {
  const auto wanted = std::tuple(indexOf(from), indexOf(to), id);
  auto at = llvm::lower_bound(channels, wanted, [](const Channel &channel, const auto &key) {
    return std::tuple(channel.from, channel.to, channel.id) < key;
  });
  if (at == channels.end() || std::tuple(at->from, at->to, at->id) != wanted) {
    Channel channel;
    std::tie(channel.from, channel.to, channel.id) = wanted;
    at = channels.insert(at, channel);
  }
  return *at;
}

bool PipeState::hasFlag(Pipe from, Pipe to, int64_t id) const {
  return target->hasFlag(toTarget(from), toTarget(to)) &&
         id >= int64_t(target->firstEventId(toTarget(from), toTarget(to))) && id < int64_t(target->eventIds());
}

Verdict PipeState::set(Pipe from, Pipe to, int64_t id) {
  if (!hasFlag(from, to, id))
    return Verdict::Breaks;
  Channel &channel = channelOf(from, to, id);
  const unsigned pipe = indexOf(from);
  if (channel.pending || channel.lastWait > clocks[pipe][channel.to])
    return Verdict::Breaks;
  channel.published = clocks[pipe];
  channel.published[pipe] = issued[pipe];
  channel.pending = true;
  return Verdict::Holds;
}

Verdict PipeState::wait(Pipe from, Pipe to, int64_t id) {
  if (!hasFlag(from, to, id))
    return Verdict::Breaks;
  Channel &channel = channelOf(from, to, id);
  if (!channel.pending)
    return Verdict::Unsure;
  const unsigned pipe = indexOf(to);
  for (unsigned by = 0; by < kNumPipes; ++by)
    clocks[pipe][by] = std::max(clocks[pipe][by], channel.published[by]);
  channel.pending = false;
  channel.lastWait = ++issued[pipe];
  return Verdict::Holds;
}

void PipeState::barrier(Pipe pipe) {
  int &own = clocks[indexOf(pipe)][indexOf(pipe)];
  own = std::max(own, issued[indexOf(pipe)]);
}

bool PipeState::isAtRest() const {
  return llvm::none_of(channels, [](const Channel &channel) { return channel.pending; });
}

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

/// Visits the numbers of all instructions in the state, with their pipes. The third argument of `visit` says whether
/// the number must be kept although all pipes cover it: it represents other rows of its tile.
template <typename Visit> void PipeState::eachRecord(llvm::ArrayRef<unsigned> pipes, Visit visit) {
  for (Cell &cell : cells) {
    if (cell.write)
      visit(cell.writerPipe, cell.write, cell.writerTile != kNoTile);
    for (unsigned pipe : pipes)
      if (cell.reads[pipe])
        visit(pipe, cell.reads[pipe], cell.readerTile[pipe] != kNoTile);
  }
  for (Tile &tile : tiles)
    for (unsigned pipe : pipes) {
      visit(pipe, tile.writes[pipe], false);
      visit(pipe, tile.reads[pipe], false);
    }
  for (Reach &reach : reaches)
    for (unsigned pipe : pipes) {
      visit(pipe, reach.writes[pipe], false);
      visit(pipe, reach.reads[pipe], false);
    }
  for (Channel &channel : channels)
    visit(channel.to, channel.lastWait, false);
}

// `covered` has an element for each number that the pipe has issued: at first 1 for instructions in the state, in the
// end the number that the instruction gets.
void PipeState::renumber(unsigned pipe, llvm::MutableArrayRef<int> covered) {
  const int last = issued[pipe];
  covered[0] = 0;
  std::partial_sum(covered.begin(), covered.end(), covered.begin());
  // Now the number of instructions in the state that a clock of this number covers.
  auto coveredBy = [&](int clock) { return size_t(covered[size_t(std::min(clock, last))]); };
  auto eachClock = [&](auto visit) {
    for (unsigned other = 0; other < kNumPipes; ++other)
      if (used[other] && !knowsItself(other, pipe))
        visit(clocks[other][pipe]);
    for (Channel &channel : channels)
      if (channel.pending && !knowsItself(channel.to, pipe))
        visit(channel.published[pipe]);
  };
  // By number of covered instructions: first 1 if a clock covers this many, then the number of such clocks below.
  llvm::SmallVector<int, 128> levels(size_t(covered.back()) + 1, 0);
  eachClock([&](int &clock) { levels[coveredBy(clock)] = 1; });
  int count = 0;
  for (int &level : levels)
    level = std::exchange(count, count + level);
  eachClock([&](int &clock) { clock = levels[coveredBy(clock)] + 1; });
  // The n-th instruction is covered from the first level on that is at least n.
  for (int &number : covered.drop_front())
    number = levels[size_t(number)] + 1;
  issued[pipe] = count + 1;
}

// Two clocks without an instruction between them get one number, and so do two instructions without a clock between
// them. Numbers are small, since the last reduction chose the smallest: tables by number replace sorted lists. The
// cells, by far the most of a state, are walked twice for all pipes together.
void PipeState::renumber() {
  llvm::SmallVector<unsigned, kNumPipes> pipes;
  std::array<size_t, kNumPipes + 1> begins{};
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe) {
    begins[pipe + 1] = begins[pipe] + size_t(issued[pipe]) + 1;
    if (used[pipe])
      pipes.push_back(pipe);
  }
  llvm::SmallVector<int, 512> table(begins.back(), 0);
  eachRecord(pipes, [&](unsigned pipe, int number, bool) { table[begins[pipe] + size_t(number)] = 1; });
  for (unsigned pipe : pipes)
    renumber(pipe, llvm::MutableArrayRef(table).slice(begins[pipe], begins[pipe + 1] - begins[pipe]));
  eachRecord(pipes, [&](unsigned pipe, int &number, bool keep) {
    number = table[begins[pipe] + size_t(number)];
    if (number == 1 && !keep)
      number = 0;
  });
}

void PipeState::reduce(std::string &bytes) {
  for (Channel &channel : channels) {
    if (!channel.pending)
      channel.published.fill(0);
    // After the wait, the pipe also keeps its current knowledge.
    for (unsigned pipe = 0; pipe < kNumPipes && channel.pending; ++pipe)
      channel.published[pipe] =
          knowsItself(channel.to, pipe) ? 0 : std::max(channel.published[pipe], clocks[channel.to][pipe]);
  }
  renumber();
  size_t merged = 0;
  for (Cell &cell : cells) {
    if (!cell.write) {
      cell.writerPipe = 0;
      cell.writerTile = kNoTile;
    }
    for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
      if (!cell.reads[pipe])
        cell.readerTile[pipe] = kNoTile;
    if (merged != 0 && cells[merged - 1].end == cell.begin && cells[merged - 1].isLike(cell))
      cells[merged - 1].end = cell.end;
    else
      cells[merged++] = cell;
  }
  cells.resize(merged);
  llvm::erase_if(reaches, [](const Reach &reach) { return reach.writes == Clock() && reach.reads == Clock(); });
  llvm::erase_if(channels, [](const Channel &channel) { return !channel.pending && !channel.lastWait; });
  append(bytes);
}

void PipeState::append(std::string &bytes) const {
  // Reserves memory for the whole state: no field takes more bytes here than in the state.
  const size_t before = bytes.size();
  bytes.resize(before + cells.size() * sizeof(Cell) + tiles.size() * sizeof(Tile) + reaches.size() * sizeof(Reach) +
               channels.size() * sizeof(Channel) + sizeof clocks + sizeof issued + 4 * sizeof(size_t));
  char *end = bytes.data() + before;
  auto appendAll = [&](auto... numbers) { ((std::memcpy(end, &numbers, sizeof numbers), end += sizeof numbers), ...); };
  auto appendClock = [&](const Clock &clock) {
    for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
      if (used[pipe])
        appendAll(clock[pipe]);
  };
  appendClock(issued);
  for (const Clock &clock : clocks)
    appendClock(clock);
  appendAll(cells.size(), tiles.size(), reaches.size(), channels.size());
  for (const Cell &cell : cells) {
    appendAll(cell.memory, cell.begin, cell.end, cell.home, cell.writerPipe, cell.write, cell.writerTile);
    appendClock(cell.reads);
    appendClock(cell.readerTile);
  }
  for (const Tile &tile : tiles) {
    appendAll(tile.number);
    appendClock(tile.writes);
    appendClock(tile.reads);
  }
  for (const Reach &reach : reaches) {
    appendAll(reach.home, reach.begin, reach.end, reach.moves);
    appendClock(reach.writes);
    appendClock(reach.reads);
  }
  for (const Channel &channel : channels) {
    appendAll(channel.from, channel.to, channel.id, channel.pending, channel.lastWait);
    appendClock(channel.published);
  }
  bytes.resize(size_t(end - bytes.data()));
}

} // namespace opc::aicore::proof
