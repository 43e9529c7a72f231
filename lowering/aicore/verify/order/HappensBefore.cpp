#include "lowering/aicore/verify/order/HappensBefore.h"

#include <climits>

using namespace mlir;

namespace opc::aicore::proof {

/// Limit for visits of segments in one unrolling, which take a few seconds; practical kernels need some thousands.
static constexpr size_t kMaxVisits = size_t(1) << 25;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// Finds the writer that each read must see: the one it would see if every buffer had bytes of its own and the ops ran
// one after the other. False if that is too much work.
bool Network::findWriters() {
  own.assign(unroller.homes().size(), Own());
  size_t visits = 0;
  for (const Touch &touch : touches) {
    auto [first, end] = segments.of(touch.place);
    visits += end - first;
    Own &ofHome = own[placeOf(touch).home];
    ofHome.first = std::min(ofHome.first, first);
    ofHome.end = std::max(ofHome.end, end);
  }
  size_t total = 0;
  for (auto [home, ofHome] : llvm::zip_equal(unroller.homes(), own)) {
    ofHome.begin = total;
    if (home.inUB && ofHome.first < ofHome.end)
      total += ofHome.end - ofHome.first;
  }
  if (std::max(visits, total) > kMaxVisits)
    return false;
  writers.assign(total, kNobody);
  auto writerOf = [&](const Touch &touch) {
    const Own &ofHome = own[placeOf(touch).home];
    return writers.begin() + long(ofHome.begin + segments.of(touch.place).first - ofHome.first);
  };
  expected.clear();
  expectedOf.clear();
  for (auto [index, event] : llvm::enumerate(events)) {
    expectedOf.push_back(unsigned(expected.size()));
    for (const Touch &touch : touchesOf(event)) {
      auto [first, end] = segments.of(touch.place);
      if (placeOf(touch).inUB && touch.reads && first != end) {
        auto writer = writerOf(touch);
        expected.insert(expected.end(), writer, writer + (end - first));
      }
    }
    for (const Touch &touch : touchesOf(event)) {
      auto [first, end] = segments.of(touch.place);
      if (placeOf(touch).inUB && touch.writes && first != end)
        std::fill_n(writerOf(touch), end - first, int(index));
    }
  }
  return true;
}

void Network::findNeighbours() {
  llvm::ArrayRef<Place> all = unroller.places();
  if (forgotten != unroller.forgotten())
    neighbours.clear();
  forgotten = unroller.forgotten();
  const auto learned = unsigned(neighbours.size());
  neighbours.resize(all.size());
  for (unsigned place = learned; place < all.size(); ++place) {
    if (!unroller.homes()[all[place].home].isCrowded)
      continue;
    for (unsigned other = 0; other < place; ++other) {
      const Place &a = all[place], &b = all[other];
      if (a.home == b.home || !a.inUB || !b.inUB || (!a.moves && !b.moves) || a.reachBegin >= b.reachEnd ||
          b.reachBegin >= a.reachEnd)
        continue;
      neighbours[place].push_back(other);
      neighbours[other].push_back(place);
    }
  }
}

/// Checks whether `pipe`, which now accesses `tile`, is ordered after an instruction of `byPipe`. If not, returns the
/// event of that instruction, or of one that represents it. Rows of one tile are distinguished from each other. For
/// other buffers in the same bytes, a row may be anywhere in its tile; the last rows that each pipe wrote, and for a
/// write also the last ones it read, represent all rows.
int Network::unordered(unsigned pipe, unsigned byPipe, int instruction, int itsTile, int tile, bool writes) const {
  auto missing = [&](unsigned by, int earlier) { return earlier > clocks[pipe][by]; };
  if (!instruction)
    return kNobody;
  if (itsTile == kNoTile || itsTile == tile)
    return missing(byPipe, instruction) ? queues[byPipe][size_t(instruction) - 1] : kNobody;
  const TileTouches &touched = lastOfTile[size_t(itsTile)];
  for (const Clock *last : {&touched.writes, &touched.reads})
    for (unsigned by = 0; by < kNumPipes && (writes || last == &touched.writes); ++by)
      if (missing(by, (*last)[by]))
        return queues[by][size_t((*last)[by]) - 1];
  return kNobody;
}

int Network::unorderedOf(const Cell &cell, unsigned pipe, int tile, bool writes) const {
  int earlier = unordered(pipe, cell.writerPipe, cell.write, cell.writerTile, tile, writes);
  for (unsigned by = 0; by < kNumPipes && writes && earlier == kNobody; ++by)
    earlier = unordered(pipe, by, cell.reads[by], cell.readerTile[by], tile, writes);
  return earlier;
}

/// `writers`: the expected writer of each segment; null if none is expected.
LogicalResult Network::access(int event, const Touch &touch, const int *writers) {
  const unsigned pipe = pipeOf(event);
  const Place &place = placeOf(touch);
  const Clock &clock = clocks[pipe];
  const int tile = place.tile;
  auto [first, end] = segments.of(touch.place);
  for (unsigned segment = first; segment < end; ++segment) {
    const Cell &cell = cells[segment];
    const bool ordered =
        !cell.hasTiles && cell.write <= clock[cell.writerPipe] && (!touch.writes || isCovered(cell.reads, clock));
    if (!ordered)
      if (int earlier = unorderedOf(cell, pipe, tile, touch.writes); earlier != kNobody)
        return reportRace(earlier, event, place);
    if (writers) {
      const int writer = writers[segment - first];
      if (writer == kNobody || writer != cell.writer)
        return reportLost(event, place, writer, cell.writer);
    }
  }
  for (unsigned neighbour : neighbours[touch.place])
    for (unsigned by = 0; by < kNumPipes; ++by) {
      const TileTouches &last = lastOfPlace[neighbour];
      const int earlier = std::max(last.writes[by], touch.writes ? last.reads[by] : 0);
      if (earlier > clock[by])
        return reportRace(queues[by][size_t(earlier) - 1], event, place);
    }
  return success();
}

LogicalResult Network::work(int event) {
  // An op performs all its reads before its writes.
  const int *writers = expected.data() + expectedOf[size_t(event)];
  for (const Touch &touch : touchesOf(eventAt(event))) {
    const bool isExpected = placeOf(touch).inUB && touch.reads;
    if (failed(access(event, touch, isExpected ? writers : nullptr)))
      return failure();
    if (isExpected)
      writers += segments.of(touch.place).end - segments.of(touch.place).first;
  }
  const unsigned pipe = pipeOf(event);
  const int instruction = places[size_t(event)] + 1;
  for (const Touch &touch : touchesOf(eventAt(event))) {
    if (neighbours[touch.place].empty())
      continue;
    TileTouches &last = lastOfPlace[touch.place];
    if (touch.reads)
      last.reads[pipe] = instruction;
    if (touch.writes)
      last.writes[pipe] = instruction;
  }
  for (const Touch &touch : touchesOf(eventAt(event))) {
    if (!touch.reads)
      continue;
    const int tile = placeOf(touch).tile;
    if (tile != kNoTile)
      lastOfTile[size_t(tile)].reads[pipe] = instruction;
    auto [first, end] = segments.of(touch.place);
    for (unsigned segment = first; segment < end; ++segment) {
      Cell &cell = cells[segment];
      cell.reads[pipe] = instruction;
      cell.readerTile[pipe] = tile;
      cell.hasTiles |= tile != kNoTile;
    }
  }
  for (const Touch &touch : touchesOf(eventAt(event))) {
    if (!touch.writes)
      continue;
    const int tile = placeOf(touch).tile;
    if (tile != kNoTile)
      lastOfTile[size_t(tile)].writes[pipe] = instruction;
    auto [first, end] = segments.of(touch.place);
    for (unsigned segment = first; segment < end; ++segment) {
      Cell &cell = cells[segment];
      cell.writer = event;
      cell.writerPipe = pipe;
      cell.write = instruction;
      cell.writerTile = tile;
      cell.hasTiles |= tile != kNoTile;
      cell.reads.fill(0);
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

LogicalResult Network::set(int event) {
  const Instruction &flag = *eventAt(event).instruction;
  const unsigned pipe = indexOf(flag.pipe);
  Channel &channel = channelOf(flag.pipe, flag.other, eventAt(event).id);
  const bool isPending = channel.pending != kNobody;
  const bool certain = !isPending && (channel.lastWait == kNobody ||
                                      places[size_t(channel.lastWait)] < clocks[pipe][pipeOf(channel.lastWait)]);
  if (!certain) {
    InFlightDiagnostic diagnostic =
        report(event, "[sync_c4] expects a flag to be set only after the wait for its previous set; the flag ");
    diagnostic << stringifyPipe(flag.pipe) << " -> " << stringifyPipe(flag.other) << ", id " << eventAt(event).id
               << (isPending ? ", may be set twice" : ", may be set before that wait is over");
    diagnostic.attachNote(opOf(channel.lastSet)->getLoc()) << "the previous set, " << nameOf(channel.lastSet);
    return diagnostic;
  }
  channel.published = clocks[pipe];
  channel.published[pipe] = places[size_t(event)];
  channel.pending = channel.lastSet = event;
  return success();
}

void Network::wait(int event) {
  const Instruction &flag = *eventAt(event).instruction;
  Channel &channel = channelOf(flag.other, flag.pipe, eventAt(event).id);
  Clock &clock = clocks[indexOf(flag.pipe)];
  for (unsigned pipe = 0; pipe < clock.size(); ++pipe)
    clock[pipe] = std::max(clock[pipe], channel.published[pipe]);
  channel.pending = kNobody;
  channel.lastWait = event;
}

LogicalResult Network::checkIds() const {
  for (auto [index, event] : llvm::enumerate(events)) {
    const bool flag = event.instruction->kind == Instruction::Set || event.instruction->kind == Instruction::Wait;
    if (!flag)
      continue;
    const bool isSet = event.instruction->kind == Instruction::Set;
    const Pipe from = isSet ? event.instruction->pipe : event.instruction->other;
    const Pipe to = isSet ? event.instruction->other : event.instruction->pipe;
    if (!target.hasFlag(toTarget(from), toTarget(to)))
      return report(int(index), "[sync_c7] expects flags between pipes that have them; ")
             << target.name() << " has none from " << stringifyPipe(from) << " to " << stringifyPipe(to);
    const int64_t least = target.firstEventId(toTarget(from), toTarget(to));
    if (event.id >= 0 && event.id < least)
      return report(int(index), "[sync_c7] expects event ids from ")
             << least << " on from " << stringifyPipe(from) << " to " << stringifyPipe(to) << " on " << target.name()
             << ", where the vendor's TPipe has set those below, found " << event.id << " in " << nameOf(int(index));
    if ((event.id < 0 || event.id >= static_cast<int64_t>(target.eventIds())))
      return report(int(index), "[sync_c7] expects event ids between 0 and ")
             << target.eventIds() - 1 << " on " << target.name() << ", found " << event.id << " in "
             << nameOf(int(index));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

/// The scalar unit issues instructions in program order, and none while it waits itself.
bool Network::isDispatched(int event) const {
  const unsigned scalar = indexOf(Pipe::S);
  return next[scalar] == queues[scalar].size() || event <= queues[scalar][next[scalar]];
}

/// Executes the next instruction of a pipe. False if there is none, if it must wait, or if an error was found: the
/// check stops at the first error.
bool Network::advance(unsigned pipe, LogicalResult &result) {
  if (next[pipe] == queues[pipe].size())
    return false;
  const int event = queues[pipe][next[pipe]];
  if (failed(result) || !isDispatched(event))
    return false;
  const Instruction &instruction = *eventAt(event).instruction;
  switch (instruction.kind) {
  case Instruction::Work:
    result = work(event);
    break;
  case Instruction::Set:
    result = set(event);
    break;
  case Instruction::Wait:
    if (channelOf(instruction.other, instruction.pipe, eventAt(event).id).pending == kNobody)
      return false;
    wait(event);
    break;
  case Instruction::Barrier:
    clocks[pipe][pipe] = std::max(clocks[pipe][pipe], places[size_t(event)]);
    break;
  }
  ++next[pipe];
  return succeeded(result);
}

void Network::begin(const Unrolling &unrolling) {
  events = unrolling.events;
  touches = unrolling.touches;
  iterations = unrolling.iterations;
  segments.cut(unroller, unrolling);
  places.clear();
  for (std::vector<int> &queue : queues)
    queue.clear();
  for (auto [index, event] : llvm::enumerate(events)) {
    std::vector<int> &queue = queues[indexOf(event.instruction->pipe)];
    places.push_back(int(queue.size()));
    queue.push_back(int(index));
  }
  next.fill(0);
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe) {
    clocks[pipe].fill(0);
    if (target.completesInOrder(opc::Pipe(pipe)))
      clocks[pipe][pipe] = INT_MAX;
  }
  cells.assign(segments.size(), Cell());
  lastOfTile.assign(unroller.tiles(), TileTouches());
  findNeighbours();
  lastOfPlace.assign(neighbours.size(), TileTouches());
  std::fill(channels.begin(), channels.end(), Channel());
}

LogicalResult Network::verify(const Unrolling &unrolling) {
  begin(unrolling);
  if (failed(checkIds()))
    return failure();
  if (!findWriters())
    return report(int(events.size()) - 1, "[unroll_c1] expects a kernel whose tiles are cut into few parts");
  LogicalResult result = success();
  for (bool progress = true; progress;) {
    progress = false;
    for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
      while (advance(pipe, result))
        progress = true;
  }
  if (failed(result))
    return failure();
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
    if (next[pipe] != queues[pipe].size())
      return reportStandstill();
  return reportUnwaited();
}

} // namespace opc::aicore::proof
