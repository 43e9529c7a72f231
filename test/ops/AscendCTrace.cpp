// The emitted Ascend C of an op folder beside its simulator programs: what a launch asks of the pipes is the same,
// instruction by instruction.
//
//   ascendc_trace FOLDER CONTRACT [--full]
//
// The kernel source is compiled by a stock compiler against opc's kernel_operator.h and recorded
// (tools/opc/source/KernelRecorder.h) for the shapes that `opc test` takes: every type row, every tiling key, sizes
// around blocks, repeats and tiles. The program of the folder runs beside it on the same tensors. Compared are op,
// modes, event ids, scalars, and every access (memory, address, rows, bytes, strides), in the order of issue; then
// the bytes of the outputs. The recorded kernel runs with all sanitizers.
//
// One difference is meant: calls that take at most 255 repeats stand in loops of the text and are one instruction of
// the program. Neighbours of one op that go on where the last one ended count as one, on both sides: of calls on rows
// with a block each too, whose groups are calls of the text. A reduction of rows is split as in the text. A
// gather in the text names no end of its source, and takes offsets as unsigned words. The text has one workspace, in
// which each tensor of the program's workspace begins where the tiling data says.

#include "ops/contract/read/Reader.h"
#include "runtime/core/File.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/core/operator/OpFolder.h"
#include "runtime/core/tensor/PackedMatrix.h"
#include "runtime/device/sim/launch/Observer.h"
#include "runtime/target/Half.h"
#include "runtime/target/RowForm.h"
#include "tools/opc/source/KernelRecorder.h"
#include "tools/opc/test/TestCases.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>

using namespace opc;
using namespace opc::tool;

namespace {

struct Step {
  PipeInstruction form;
  int64_t flagId = 0;
  SimImage image;
  uint64_t scalar = 0, pad = 0;
  std::vector<SimAccess> accesses;
  std::vector<ProgramOperand> operands;
  std::string place;
};

/// A scalar as the pipe takes it: rounded to the type it works in.
uint64_t rounded(ElementType type, uint64_t bits) {
  switch (type) {
  case ElementType::Float16:
    return toHalf(floatFromBits(uint32_t(bits))).bits;
  case ElementType::BFloat16:
    return toBFloat16(floatFromBits(uint32_t(bits))).bits;
  case ElementType::Float32:
    return uint32_t(bits);
  default:
    return bits & (~uint64_t(0) >> (64 - 8 * elementSize(type)));
  }
}

class Collector final : public SimObserver {
public:
  explicit Collector(const SimulatorProgram &program) : program(program) {}
  /// Where each tensor from `first` on begins in one tensor of all of them.
  Collector(const SimulatorProgram &program, size_t first, std::vector<int64_t> starts)
      : program(program), first(first), starts(std::move(starts)) {}
  bool issued(const SimInstruction &op) override {
    if (isOfPipe(op))
      return true;
    Step step;
    step.form = *op.instruction;
    step.flagId = op.flagId;
    step.image = op.image;
    const ProgramLocation &at = program.locations[op.instruction->location];
    step.place = at.file + ":" + std::to_string(at.line);
    const bool vector = step.form.kind == PipeInstruction::Vector;
    const bool source = vector && step.form.sources[0].space != ProgramOperand::None &&
                        !hasMask(intrinsicInfo(step.form.intrinsic).form);
    const ElementType type = source ? step.form.sources[0].type : step.form.destination.type;
    if (step.form.scalar != kNoRegister)
      step.scalar = rounded(type, op.scalar);
    if (step.form.pad != kNoRegister)
      step.pad = rounded(step.form.destination.type, op.pad);
    // What a gather selects from has elements also if it selects none of them.
    const bool gathers = vector && intrinsicInfo(step.form.intrinsic).form == IntrinsicForm::Gather;
    bool empty = op.numAccesses != 0;
    for (unsigned i = 0; i < op.numAccesses; ++i) {
      step.accesses.push_back(op.accesses[i]);
      step.operands.push_back(*op.accesses[i].operand);
      step.accesses.back().operand = nullptr;
      if (ProgramOperand &of = step.operands.back(); of.space == ProgramOperand::GM && of.tensor >= first) {
        step.accesses.back().address += starts[of.tensor - first];
        of.tensor = uint16_t(first);
      }
      empty = empty && (op.accesses[i].rowBytes * op.accesses[i].rows == 0 || (gathers && i == 1));
    }
    const bool addsNothing = step.form.kind == PipeInstruction::Mmad && op.depth == 0 && op.scalar == 0;
    if (addsNothing || ((vector || isOfCube(step.form.kind)) && empty))
      return true; // no element, no call
    if (gathers) {
      step.accesses[1].rowBytes = 0;
      step.operands[2].type = ElementType::UInt32;
    }
    // 32 bits that have no meaning to the instruction: a kernel counts in f32, the call takes uint32_t.
    if (vector && step.form.intrinsic == Intrinsic::vsort32)
      step.operands[2].type = ElementType::UInt32;
    if (isReductionOfRows(step))
      splitRows(step, op);
    else
      take(std::move(step));
    return true;
  }

