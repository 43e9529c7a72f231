#include "runtime/program/model/ModelPlan.h"

#include "runtime/program/format/ByteStream.h"
#include "runtime/program/model/HostFunction.h"

#include <map>
#include <optional>

using namespace opc;

static constexpr std::string_view kMagic = "OPCP";
static constexpr uint32_t kVersion = 3;
static constexpr size_t kValueBytes = 26, kStepBytes = 29, kAttributeBytes = 8;
/// Maximum rank of a value, and maximum bytes: sums of sizes stay below 2^63.
static constexpr size_t kMostDims = 64;
/// Maximum number of operands, and of results, of a step: all pairs are compared.
static constexpr size_t kMostOfStep = 256;
static constexpr uint64_t kMostBytes = uint64_t(1) << 56;
/// Maximum nesting of branches.
static constexpr size_t kMostDepth = 32;

uint64_t PlanValue::bytes() const {
  uint64_t product = elementSize(type);
  for (int64_t size : shape)
    product *= static_cast<uint64_t>(size);
  return product;
}

static bool fitsMemory(const PlanValue &value) {
  uint64_t product = elementSize(value.type);
  for (int64_t size : value.shape)
    if (size < 0 || (size != 0 && product > kMostBytes / static_cast<uint64_t>(size)))
      return false;
    else
      product *= static_cast<uint64_t>(size);
  return true;
}

namespace {

/// The written bytes of one memory, and the write of each: ranges that do not overlap.
class Written {
public:
  void write(uint64_t begin, uint64_t end, size_t writing) {
    forget(begin, end);
    if (begin != end)
      ranges[begin] = {end, writing};
  }
  /// Marks bytes as not written.
  void forget(uint64_t begin, uint64_t end) {
    if (begin == end)
      return;
    cut(begin);
    cut(end);
    ranges.erase(ranges.lower_bound(begin), ranges.lower_bound(end));
  }
  /// The single write that wrote a whole range and was not overwritten; nullopt if there is none.
  std::optional<size_t> writingOf(uint64_t begin, uint64_t end) const {
    auto range = ranges.upper_bound(begin);
    if (range == ranges.begin() || (--range)->second.first < end)
      return std::nullopt;
    return range->second.second;
  }

private:
  /// Divides the range that holds `at` in its middle.
  void cut(uint64_t at) {
    auto range = ranges.lower_bound(at);
    if (range == ranges.begin() || (--range)->second.first <= at)
      return;
    ranges[at] = range->second;
    range->second.first = at;
  }
  std::map<uint64_t, std::pair<uint64_t, size_t>> ranges;
};

class Checker {
public:
  explicit Checker(const ModelPlan &plan) : plan(plan), outputs(plan.outputs.size()) {}
  std::string run();

private:
  std::string checkValue(const PlanValue &value) const;
  std::string checkSteps(size_t first, size_t end, size_t depth);
  std::string checkStep(const PlanStep &step);
  std::string checkJoin(const PlanStep &step);
  std::string checkBranch(size_t number, size_t end, size_t depth);
  std::string checkHost(const PlanStep &step) const;
  std::string checkCounts();
  void writeResults(const PlanStep &step, size_t number);
  void forget(uint32_t value) {
    const PlanValue &forgotten = plan.values[value];
    writtenOf(forgotten).forget(beginOf(forgotten), beginOf(forgotten) + forgotten.bytes());
  }
  std::string checkEnds();
  /// Whether the bytes of a value were written.
  bool isThere(const PlanValue &value);
  bool overlap(const PlanValue &a, const PlanValue &b) const;
  /// The written bytes of the memory of a value in the arena or an output.
  Written &writtenOf(const PlanValue &value) {
    return value.memory == PlanValue::Arena ? arena : outputs[value.offset];
  }
  static uint64_t beginOf(const PlanValue &value) {
    return value.memory == PlanValue::Arena || value.memory == PlanValue::Weights ? value.offset : value.start;
  }

  const ModelPlan &plan;
  Written arena;
  std::vector<Written> outputs;
  std::vector<uint32_t> ofLists; ///< values that steps in lists of branches wrote, in their order
};

} // namespace

