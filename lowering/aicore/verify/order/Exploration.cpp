#include "lowering/aicore/verify/order/Exploration.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace opc::aicore::proof {

/// Limit for walked steps and looked-up outcomes, which take about two seconds.
static constexpr size_t kMostSteps = size_t(1) << 20;
static constexpr size_t kMostStates = size_t(1) << 16;
/// Limit for simultaneously open choices, and for loops and branches around an instruction: each is a call.
static constexpr unsigned kMostCalls = 512;

static std::array<bool, kNumPipes> pipesOf(const KernelProgram &program) {
  std::array<bool, kNumPipes> used{};
  for (const Instruction &instruction : program.instructions)
    used[static_cast<unsigned>(instruction.pipe)] = true;
  return used;
}

static void findBounds(const Body &body, const KernelProgram &program, llvm::DenseMap<Slot, unsigned> &bounds) {
  for (const Step &step : body.steps) {
    if (step.kind == Step::Bound)
      bounds[step.result] = step.index;
    if (step.kind == Step::Loop)
      findBounds(program.loops[step.index].body, program, bounds);
    if (step.kind == Step::Branch) {
      findBounds(program.branches[step.index].taken, program, bounds);
      findBounds(program.branches[step.index].other, program, bounds);
    }
  }
}

Exploration::Exploration(const KernelProgram &program, const Target &target, std::vector<bool> isShared,
                         const TripRanges &ranges)
    : program(program), demands(program), isShared(std::move(isShared)), ranges(ranges), isOuter(program.bounds.size()),
      numbers(program.numbers), trips(program.loops.size()) {
  for (const Step &step : program.body.steps)
    if (step.kind == Step::Bound)
      isOuter[step.index] = true;
  findBounds(program.body, program, boundOfSlot);
  PipeState first(target, pipesOf(program));
  idOf(first);
}

Exploration::StateId Exploration::idOf(PipeState &state) {
  stateBytes.clear();
  state.reduce(stateBytes);
  auto [known, isNew] = ids.try_emplace(stateBytes, StateId(states.size()));
  if (isNew)
    states.push_back(state);
  if (states.size() > kMostStates)
    stop(Verdict::TooMuch);
  return known->second;
}

void Exploration::append(Key &key, int64_t number) {
  key.append(llvm::StringRef(reinterpret_cast<const char *>(&number), sizeof number));
}

/// Appends the numbers that are demanded, up to their divisors.
void Exploration::append(Key &key, const Demands::Live &live) const {
  for (auto [slot, divisor] : live) {
    if (slot >= numbers.size()) {
      append(key, trips[slot - numbers.size()]);
      continue;
    }
    const Number &number = numbers[slot];
    append(key, !number ? INT64_MIN : divisor && *number >= 0 ? *number % divisor : *number);
  }
}

/// The state at a step of a walk. It is copied for the first instruction only, and steps between which nothing is
/// issued share its id.
class Exploration::Current {
public:
  Current(Exploration &owner, StateId id) : owner(owner), known(id) {}

  /// Ends the segment, if there is one.
  StateId id() {
    if (!known)
      known = owner.idOf(*own);
    if (std::exchange(segment, Segment::None) == Segment::Walked)
      owner.segmentEnds.try_emplace(key, *known);
    return *known;
  }
  void move(StateId to) {
    known = to;
    own.reset();
  }
  void issue(const Instruction &instruction) {
    if (!own)
      own = owner.states[*known];
    known.reset();
    owner.issue(instruction, *own);
  }
  /// Begins the segment with its first instruction. If its outcome is known, nothing of it is issued.
  void issueOfSegment(const Step &step) {
    if (segment == Segment::None)
      begin(owner.demands.ofSegment(step));
    if (segment == Segment::Walked)
      issue(owner.program.instructions[step.index]);
  }
  bool isAtRest() const { return (own ? *own : owner.states[*known]).isAtRest(); }

private:
  void begin(const Demands::Segment &first) {
    key.clear();
    append(key, first.number);
    append(key, id());
    owner.append(key, first.live);
    auto end = owner.segmentEnds.find(key);
    segment = end == owner.segmentEnds.end() ? Segment::Walked : Segment::Known;
    if (segment == Segment::Known)
      move(end->second);
  }

