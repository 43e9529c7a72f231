#include "lowering/aicore/verify/HappensBefore.h"
#include "lowering/aicore/verify/Segments.h"

#include <array>
#include <deque>
#include <map>

using namespace mlir;

namespace opc::aicore {

namespace {

constexpr int kNobody = -1;
/// Visits of segments in one unrolling, a few seconds; kernels that are written need some
/// thousands.
constexpr size_t kMaxVisits = size_t(1) << 25;

using Clock = std::array<int, kNumPipes>;

/// What is known of a segment of memory while the network runs.
struct Cell {
  int writer = kNobody;              ///< event
  std::array<int, kNumPipes> reader; ///< last event of each pipe that read since
  /// The tile of rows that they touched a row of, or kNobody.
  int writerTile = kNobody;
  std::array<int, kNumPipes> readerTile;
  Cell() {
    reader.fill(kNobody);
    readerTile.fill(kNobody);
  }
};

/// The last event of each pipe that wrote a row of a tile, and that read one.
struct TileTouches {
  std::array<int, kNumPipes> writer, reader;
  TileTouches() {
    writer.fill(kNobody);
    reader.fill(kNobody);
  }
};

/// The flags of one pair of pipes and one id.
struct Channel {
  struct Token {
    int event;
    Clock clock;
  };
  std::deque<Token> pending;
  int lastWait = kNobody; ///< event
  int lastSet = kNobody;
};

unsigned indexOf(Pipe pipe) {
  return static_cast<unsigned>(pipe);
}

class Network {
public:
  Network(ArrayRef<Event> events, const Target &target)
      : events(events), target(target), segments(events) {
    for (auto [index, event] : llvm::enumerate(events)) {
      places.push_back(queues[indexOf(event.pipe)].size());
      queues[indexOf(event.pipe)].push_back(index);
    }
    cells.resize(segments.size());
    for (Clock &clock : clocks)
      clock.fill(0);
    next.fill(0);
  }

  LogicalResult run();

private:
  bool isDispatched(int event) const;
  bool advance(unsigned pipe, LogicalResult &result);
  LogicalResult checkIds() const;
  void findWriters();
  size_t visits() const;

  LogicalResult work(int event);
  LogicalResult access(int event, const Span &span, ArrayRef<int> writers);
  LogicalResult set(int event);
  void wait(int event);
  bool covers(unsigned pipe, int earlier) const;
  int tileOf(const Span &span);
  int unordered(unsigned pipe, int event, int itsTile, int tile, bool writes) const;

  LogicalResult reportRace(int earlier, int later, const Span &span) const;
  LogicalResult reportLost(int event, const Span &span, int expected, int found) const;
  LogicalResult reportStandstill() const;
  LogicalResult reportUnwaited() const;
  InFlightDiagnostic report(int event, StringRef rule) const {
    return mlir::emitError(events[event].op->getLoc(), rule);
  }
  std::string nameOf(int event) const;