std::string Checker::checkValue(const PlanValue &value) const {
  if (value.memory > PlanValue::Output)
    return "is in no memory that there is";
  if (static_cast<unsigned>(value.type) >= kNumElementTypes)
    return "has no type";
  if (value.shape.size() > kMostDims || !fitsMemory(value))
    return "fits no memory";
  if (value.memory == PlanValue::Input || value.memory == PlanValue::Output) {
    const std::vector<uint32_t> &list = value.memory == PlanValue::Input ? plan.inputs : plan.outputs;
    if (value.offset >= list.size())
      return "is memory of an input or output that is not there";
    if (list[value.offset] >= plan.values.size())
      return ""; // reported as an end
    const uint64_t whole = plan.values[list[value.offset]].bytes();
    if (value.bytes() > whole || value.start > whole - value.bytes())
      return "leaves its input or output";
    return value.start % elementSize(value.type) == 0 ? "" : "is not aligned";
  }
  if (value.start != 0)
    return "begins twice";
  uint64_t whole = value.memory == PlanValue::Arena ? plan.arenaBytes : plan.weightBytes;
  if (value.offset % elementSize(value.type) != 0)
    return "is not aligned";
  if (value.bytes() > whole || value.offset > whole - value.bytes())
    return value.memory == PlanValue::Arena ? "leaves the arena" : "leaves the weights";
  return "";
}

bool Checker::overlap(const PlanValue &a, const PlanValue &b) const {
  if (a.memory != b.memory || a.bytes() == 0 || b.bytes() == 0)
    return false;
  const bool isOfCaller = a.memory == PlanValue::Input || a.memory == PlanValue::Output;
  if (isOfCaller && a.offset != b.offset)
    return false;
  return beginOf(a) < beginOf(b) + b.bytes() && beginOf(b) < beginOf(a) + a.bytes();
}

bool Checker::isThere(const PlanValue &value) {
  if (value.memory == PlanValue::Weights || value.memory == PlanValue::Input || value.bytes() == 0)
    return true;
  return writtenOf(value).writingOf(beginOf(value), beginOf(value) + value.bytes()).has_value();
}

std::string Checker::checkJoin(const PlanStep &step) {
  if (step.results.size() != 1)
    return "joins to no value, or to several";
  const PlanValue &result = plan.values[step.results[0]];
  if (result.memory != PlanValue::Arena && result.memory != PlanValue::Output)
    return "writes to weights or to an input";
  uint64_t end = beginOf(result);
  for (int32_t number : step.operands) {
    if (number < 0)
      return "joins a value that is not there";
    const PlanValue &operand = plan.values[static_cast<size_t>(number)];
    const bool isOfCaller = result.memory == PlanValue::Output;
    if (operand.bytes() != 0 &&
        (operand.memory != result.memory || (isOfCaller && operand.offset != result.offset) || beginOf(operand) != end))
      return "joins values that do not lie one after another";
    end += operand.bytes();
  }
  return end == beginOf(result) + result.bytes() ? "" : "joins values that do not fill its result";
}

std::string Checker::checkHost(const PlanStep &step) const {
  if (step.kernel >= kNumHostFunctions)
    return "calls a function that is not there";
  HostCall call{static_cast<HostFunction>(step.kernel), {}, step.attributes};
  auto formOf = [&](const PlanValue &value) { return HostForm{value.type, value.shape}; };
  for (int32_t operand : step.operands)
    call.operands.push_back(operand < 0 ? std::nullopt
                                        : std::optional(formOf(plan.values[static_cast<size_t>(operand)])));
  std::vector<HostForm> results;
  for (uint32_t result : step.results)
    results.push_back(formOf(plan.values[result]));
  if (std::string why = checkHostCall(call); !why.empty())
    return "calls '" + std::string(hostFunctionName(call.function)) + "', which " + why;
  return areHostResults(call, results) ? "" : "has results that its function does not have";
}

