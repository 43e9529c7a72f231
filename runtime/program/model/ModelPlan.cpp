#include "runtime/program/model/ModelPlan.h"

#include "runtime/program/ByteStream.h"

#include <map>
#include <optional>

using namespace opc;

static constexpr std::string_view kMagic = "OPCP";
static constexpr uint32_t kVersion = 2;
static constexpr size_t kValueBytes = 26, kStepBytes = 21, kAttributeBytes = 8;
/// Most dimensions of a value, and most bytes: sums of sizes stay below 2^63.
static constexpr size_t kMostDims = 64;
/// Most operands, and most results, of a step: each is compared with each.
static constexpr size_t kMostOfStep = 256;
static constexpr uint64_t kMostBytes = uint64_t(1) << 56;

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

/// Which bytes of one memory were written, and by which writing: ranges that do not overlap.
class Written {
public:
  void write(uint64_t begin, uint64_t end, size_t writing) {
    if (begin == end)
      return;
    cut(begin);
    cut(end);
    ranges.erase(ranges.lower_bound(begin), ranges.lower_bound(end));
    ranges[begin] = {end, writing};
  }
  /// The one writing that wrote all of a range and that nobody has overwritten; nullopt when there is none.
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
  std::string checkStep(const PlanStep &step, size_t number);
  std::string checkJoin(const PlanStep &step);
  std::string checkEnds();
  /// Whether the bytes of a value are there.
  bool isThere(const PlanValue &value);
  bool overlap(const PlanValue &a, const PlanValue &b) const;
  /// What was written of the memory of a value in the arena or an output.
  Written &writtenOf(const PlanValue &value) {
    return value.memory == PlanValue::Arena ? arena : outputs[value.offset];
  }
  static uint64_t beginOf(const PlanValue &value) {
    return value.memory == PlanValue::Arena || value.memory == PlanValue::Weights ? value.offset : value.start;
  }

  const ModelPlan &plan;
  Written arena;
  std::vector<Written> outputs;
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
      return ""; // told as an end
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
      return "joins values that do not lie one behind another";
    end += operand.bytes();
  }
  return end == beginOf(result) + result.bytes() ? "" : "joins values that do not fill its result";
}

std::string Checker::checkStep(const PlanStep &step, size_t number) {
  if (step.kind > PlanStep::Join)
    return "is no launch, no copy and no join";
  const bool isJoin = step.kind == PlanStep::Join;
  if ((step.operands.size() > kMostOfStep && !isJoin) || step.results.size() > kMostOfStep)
    return "has more operands or results than " + std::to_string(kMostOfStep);
  if (step.kind == PlanStep::Launch && step.kernel >= plan.kernels)
    return "runs a kernel that is not there";
  if (step.kind == PlanStep::Copy && (step.operands.size() != 1 || step.results.size() != 1 || step.operands[0] < 0))
    return "does not copy one value to one";
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
      if (!isJoin && operand >= 0 && overlap(result, plan.values[static_cast<size_t>(operand)]))
        return "writes over its operand";
    for (size_t j = 0; j < i; ++j)
      if (overlap(result, plan.values[step.results[j]]))
        return "writes two results to one place";
  }
  if (step.kind == PlanStep::Copy &&
      plan.values[static_cast<size_t>(step.operands[0])].bytes() != plan.values[step.results[0]].bytes())
    return "copies to a value of another size";
  if (std::string why = isJoin ? checkJoin(step) : ""; !why.empty())
    return why;
  for (uint32_t result : step.results) {
    const PlanValue &value = plan.values[result];
    writtenOf(value).write(beginOf(value), beginOf(value) + value.bytes(), number);
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
  // First all sizes: what follows multiplies them.
  for (size_t i = 0; i < plan.values.size(); ++i)
    if (static_cast<unsigned>(plan.values[i].type) >= kNumElementTypes || !fitsMemory(plan.values[i]))
      return "value " + std::to_string(i) + " has no type, or fits no memory";
  for (size_t i = 0; i < plan.values.size(); ++i)
    if (std::string why = checkValue(plan.values[i]); !why.empty())
      return "value " + std::to_string(i) + " " + why;
  if (std::string why = checkEnds(); !why.empty())
    return why;
  for (size_t i = 0; i < plan.steps.size(); ++i)
    if (std::string why = checkStep(plan.steps[i], i); !why.empty())
      return "step " + std::to_string(i) + " " + why;
  for (size_t i = 0; i < plan.outputs.size(); ++i)
    if (!isThere(plan.values[plan.outputs[i]]))
      return "output " + std::to_string(i) + " is not written";
  return "";
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
  return writer.take();
}

static void readStep(ByteReader &reader, PlanStep &step) {
  step.kind = static_cast<PlanStep::Kind>(reader.get<uint8_t>());
  step.kernel = reader.get<uint32_t>();
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
  if (reader.failed())
    return "the plan is cut short";
  if (!reader.atEnd())
    return "expects the end of the plan, found more bytes";
  return checkPlan(plan);
}