  ArrayRef<Event> events;
  const Target &target;
  Segments segments;
  std::vector<int> places; ///< of each event in its pipe's queue
  std::array<std::vector<int>, kNumPipes> queues;
  std::array<size_t, kNumPipes> next;
  std::array<Clock, kNumPipes> clocks;
  std::vector<Cell> cells;
  /// Slots that are cut into rows, and the last events of each pipe that touched a row of each.
  std::map<std::pair<void *, int64_t>, int> tiles;
  std::vector<TileTouches> lastOfTile;
  std::map<std::tuple<Pipe, Pipe, int64_t>, Channel> channels;
  /// For each event and each of its spans in UB that it reads, the writer of each segment in the
  /// order of the text.
  std::vector<SmallVector<SmallVector<int, 2>, 2>> expected;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is told
//===----------------------------------------------------------------------===//

/// "'aicore.vadd' of iteration 3"
std::string Network::nameOf(int event) const {
  std::string name = "'" + events[event].op->getName().getStringRef().str() + "'";
  if (events[event].iteration.empty())
    return name;
  name += " of iteration ";
  for (auto [index, number] : llvm::enumerate(events[event].iteration))
    name += (index ? ", " : "") + std::to_string(number);
  return name;
}

static std::string homeName(const Span &span) {
  if (auto buffer = span.home.getDefiningOp<BufferOp>())
    return "'" + buffer.getName().str() + "'";
  return "argument " + std::to_string(cast<BlockArgument>(span.home).getArgNumber());
}

static std::string pipeText(Pipe pipe) {
  return stringifyPipe(pipe).str();
}

LogicalResult Network::reportRace(int earlier, int later, const Span &span) const {
  const Event &first = events[earlier], &second = events[later];
  InFlightDiagnostic diagnostic =
      report(later, "[sync_c1] expects accesses to one byte to be ordered by flags or barriers; ");
  diagnostic << nameOf(later) << " on pipe " << pipeText(second.pipe) << " touches "
             << homeName(span) << " and nothing makes it come after " << nameOf(earlier)
             << " on pipe " << pipeText(first.pipe);
  diagnostic.attachNote(first.op->getLoc()) << "the other access is here";
  return diagnostic;
}

LogicalResult Network::reportLost(int event, const Span &span, int expectedWriter,
                                  int found) const {
  if (expectedWriter == kNobody) {
    InFlightDiagnostic diagnostic =
        report(event, "[sync_c3] expects what is read to have been written; ");
    diagnostic << nameOf(event) << " reads " << homeName(span) << ", where nothing was written";
    diagnostic.attachNote(span.home.getLoc()) << homeName(span) << " is here";
    return diagnostic;
  }
  InFlightDiagnostic diagnostic = report(
      event,
      "[sync_c2] expects what is read to be what was written last through the same buffer; ");
  diagnostic << nameOf(event) << " reads from " << homeName(span) << " what "
             << nameOf(expectedWriter) << " wrote";
  diagnostic.attachNote(events[expectedWriter].op->getLoc()) << "it was written here";
  if (found != kNobody)
    diagnostic.attachNote(events[found].op->getLoc())
        << "and overwritten here, by " << nameOf(found);
  return diagnostic;
}

LogicalResult Network::reportStandstill() const {
  int first = kNobody;
  std::string who;
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe) {
    if (next[pipe] == queues[pipe].size())
      continue;
    int event = queues[pipe][next[pipe]];
    const Event &blocked = events[event];
    if (blocked.kind != Event::Wait || !isDispatched(event))
      continue;
    who += (who.empty() ? "pipe " : "; pipe ") + pipeText(blocked.pipe) + " waits for " +
           pipeText(blocked.other) + ", id " + std::to_string(blocked.id);
    if (first == kNobody || event < first)
      first = event;
  }
  InFlightDiagnostic diagnostic =
      report(first, "[sync_c6] expects every wait to be met; here the pipes stand still: ");
  diagnostic << who;
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
    if (next[pipe] != queues[pipe].size() && queues[pipe][next[pipe]] != first) {
      int event = queues[pipe][next[pipe]];
      diagnostic.attachNote(events[event].op->getLoc())
          << "pipe " << pipeText(events[event].pipe) << " stands at " << nameOf(event);
    }
  return diagnostic;
}

LogicalResult Network::reportUnwaited() const {
  for (const auto &[key, channel] : channels)
    if (!channel.pending.empty()) {
      InFlightDiagnostic diagnostic =
          report(channel.pending.front().event, "[sync_c5] expects every set to be waited for; ");
      return diagnostic << "the flag " << pipeText(std::get<0>(key)) << " -> "
                        << pipeText(std::get<1>(key)) << ", id " << std::get<2>(key)
                        << ", is still set at the end of the kernel";
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

// As if every buffer had bytes of its own and the ops ran one after the other.
void Network::findWriters() {
  std::map<std::pair<void *, unsigned>, int> writers;
  expected.resize(events.size());
  for (auto [index, event] : llvm::enumerate(events)) {
    for (const Span &span : event.spans) {
      auto &ofSpan = expected[index].emplace_back();
      if (!span.inUB || !span.reads)
        continue;
      auto [first, last] = segments.of(span);
      for (unsigned segment = first; segment < last; ++segment) {
        auto writer = writers.find({span.home.getAsOpaquePointer(), segment});
        ofSpan.push_back(writer == writers.end() ? kNobody : writer->second);
      }
    }
    for (const Span &span : event.spans) {
      if (!span.inUB || !span.writes)
        continue;
      auto [first, last] = segments.of(span);
      for (unsigned segment = first; segment < last; ++segment)
        writers[{span.home.getAsOpaquePointer(), segment}] = index;
    }
  }
}

/// Whether what `pipe` does now comes after `earlier` is complete.
bool Network::covers(unsigned pipe, int earlier) const {
  unsigned other = indexOf(events[earlier].pipe);
  if (pipe == other && target.completesInOrder(toTarget(events[earlier].pipe)))
    return true;
  return clocks[pipe][other] > places[earlier];
}

int Network::tileOf(const Span &span) {
  if (!span.isRow)
    return kNobody;
  auto [tile, inserted] =
      tiles.try_emplace({span.home.getAsOpaquePointer(), span.slot}, int(tiles.size()));
  if (inserted)
    lastOfTile.emplace_back();
  return tile->second;
}

/// What `pipe` does now to `tile` has to come after and does not: `event`, or who stands for it.
/// Rows of one tile are told apart. To other buffers in the same bytes a row may lie anywhere in
/// its tile: there the last rows of each pipe stand for all, those that were written, and to a
/// write those that were read.
int Network::unordered(unsigned pipe, int event, int itsTile, int tile, bool writes) const {
  auto missing = [&](int earlier) { return earlier != kNobody && !covers(pipe, earlier); };
  if (event == kNobody)
    return kNobody;
  if (itsTile == kNobody || itsTile == tile)
    return missing(event) ? event : kNobody;
  const TileTouches &touches = lastOfTile[itsTile];
  for (int writer : touches.writer)
    if (missing(writer))
      return writer;
  for (int reader : touches.reader)
    if (writes && missing(reader))
      return reader;
  return kNobody;
}

LogicalResult Network::access(int event, const Span &span, ArrayRef<int> writers) {
  unsigned pipe = indexOf(events[event].pipe);
  int tile = tileOf(span);
  auto [first, last] = segments.of(span);
  for (unsigned segment = first; segment < last; ++segment) {
    Cell &cell = cells[segment];
    int earlier = unordered(pipe, cell.writer, cell.writerTile, tile, span.writes);
    if (span.writes)
      for (auto [reader, itsTile] : llvm::zip_equal(cell.reader, cell.readerTile))
        if (earlier == kNobody)
          earlier = unordered(pipe, reader, itsTile, tile, span.writes);
    if (earlier != kNobody)
      return reportRace(earlier, event, span);
    if (!writers.empty()) {
      int writer = writers[segment - first];
      if (writer == kNobody || writer != cell.writer)
        return reportLost(event, span, writer, cell.writer);
    }
  }
  return success();
}

LogicalResult Network::work(int event) {
  // All reads of an op come before its writes.
  for (auto [span, writers] : llvm::zip(events[event].spans, expected[event]))
    if (failed(access(event, span, writers)))
      return failure();
  const unsigned pipe = indexOf(events[event].pipe);
  for (const Span &span : events[event].spans) {
    if (!span.reads)
      continue;
    int tile = tileOf(span);
    if (tile != kNobody)
      lastOfTile[tile].reader[pipe] = event;
    auto [first, last] = segments.of(span);
    for (unsigned segment = first; segment < last; ++segment) {
      cells[segment].reader[pipe] = event;
      cells[segment].readerTile[pipe] = tile;
    }
  }
  for (const Span &span : events[event].spans) {
    if (!span.writes)
      continue;
    int tile = tileOf(span);
    if (tile != kNobody)
      lastOfTile[tile].writer[pipe] = event;
    auto [first, last] = segments.of(span);
    for (unsigned segment = first; segment < last; ++segment) {
      cells[segment].writer = event;
      cells[segment].writerTile = tile;
      cells[segment].reader.fill(kNobody);
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Flags
//===----------------------------------------------------------------------===//

LogicalResult Network::set(int event) {
  const Event &flag = events[event];
  unsigned pipe = indexOf(flag.pipe);
  Channel &channel = channels[{flag.pipe, flag.other, flag.id}];
  bool certain =
      channel.pending.empty() && (channel.lastWait == kNobody || covers(pipe, channel.lastWait));
  if (!certain) {
    InFlightDiagnostic diagnostic = report(
        event,
        "[sync_c4] expects a flag to be set only after the wait for its set before; the flag ");
    diagnostic << pipeText(flag.pipe) << " -> " << pipeText(flag.other) << ", id " << flag.id
               << (channel.pending.empty() ? ", may be set before that wait is over"
                                           : ", may be set twice");
    diagnostic.attachNote(events[channel.lastSet].op->getLoc())
        << "the set before, " << nameOf(channel.lastSet);
    return diagnostic;
  }
  Clock published = clocks[pipe];
  published[pipe] = places[event];
  channel.pending.push_back({event, published});
  channel.lastSet = event;
  return success();
}

void Network::wait(int event) {
  const Event &flag = events[event];
  Channel &channel = channels[{flag.other, flag.pipe, flag.id}];
  Clock &clock = clocks[indexOf(flag.pipe)];
  for (unsigned pipe = 0; pipe < kNumPipes; ++pipe)
    clock[pipe] = std::max(clock[pipe], channel.pending.front().clock[pipe]);
  channel.pending.pop_front();
  channel.lastWait = event;
}

LogicalResult Network::checkIds() const {
  for (auto [index, event] : llvm::enumerate(events)) {
    bool flag = event.kind == Event::Set || event.kind == Event::Wait;
    if (flag && (event.id < 0 || event.id >= static_cast<int64_t>(target.eventIds())))
      return report(index, "[sync_c7] expects event ids between 0 and ")
             << target.eventIds() - 1 << " on " << target.name() << ", found " << event.id << " in "
             << nameOf(index);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The network
//===----------------------------------------------------------------------===//

/// The scalar unit hands out instructions in the order of the text, and none while it waits itself.
bool Network::isDispatched(int event) const {
  unsigned scalar = indexOf(Pipe::S);
  return next[scalar] == queues[scalar].size() || event <= queues[scalar][next[scalar]];
}

/// Performs the next instruction of a pipe; false when there is none, it must wait, or a mistake
/// was found: what comes behind one is not looked at.
bool Network::advance(unsigned pipe, LogicalResult &result) {
  if (next[pipe] == queues[pipe].size())
    return false;
  int event = queues[pipe][next[pipe]];
  if (failed(result) || !isDispatched(event))
    return false;
  switch (events[event].kind) {
  case Event::Work:
    result = work(event);
    break;
  case Event::Set:
    result = set(event);
    break;
  case Event::Wait:
    if (channels[{events[event].other, events[event].pipe, events[event].id}].pending.empty())
      return false;
    wait(event);
    break;
  case Event::Barrier:
    clocks[pipe][pipe] = places[event];
    break;
  }
  ++next[pipe];
  return succeeded(result);
}

/// Segments that all accesses visit together; what the check costs.
size_t Network::visits() const {
  size_t count = 0;
  for (const Event &event : events)
    for (const Span &span : event.spans)
      count += segments.of(span).second - segments.of(span).first;
  return count;
}

LogicalResult Network::run() {
  if (failed(checkIds()))
    return failure();
  if (visits() > kMaxVisits)
    return report(events.size() - 1,
                  "[unroll_c1] expects a kernel whose tiles are cut into few parts");
  findWriters();
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

LogicalResult verifyHappensBefore(ArrayRef<Event> events, const Target &target) {
  return Network(events, target).run();
}

} // namespace opc::aicore