/// Steps of one list may write what steps of the other no longer read. So after a list, the bytes that it wrote count
/// as undefined.
std::string Checker::checkBranch(size_t number, size_t end, size_t depth) {
  const PlanStep &step = plan.steps[number];
  const size_t behind = end - number - 1;
  if (step.ifTrue > behind || step.ifFalse > behind - step.ifTrue)
    return "step " + std::to_string(number) + " has more steps than there are";
  if (depth == kMostDepth)
    return "step " + std::to_string(number) + " is in more than " + std::to_string(kMostDepth) + " branches";
  size_t first = number + 1;
  for (size_t steps : {size_t(step.ifTrue), size_t(step.ifFalse)}) {
    const size_t before = ofLists.size();
    // Earlier contents are not results of the list.
    for (uint32_t result : step.results)
      forget(result);
    if (std::string why = checkSteps(first, first + steps, depth + 1); !why.empty())
      return why;
    for (uint32_t result : step.results)
      if (!isThere(plan.values[result]))
        return "step " + std::to_string(number) + " has a list that does not write its results";
    for (size_t i = before; i < ofLists.size(); ++i)
      forget(ofLists[i]);
    // Branches around this one need not mark them again.
    ofLists.resize(before);
    first += steps;
  }
  return "";
}

void Checker::writeResults(const PlanStep &step, size_t number) {
  for (uint32_t result : step.results) {
    const PlanValue &value = plan.values[result];
    writtenOf(value).write(beginOf(value), beginOf(value) + value.bytes(), number);
  }
}

std::string Checker::checkSteps(size_t first, size_t end, size_t depth) {
  for (size_t i = first; i < end;) {
    const PlanStep &step = plan.steps[i];
    if (std::string why = checkStep(step); !why.empty())
      return "step " + std::to_string(i) + " " + why;
    size_t next = i + 1;
    if (step.kind == PlanStep::Branch) {
      if (std::string why = checkBranch(i, end, depth); !why.empty())
        return why;
      next += size_t(step.ifTrue) + step.ifFalse;
    }
    writeResults(step, i);
    if (depth != 0)
      ofLists.insert(ofLists.end(), step.results.begin(), step.results.end());
    i = next;
  }
  return "";
}

std::string Checker::checkStep(const PlanStep &step) {
  if (step.kind > PlanStep::Host)
    return "is no launch, copy, join, branch or function of the host";
  const bool isJoin = step.kind == PlanStep::Join;
  if ((step.operands.size() > kMostOfStep && !isJoin) || step.results.size() > kMostOfStep)
    return "has more operands or results than " + std::to_string(kMostOfStep);
  if (step.kind == PlanStep::Launch && step.kernel >= plan.kernels)
    return "runs a kernel that is not there";
  if (step.kind == PlanStep::Copy && (step.operands.size() != 1 || step.results.size() != 1 || step.operands[0] < 0))
    return "does not copy one value to one";
  if (step.kind == PlanStep::Branch && (step.operands.size() != 1 || step.operands[0] < 0))
    return "does not branch by one value";
  for (int32_t operand : step.operands) {
    if (operand < -1 || (operand >= 0 && static_cast<size_t>(operand) >= plan.values.size()))
      return "reads a value that is not there";
    if (operand >= 0 && !isThere(plan.values[static_cast<size_t>(operand)]))
      return "reads bytes of '" + plan.values[static_cast<size_t>(operand)].name + "' that no step wrote for it";
  }
  for (size_t i = 0; i < step.results.size(); ++i) {
    if (step.results[i] >= plan.values.size())
      return "writes a value that is not there";
    const PlanValue &result = plan.values[step.results[i]];
    if (result.memory == PlanValue::Weights || result.memory == PlanValue::Input)
      return "writes to weights or to an input";
    for (int32_t operand : step.operands)
      if (!isJoin && operand >= 0 && overlap(result, plan.values[static_cast<size_t>(operand)]) &&
          !(step.kind == PlanStep::Launch && overwrites(result, plan.values[static_cast<size_t>(operand)])))
        return "writes over its operand";
    for (size_t j = 0; j < i; ++j)
      if (overlap(result, plan.values[step.results[j]]))
        return "writes two results to one place";
  }
  if (step.kind == PlanStep::Copy &&
      plan.values[static_cast<size_t>(step.operands[0])].bytes() != plan.values[step.results[0]].bytes())
    return "copies to a value of another size";
  if (step.kind == PlanStep::Branch) {
    const PlanValue &condition = plan.values[static_cast<size_t>(step.operands[0])];
    return condition.type == ElementType::Bool && condition.bytes() == 1 ? "" : "does not branch by one truth value";
  }
  return isJoin ? checkJoin(step) : step.kind == PlanStep::Host ? checkHost(step) : "";
}