  std::vector<Step> steps;

private:
  size_t first = SIZE_MAX;
  std::vector<int64_t> starts;

  void take(Step step) {
    if (!joins(step))
      steps.push_back(std::move(step));
  }

  static bool isReductionOfRows(const Step &step) {
    return step.form.kind == PipeInstruction::Vector && step.form.rows != kNoRegister &&
           intrinsicInfo(step.form.intrinsic).form == IntrinsicForm::Reduce;
  }

  /// A reduction of rows is one instruction of the program, and several calls of the text: on a repeat of each row, on
  /// pairs of repeats, or on single rows.
  void splitRows(const Step &whole, const SimInstruction &op) {
    const SimAccess &to = whole.accesses[0], &from = whole.accesses[1], &scratch = whole.accesses[2];
    const ElementType type = whole.operands[1].type;
    const int64_t size = elementSize(type), stride = from.stride;
    const ReducedRows rows{type, op.rows, op.count, stride / size};
    const RowReduction way = rows.way();
    const int64_t repeats = rows.repeats();
    auto call = [&](Intrinsic intrinsic, std::vector<SimAccess> accesses) {
      Step step = whole;
      step.form.intrinsic = intrinsic;
      step.accesses = std::move(accesses);
      step.operands.resize(step.accesses.size());
      take(std::move(step));
    };
    auto reduce = [&](int64_t result, int64_t source, int64_t count) {
      call(ofRepeats(whole.form.intrinsic), {{nullptr, true, result, size}, {nullptr, false, source, count * size}});
    };
    auto resultOf = [&](int64_t row) { return to.address + row * to.stride; };
    auto rowAt = [&](int64_t row) { return from.address + row * stride; };
    if (way == RowReduction::Alone) {
      const int64_t work = allTargets().front().scratchBytes(whole.form.intrinsic, type, op.count);
      for (int64_t row = 0; row < op.rows; ++row)
        call(whole.form.intrinsic, {{nullptr, true, resultOf(row), size},
                                    {nullptr, false, rowAt(row), op.count * size},
                                    {nullptr, true, scratch.address + row * stride, work}});
      return;
    }
    int64_t last = from.address, distance = stride, count = op.count;
    if (way == RowReduction::Halves) {
      int64_t next = scratch.address;
      for (int64_t parts = op.rows * repeats / 2; parts >= op.rows; parts /= 2) {
        for (int64_t part = 0; part < parts; ++part)
          call(ofPairs(whole.form.intrinsic), {{nullptr, true, next + part * kRepeatBytes, kRepeatBytes},
                                               {nullptr, false, last + 2 * part * kRepeatBytes, kRepeatBytes},
                                               {nullptr, false, last + (2 * part + 1) * kRepeatBytes, kRepeatBytes}});
        last = next, next += parts * kRepeatBytes;
      }
      distance = kRepeatBytes, count = rows.lanes();
    } else if (repeats > 1) {
      for (int64_t part = 0; part < repeats; ++part)
        for (int64_t row = 0; row < op.rows; ++row)
          reduce(scratch.address + row * kBlockBytes + part * size, rowAt(row) + part * kRepeatBytes,
                 std::min(rows.lanes(), op.count - part * rows.lanes()));
      last = scratch.address, distance = kBlockBytes, count = repeats;
    }
    for (int64_t row = 0; row < op.rows; ++row)
      reduce(resultOf(row), last + row * distance, count);
  }