  Exploration &owner;
  std::optional<StateId> known; ///< unless something was issued since
  std::optional<PipeState> own; ///< if something was issued
  enum class Segment { None, Known, Walked } segment = Segment::None;
  Key key; ///< of the segment that is walked
};

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

Exploration::States Exploration::runLoop(const Step &step, StateId state) {
  const KernelProgram::Loop &loop = program.loops[step.index];
  Number count = loop.constant ? tripsOf(mlir::scf::ForOp(loop.op).getUpperBound()).most : numbers[step.a];
  if (!count) {
    stop(Verdict::Unsure);
    return {};
  }
  Key key;
  append(key, step.index);
  append(key, state);
  append(key, demands.ofLoop(step.index));
  if (auto known = loopEnds.find(key); known != loopEnds.end())
    return known->second;
  States current = {state};
  trips[step.index] = *count;
  for (int64_t i = 0; i < *count && going(); ++i) {
    States next;
    for (StateId from : current) {
      if (++steps > kMostSteps)
        stop(Verdict::TooMuch);
      numbers[step.result] = i;
      Key iteration;
      append(iteration, step.index);
      append(iteration, from);
      append(iteration, demands.ofBody(step.index));
      // Looks up again: a body within this one may have grown the table.
      auto known = bodyEnds.find(iteration);
      const bool isKnown = known != bodyEnds.end();
      States ends = isKnown ? known->second : runBody(loop.body, from);
      if (!going())
        return {};
      for (StateId end : ends)
        if (!llvm::is_contained(next, end))
          next.push_back(end);
      if (!isKnown)
        bodyEnds.try_emplace(iteration, std::move(ends));
    }
    current = std::move(next);
  }
  if (going())
    loopEnds.try_emplace(key, current);
  return current;
}

/// The states after a loop or a branch.
Exploration::States Exploration::runStep(const Step &step, StateId state) {
  if (step.kind == Step::Loop)
    return runLoop(step, state);
  const KernelProgram::Branch &branch = program.branches[step.index];
  const Number condition = numbers[step.a];
  if (!condition) {
    stop(Verdict::Unsure);
    return {};
  }
  return runBody(*condition ? branch.taken : branch.other, state);
}

Exploration::States Exploration::runBody(const Body &body, StateId state) {
  States ends;
  runBody(body, 0, state, ends);
  return ends;
}

void Exploration::runBody(const Body &body, size_t step, StateId begin, States &ends) {
  const llvm::SaveAndRestore call(calls, calls + 1);
  if (calls > kMostCalls)
    return stop(Verdict::TooMuch);
  Current state(*this, begin);
  for (; step < body.steps.size() && going(); ++step) {
    if (++steps > kMostSteps)
      return stop(Verdict::TooMuch);
    const Step &now = body.steps[step];
    if (now.kind == Step::Issue) {
      state.issueOfSegment(now);
    } else if (now.isInline()) {
      numbers[now.result] = evaluate(now, numbers);
    } else if (now.kind == Step::Bound) {
      const StateId id = state.id();
      const TripRange range = tripsOf(program.bounds[now.index]);
      for (int64_t count = range.least; count <= range.most && going(); ++count) {
        numbers[now.result] = count;
        runBody(body, step + 1, id, ends);
      }
      return;
    } else {
      const States after = runStep(now, state.id());
      if (after.size() != 1) {
        for (StateId id : after)
          runBody(body, step + 1, id, ends);
        return;
      }
      state.move(after.front());
    }
  }
  if (!going())
    return;
  const StateId end = state.id();
  if (!llvm::is_contained(ends, end))
    ends.push_back(end);
}