std::string Checker::checkCounts() {
  if (!plan.counts.empty() && plan.counts.size() != plan.outputs.size())
    return "expects a count, or none, for each output";
  for (size_t i = 0; i < plan.counts.size(); ++i) {
    const int32_t number = plan.counts[i];
    if (number == -1)
      continue;
    if (number < 0 || static_cast<size_t>(number) >= plan.values.size())
      return "output " + std::to_string(i) + " has a count that is not there";
    const PlanValue &count = plan.values[static_cast<size_t>(number)];
    if (count.type != ElementType::Int64 || count.bytes() != sizeof(int64_t) || count.memory != PlanValue::Arena ||
        plan.values[plan.outputs[i]].shape.empty())
      return "output " + std::to_string(i) + " has a count that is no number of its rows";
    if (!isThere(count))
      return "output " + std::to_string(i) + " has a count that no step wrote";
  }
  return "";
}

std::string Checker::checkEnds() {
  for (const auto *list : {&plan.inputs, &plan.outputs})
    for (size_t i = 0; i < list->size(); ++i) {
      bool isInput = list == &plan.inputs;
      std::string which = (isInput ? "input " : "output ") + std::to_string(i);
      if ((*list)[i] >= plan.values.size())
        return which + " is a value that is not there";
      const PlanValue &value = plan.values[(*list)[i]];
      if (value.memory != (isInput ? PlanValue::Input : PlanValue::Output) || value.offset != i || value.start != 0)
        return which + " is not the caller's memory of that number";
    }
  return "";
}

std::string Checker::run() {
  if (plan.arenaBytes > kMostBytes || plan.weightBytes > kMostBytes)
    return "arena and weights fit no memory";
  // First all sizes: later checks multiply them.
  for (size_t i = 0; i < plan.values.size(); ++i)
    if (static_cast<unsigned>(plan.values[i].type) >= kNumElementTypes || !fitsMemory(plan.values[i]))
      return "value " + std::to_string(i) + " has no type, or fits no memory";
  for (size_t i = 0; i < plan.values.size(); ++i)
    if (std::string why = checkValue(plan.values[i]); !why.empty())
      return "value " + std::to_string(i) + " " + why;
  if (std::string why = checkEnds(); !why.empty())
    return why;
  if (std::string why = checkSteps(0, plan.steps.size(), 0); !why.empty())
    return why;
  for (size_t i = 0; i < plan.outputs.size(); ++i)
    if (!isThere(plan.values[plan.outputs[i]]))
      return "output " + std::to_string(i) + " is not written";
  return checkCounts();
}

bool opc::overwrites(const PlanValue &result, const PlanValue &operand) {
  return (result.memory == PlanValue::Arena || result.memory == PlanValue::Output) && result.memory == operand.memory &&
         result.offset == operand.offset && result.start == operand.start && result.bytes() != 0 &&
         result.bytes() == operand.bytes() && elementSize(result.type) == elementSize(operand.type);
}

std::string opc::checkPlan(const ModelPlan &plan) {
  return Checker(plan).run();
}