  /// Whether TPipe set a flag when it was made, or waits for it at its end. Kernels take other ids.
  static bool isOfPipe(const SimInstruction &op) {
    const PipeInstruction &form = *op.instruction;
    const bool sets = form.kind == PipeInstruction::SetFlag;
    if (!sets && form.kind != PipeInstruction::WaitFlag)
      return false;
    const Pipe from = sets ? form.pipe : form.other, to = sets ? form.other : form.pipe;
    return op.flagId < allTargets().front().firstEventId(from, to);
  }

  /// Whether the step goes on where the last one ended, and is part of it now.
  bool joins(const Step &step) {
    if (steps.empty() || step.form.kind != PipeInstruction::Vector)
      return false;
    Step &last = steps.back();
    if (last.form.kind != PipeInstruction::Vector || last.form.intrinsic != step.form.intrinsic ||
        last.form.pattern != step.form.pattern || last.scalar != step.scalar ||
        last.accesses.size() != step.accesses.size())
      return false;
    if (mayTakeRows(step.form.intrinsic))
      return joinsRows(last, step);
    const IntrinsicForm form = intrinsicInfo(step.form.intrinsic).form;
    const bool chunked = step.form.intrinsic == Intrinsic::vcopy || form == IntrinsicForm::RepeatReduce ||
                         form == IntrinsicForm::BlockReduce || form == IntrinsicForm::PairReduce ||
                         form == IntrinsicForm::Sort;
    for (size_t i = 0; i < step.accesses.size(); ++i)
      if (!chunked || last.accesses[i].address + last.accesses[i].rowBytes != step.accesses[i].address)
        return false;
    for (size_t i = 0; i < step.accesses.size(); ++i)
      last.accesses[i].rowBytes += step.accesses[i].rowBytes;
    return true;
  }

  /// Rows after those of the last step, or a part of its last row: that has its block again. Rows of one block are
  /// arithmetic on two tiles in the text, so that counts as rows too.
  static bool joinsRows(Step &last, const Step &step) {
    for (size_t i = 0; i < 2; ++i)
      if (last.accesses[i].end() != step.accesses[i].address)
        return false;
    const SimAccess &block = step.accesses[2];
    const bool sameRow = block.rowBytes <= kBlockBytes && block.address == last.accesses[2].end() - kBlockBytes;
    if (!sameRow && block.address != last.accesses[2].end())
      return false;
    for (size_t i = 0; i < (sameRow ? 2u : 3u); ++i)
      last.accesses[i].rowBytes += step.accesses[i].rowBytes;
    return true;
  }