//===----------------------------------------------------------------------===//
// The block of the kernel
//===----------------------------------------------------------------------===//

/// If a demanded number is a bound that is not chosen yet, walks the rest for each choice.
bool Exploration::choose(const Demands::Live &live, size_t step, Current &current) {
  for (auto [slot, divisor] : live) {
    auto bound = boundOfSlot.find(slot);
    if (bound == boundOfSlot.end() || numbers[slot] || !isOuter[bound->second])
      continue;
    const StateId state = current.id();
    const TripRange range = tripsOf(program.bounds[bound->second]);
    for (int64_t count = range.least; count <= range.most && going(); ++count) {
      numbers[slot] = count;
      runRest(step, state);
    }
    if (going())
      numbers[slot] = std::nullopt;
    return true;
  }
  return false;
}

/// Returns true if the rest of the kernel from a step on is walked for the first time in this state and with
/// these numbers.
bool Exploration::beginRest(size_t step, StateId state) {
  Key key;
  append(key, int64_t(step));
  append(key, state);
  append(key, demands.ofRest(step));
  return begun.insert(key).second;
}

void Exploration::runRest(size_t step, StateId begin) {
  const llvm::SaveAndRestore call(calls, calls + 1);
  if (calls > kMostCalls)
    return stop(Verdict::TooMuch);
  if (!beginRest(step, begin))
    return;
  Current state(*this, begin);
  for (; step < program.body.steps.size() && going(); ++step) {
    if (++steps > kMostSteps)
      return stop(Verdict::TooMuch);
    const Step &now = program.body.steps[step];
    if (now.kind == Step::Bound)
      continue;
    if (choose(demands.ofStep(step), step, state))
      return;
    if (now.kind == Step::Issue) {
      state.issue(program.instructions[now.index]);
    } else if (now.isInline()) {
      numbers[now.result] = evaluate(now, numbers);
    } else {
      const States after = runStep(now, state.id());
      for (StateId each : llvm::ArrayRef(after).drop_front(after.empty() ? 0 : 1))
        if (going())
          runRest(step + 1, each);
      if (!going() || !beginRest(step + 1, after.front()))
        return;
      state.move(after.front());
    }
  }
  if (going() && !state.isAtRest())
    stop(Verdict::Breaks);
}

void Exploration::issue(const Instruction &instruction, PipeState &state) {
  switch (instruction.kind) {
  case Instruction::Barrier:
    return state.barrier(instruction.pipe);
  case Instruction::Set:
  case Instruction::Wait: {
    const Number id = numbers[instruction.id];
    if (!id)
      return stop(Verdict::Unsure);
    return stop(instruction.kind == Instruction::Set ? state.set(instruction.pipe, instruction.other, *id)
                                                     : state.wait(instruction.other, instruction.pipe, *id));
  }
  case Instruction::Work:
    break;
  }
  llvm::SmallVector<PlacedAccess, 4> accesses;
  for (const AccessPlan &plan : instruction.accesses) {
    const Home &home = program.homes[plan.home];
    if (home.inUB) {
      if (const Place place = locate(program, plan, numbers, trips); !place.isEmpty())
        accesses.push_back({place, 0, plan.reads, plan.writes, true, home.isCrowded});
    } else if (isShared[plan.home]) {
      Place whole;
      whole.home = plan.home;
      whole.end = 1;
      accesses.push_back({whole, plan.home + 1, plan.reads, plan.writes, false, false});
    }
  }
  stop(state.work(instruction.pipe, accesses));
}

Verdict Exploration::run() {
  runRest(0, 0);
  return verdict;
}

int64_t Exploration::tripsAtEnd(mlir::Value bound) const {
  for (auto [slot, index] : boundOfSlot)
    if (program.bounds[index] == bound && numbers[slot])
      return *numbers[slot];
  return tripsOf(bound).least;
}

} // namespace opc::aicore::proof