std::vector<uint8_t> opc::writePlan(const ModelPlan &plan) {
  ByteWriter writer;
  auto count = [&](size_t number) { writer.put(static_cast<uint32_t>(number)); };
  writer.putBytes(kMagic);
  writer.put(kVersion);
  writer.put(plan.arenaBytes);
  writer.put(plan.weightBytes);
  writer.put(plan.kernels);
  count(plan.values.size());
  for (const PlanValue &value : plan.values) {
    writer.put(static_cast<uint8_t>(value.memory));
    writer.put(value.offset);
    writer.put(value.start);
    writer.put(static_cast<uint8_t>(value.type));
    count(value.shape.size());
    for (int64_t size : value.shape)
      writer.put(size);
    writer.putString(value.name);
  }
  count(plan.steps.size());
  for (const PlanStep &step : plan.steps) {
    writer.put(static_cast<uint8_t>(step.kind));
    writer.put(step.kernel);
    writer.put(step.ifTrue);
    writer.put(step.ifFalse);
    writer.putString(step.node);
    count(step.attributes.size());
    for (const auto &[name, text] : step.attributes) {
      writer.putString(name);
      writer.putString(text);
    }
    count(step.operands.size());
    for (int32_t operand : step.operands)
      writer.put(operand);
    count(step.results.size());
    for (uint32_t result : step.results)
      writer.put(result);
  }
  for (const auto *list : {&plan.inputs, &plan.outputs}) {
    count(list->size());
    for (uint32_t value : *list)
      writer.put(value);
  }
  for (size_t i = 0; i < plan.outputs.size(); ++i)
    writer.put(i < plan.counts.size() ? plan.counts[i] : int32_t(-1));
  return writer.take();
}

static void readStep(ByteReader &reader, PlanStep &step) {
  step.kind = static_cast<PlanStep::Kind>(reader.get<uint8_t>());
  step.kernel = reader.get<uint32_t>();
  step.ifTrue = reader.get<uint32_t>();
  step.ifFalse = reader.get<uint32_t>();
  step.node = reader.getString();
  step.attributes.resize(reader.getCount(kAttributeBytes));
  for (auto &[name, text] : step.attributes) {
    name = reader.getString();
    text = reader.getString();
  }
  step.operands.resize(reader.getCount(sizeof(int32_t)));
  for (int32_t &operand : step.operands)
    operand = reader.get<int32_t>();
  step.results.resize(reader.getCount(sizeof(uint32_t)));
  for (uint32_t &result : step.results)
    result = reader.get<uint32_t>();
}

std::string opc::readPlan(const uint8_t *data, size_t size, ModelPlan &plan) {
  ByteReader reader(data, size);
  if (!reader.skipBytes(kMagic))
    return "expects a plan, found other bytes";
  auto version = reader.get<uint32_t>();
  if (!reader.failed() && version != kVersion)
    return "expects version " + std::to_string(kVersion) + " of plans, found version " + std::to_string(version);
  plan = {};
  plan.arenaBytes = reader.get<uint64_t>();
  plan.weightBytes = reader.get<uint64_t>();
  plan.kernels = reader.get<uint32_t>();
  plan.values.resize(reader.getCount(kValueBytes));
  for (PlanValue &value : plan.values) {
    value.memory = static_cast<PlanValue::Memory>(reader.get<uint8_t>());
    value.offset = reader.get<uint64_t>();
    value.start = reader.get<uint64_t>();
    value.type = static_cast<ElementType>(reader.get<uint8_t>());
    value.shape.resize(reader.getCount(sizeof(int64_t)));
    for (int64_t &each : value.shape)
      each = reader.get<int64_t>();
    value.name = reader.getString();
  }
  plan.steps.resize(reader.getCount(kStepBytes));
  for (PlanStep &step : plan.steps)
    readStep(reader, step);
  for (auto *list : {&plan.inputs, &plan.outputs}) {
    list->resize(reader.getCount(sizeof(uint32_t)));
    for (uint32_t &value : *list)
      value = reader.get<uint32_t>();
  }
  plan.counts.resize(plan.outputs.size());
  for (int32_t &count : plan.counts)
    count = reader.get<int32_t>();
  if (reader.failed())
    return "the plan is cut short";
  if (!reader.atEnd())
    return "expects the end of the plan, found more bytes";
  return checkPlan(plan);
}