  const SimulatorProgram &program;
};

std::string textOf(const Step &step) {
  static const char *kinds[] = {"load",        "store",        "vector",      "set_flag", "wait_flag", "barrier",
                                "scalar_read", "scalar_write", "scalar_work", "load_nz",  "fill",      "load_fractals",
                                "mmad",        "fixpipe",      "load_im2col", "load_bias"};
  std::ostringstream os;
  os << kinds[step.form.kind] << " on " << pipeName(step.form.pipe);
  if (step.form.kind == PipeInstruction::Vector)
    os << " " << intrinsicInfo(step.form.intrinsic).name << " rounding " << roundingModeName(step.form.rounding)
       << " compare " << compareModeName(step.form.compare) << " pattern " << int(step.form.pattern);
  if (step.form.kind == PipeInstruction::SetFlag || step.form.kind == PipeInstruction::WaitFlag)
    os << " with " << pipeName(step.form.other) << " event " << step.flagId;
  if (step.form.scalar != kNoRegister)
    os << " scalar " << step.scalar;
  if (step.form.pad != kNoRegister)
    os << " pad " << step.pad;
  if (step.form.kind == PipeInstruction::LoadIm2col)
    for (int64_t number : step.image.numbers)
      os << " image " << number;
  if (step.form.relu)
    os << " relu";
  if (step.form.packed)
    os << " fractals";
  if (step.form.atomicAdd)
    os << " atomic";
  for (size_t i = 0; i < step.accesses.size(); ++i) {
    const SimAccess &access = step.accesses[i];
    const ProgramOperand &operand = step.operands[i];
    // The chip's fill takes no bfloat16: the text fills the same bits as whole numbers.
    const bool bits = step.form.intrinsic == Intrinsic::vbrc && step.form.kind == PipeInstruction::Vector &&
                      operand.type == ElementType::BFloat16;
    const ElementType type = bits ? ElementType::UInt16 : operand.type;
    os << (access.write ? " writes " : " reads ")
       << (operand.space == ProgramOperand::GM ? "gm" + std::to_string(operand.tensor) : "ub") << " "
       << mlirTypeName(type) << " at " << access.address << " " << access.rows << " rows of " << access.rowBytes;
    if (access.rows > 1)
      os << " every " << access.stride;
  }
  return os.str();
}

/// The bytes of the tiling structure as a C++ compiler lays it out.
std::string structBytes(const std::vector<TilingField> &fields, const std::vector<int64_t> &values) {
  std::string bytes;
  size_t widest = 4;
  for (size_t i = 0; i < fields.size(); ++i) {
    const size_t size = fields[i].type == TilingField::UInt64 ? 8 : 4;
    widest = std::max(widest, size);
    bytes.resize((bytes.size() + size - 1) / size * size);
    bytes.append(reinterpret_cast<const char *>(&values[i]), size);
  }
  bytes.resize((bytes.size() + widest - 1) / widest * widest);
  return bytes;
}

/// Values that no rule of a contract refuses, no two neighbours alike.
void fill(Tensor &tensor, std::mt19937 &random) {
  auto *bytes = static_cast<uint8_t *>(tensor.data());
  const unsigned size = elementSize(tensor.type());
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    uint32_t bits = random();
    switch (tensor.type()) {
    case ElementType::Float32:
      bits = 0x3f800000u | (bits >> 9);
      break;
    case ElementType::Float16:
      bits = 0x3c00u | (bits >> 22);
      break;
    case ElementType::BFloat16:
      bits = 0x3f80u | (bits >> 25);
      break;
    default:
      bits = tensor.type() == ElementType::Bool ? bits & 1u : bits % 100u;
    }
    const uint64_t wide = bits;
    std::memcpy(bytes + i * int64_t(size), &wide, size);
  }
}

class Checker {
public:
  Checker(OpFolder folder, Contract contract, bool full)
      : folder(std::move(folder)), contract(std::move(contract)), full(full) {}
  bool run();

private:
  bool runCase(const TestCase &testCase, unsigned row);
  std::vector<NamedValue> attributesOf(const TestCase &testCase) const;
  bool fail(const std::string &what) const;
  SimResult simulateWith(const SimulatorProgram &program, const std::vector<int64_t> &tiling,
                         std::vector<Tensor> &outputs, std::vector<Tensor> &workspace, SimOptions options,
                         Diagnostics &diagnostics) const;
  int64_t fieldOf(const SimulatorProgram &program, const std::string &name) const;

  OpFolder folder;
  Contract contract;
  bool full;
  std::unique_ptr<KernelSource> source;
  std::map<std::string, SimulatorProgram> programs;
  std::set<std::string> visited;
  std::string current;
  // Of the case.
  std::vector<Tensor> inputs;
  BoundLaunch launch;
  size_t cases = 0, steps = 0, unrecorded = 0;
};

bool Checker::fail(const std::string &what) const {
  std::printf("FAILED %s: %s\n", current.c_str(), what.c_str());
  return false;
}

std::string told(const Diagnostics &diagnostics) {
  std::ostringstream os;
  for (const Diagnostic &diagnostic : diagnostics.all())
    printText(os, diagnostic);
  return os.str();
}

std::vector<NamedValue> Checker::attributesOf(const TestCase &testCase) const {
  std::vector<NamedValue> values;
  std::set<std::string> set;
  auto give = [&](const std::string &name, const std::string &value) {
    if (set.insert(name).second)
      values.emplace_back(name, value);
  };
  for (const ManifestTensor &output : folder.manifest.outputs) {
    if (!output.reduces)
      continue;
    std::string axes;
    for (int64_t axis : testCase.axes)
      axes += (axes.empty() ? "" : ",") + std::to_string(axis);
    for (const ManifestAttribute &attribute : folder.manifest.attributes) {
      if (attribute.name == output.reduces->axes && attribute.bind == ManifestAttribute::Shape)
        give(attribute.name, attribute.type == ManifestAttribute::ListInt ? "[" + axes + "]" : axes);
      if (attribute.name == output.reduces->keepDims && testCase.keepDims)
        give(attribute.name, *testCase.keepDims ? "true" : "false");
    }
  }
  for (const ManifestAttribute &attribute : folder.manifest.attributes)
    if (std::holds_alternative<std::monostate>(attribute.defaultValue) && attribute.bind == ManifestAttribute::Launch)
      give(attribute.name, attribute.type == ManifestAttribute::Bool    ? "true"
                           : attribute.type == ManifestAttribute::Float ? "1.5"
                                                                        : "1");
  return values;
}

/// A field of the tiling data; 0 if there is none of this name.
int64_t Checker::fieldOf(const SimulatorProgram &program, const std::string &name) const {
  for (size_t i = 0; i < program.tilingData.size(); ++i)
    if (program.tilingData[i].name == name)
      return launch.tiling[i];
  return 0;
}

/// Whether a recording ended because the kernel has more calls than it holds.
bool isTooLong(const Diagnostics &diagnostics) {
  return std::any_of(diagnostics.all().begin(), diagnostics.all().end(),
                     [](const Diagnostic &one) { return one.code == Code::E0451 && one.rule == "ascendc_c14"; });
}

SimResult Checker::simulateWith(const SimulatorProgram &program, const std::vector<int64_t> &tiling,
                                std::vector<Tensor> &outputs, std::vector<Tensor> &workspace, SimOptions options,
                                Diagnostics &diagnostics) const {
  std::vector<SimTensor> tensors;
  const Manifest &manifest = folder.manifest;
  for (size_t i = 0; i < inputs.size(); ++i)
    tensors.push_back(
        {manifest.inputs[i].name, const_cast<void *>(inputs[i].data()), inputs[i].numBytes(), inputs[i].type(), false});
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::memset(outputs[i].data(), 0, size_t(outputs[i].numBytes()));
    tensors.push_back({manifest.outputs[i].name, outputs[i].data(), outputs[i].numBytes(), outputs[i].type(), true});
  }
  for (Tensor &tensor : workspace) {
    tensors.push_back({"the workspace", tensor.data(), tensor.numBytes(), tensor.type(), true});
    // Between the values of the text's workspace are bytes that nothing stores.
    tensors.back().inPlace = &workspace != &launch.workspace;
  }
  return simulate(program, *findTarget(manifest.target), tensors, tiling, launch.blockNum, options, diagnostics);
}

bool Checker::runCase(const TestCase &testCase, unsigned row) {
  const Manifest &manifest = folder.manifest;
  inputs.clear();
  std::mt19937 random(uint32_t(testCase.seed + cases));
  std::vector<const Tensor *> given;
  current = "";
  for (size_t i = 0; i < manifest.inputs.size(); ++i) {
    std::optional<Tensor> tensor = Tensor::create(manifest.inputs[i].types[row], testCase.inputs[i]);
    if (!tensor)
      return fail("no memory");
    fill(*tensor, random);
    const PackedForm form = manifest.inputs[i].packedForm(row);
    if (form != PackedForm::None && !(tensor = packedCopy(*tensor, form)))
      return fail("no memory");
    inputs.push_back(std::move(*tensor));
    current += shapeText(testCase.inputs[i]);
  }
  for (const Tensor &input : inputs)
    given.push_back(&input);
  LaunchTarget target{cases % 3 == 2 ? 3 : 1, nullptr, row};
  Diagnostics diagnostics;
  std::optional<BoundLaunch> bound = bindLaunch(manifest, given, attributesOf(testCase), target, diagnostics);
  if (!bound)
    return true; // the contract refuses the shapes: another test's business
  launch = std::move(*bound);
  current = launch.kernel->name + current;
  SimulatorProgram &program = programs[launch.kernel->name];
  if (program.code.empty()) {
    std::optional<std::string> bytes =
        readFile(folder.path + "/" + launch.kernel->simulatorProgram, int64_t(1) << 26, diagnostics);
    if (!bytes || !readProgram(reinterpret_cast<const uint8_t *>(bytes->data()), bytes->size(), program).empty())
      return fail("its simulator program cannot be read");
  }

  RecordRequest request;
  request.source = source.get();
  request.target = findTarget(manifest.target);
  request.tiling = structBytes(program.tilingData, launch.tiling);
  request.tilingKey = launch.kernel->tilingKey;
  request.blockNum = launch.blockNum;
  std::vector<Tensor> recordedOutputs;
  for (const Tensor &output : launch.outputs)
    recordedOutputs.push_back(*Tensor::create(output.type(), output.shape()));
  const size_t tensors = inputs.size() + recordedOutputs.size();
  // The text has one workspace, of so many bytes as the tiling function asks for.
  std::vector<int64_t> starts;
  for (const ManifestTensor &tensor : manifest.workspace)
    starts.push_back(fieldOf(program, tensor.name + "_at"));
  std::vector<Tensor> recordedWorkspace;
  if (const int64_t bytes = starts.empty() ? 0 : fieldOf(program, "workspace"); bytes > 0)
    recordedWorkspace.push_back(*Tensor::create(ElementType::Float32, {bytes / 4}));
  if (source->kernel.parameters.size() != tensors + 2)
    return fail("the kernel has another number of parameters");
  for (size_t i = 0; i < tensors + 2; ++i) {
    KernelParameter parameter;
    parameter.name = source->kernel.parameters[i];
    parameter.kind = i < inputs.size() ? KernelParameter::Input
                     : i < tensors     ? KernelParameter::Output
                     : i == tensors    ? KernelParameter::Workspace
                                       : KernelParameter::Tiling;
    if (i < tensors)
      parameter.tensor = i < inputs.size() ? &inputs[i] : &recordedOutputs[i - inputs.size()];
    else if (i == tensors && !recordedWorkspace.empty())
      parameter.tensor = &recordedWorkspace.front();
    request.parameters.push_back(parameter);
  }
  std::optional<ascendc::Recording> recording = recordKernel(request, diagnostics);
  if (!recording && isTooLong(diagnostics)) {
    // So has the program; an endless loop of the text alone is a failure. Shorter launches of the kernel are compared.
    Diagnostics unread;
    const SimResult ran = simulateWith(program, launch.tiling, launch.outputs, launch.workspace, {}, unread);
    if (!ran.completed || ran.pipeInstructions < ascendc::RecordSettings().instructionLimit / 2)
      return fail("recording: " + told(diagnostics));
    ++unrecorded;
    std::printf("%s: more calls than a recording holds\n", current.c_str());
    return true;
  }
  if (!recording)
    return fail("recording: " + told(diagnostics));
  visited.insert(launch.kernel->name);

  Collector wanted(program, tensors, starts), found(recording->program);
  SimOptions options;
  options.observers = {&wanted};
  if (!simulateWith(program, launch.tiling, launch.outputs, launch.workspace, options, diagnostics).completed)
    return fail("the program: " + told(diagnostics));
  options.observers = {&found};
  options.sanitize = Sanitize::all();
  options.leastCounts = true;
  if (!simulateWith(recording->program, {}, recordedOutputs, recordedWorkspace, options, diagnostics).completed)
    return fail("the recorded kernel: " + told(diagnostics));
  ++cases;
  steps += wanted.steps.size();
  for (size_t i = 0; i < std::max(wanted.steps.size(), found.steps.size()); ++i) {
    const std::string one = i < wanted.steps.size() ? textOf(wanted.steps[i]) : "nothing";
    const std::string other = i < found.steps.size() ? textOf(found.steps[i]) : "nothing";
    if (one != other)
      return fail("step " + std::to_string(i) + "\n  program:  " + one + "\n  recorded: " + other +
                  (i < found.steps.size() ? " (" + found.steps[i].place + ")" : ""));
  }
  for (size_t i = 0; i < recordedOutputs.size(); ++i)
    if (std::memcmp(recordedOutputs[i].data(), launch.outputs[i].data(), size_t(recordedOutputs[i].numBytes())) != 0)
      return fail("output " + manifest.outputs[i].name + " has other bytes");
  return true;
}

bool Checker::run() {
  const Manifest &manifest = folder.manifest;
  Diagnostics diagnostics;
  SourceOptions options;
  options.path = folder.path + "/ascendc/" + manifest.name + ".cpp";
  source = compileKernelSource(options, diagnostics);
  if (!source)
    return fail("compile: " + told(diagnostics));
  TestPlan plan;
  plan.sizes = full ? defaultTestSizes() : std::vector<int64_t>{0, 1, 15, 16, 17, 31, 33, 127, 129, 4097, 8193, 65537};
  size_t refused = 0;
  const std::vector<TestCase> all = makeTestCases(contract, plan, refused);
  constexpr size_t kSample = 20; // cases of a type row, without --full; which ones, the seed says
  const char *seed = std::getenv("OPC_TEST_SEED");
  const uint64_t first = seed ? std::strtoull(seed, nullptr, 10) : 1;
  bool passed = true;
  const auto rows = unsigned(manifest.inputs.front().types.size());
  for (unsigned row = 0; row < rows; ++row) {
    const auto share = full ? 1u : unsigned(std::max<size_t>(1, all.size() / kSample));
    for (const TestCase &testCase : sampleCases(all, share, share, first + row))
      passed = (testCase.special || runCase(testCase, row)) && passed;
  }
  // What the sample left out.
  for (unsigned row = 0; row < rows && !full; ++row)
    for (const TestCase &testCase : all) {
      const bool missing =
          std::any_of(manifest.kernels.begin(), manifest.kernels.end(), [&](const ManifestKernel &kernel) {
            return kernel.typeRow == row && !visited.count(kernel.name);
          });
      if (missing && !testCase.special)
        passed = runCase(testCase, row) && passed;
    }
  for (const ManifestKernel &kernel : manifest.kernels)
    if (!visited.count(kernel.name))
      std::printf("no shape reaches %s\n", kernel.name.c_str());
  std::printf("%s: %zu launches of %zu kernels of %zu, %zu steps, %s; %zu launches too long\n", manifest.name.c_str(),
              cases, visited.size(), manifest.kernels.size(), steps, passed ? "equal" : "NOT equal", unrecorded);
  return passed && cases > 0 && visited.size() == manifest.kernels.size();
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: ascendc_trace FOLDER CONTRACT [--full]\n");
    return 2;
  }
  Diagnostics diagnostics;
  std::optional<OpFolder> folder = openOpFolder(argv[1], diagnostics);
  std::optional<Contract> contract = loadContract(argv[2], diagnostics);
  if (!folder || !contract) {
    std::cerr << told(diagnostics);
    return 1;
  }
  const bool full = argc > 3 && std::strcmp(argv[3], "--full") == 0;
  return Checker(std::move(*folder), std::move(*contract), full).run() ? 0 : 1;
}
