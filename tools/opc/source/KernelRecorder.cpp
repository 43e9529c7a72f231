// The child's answer has four parts: diagnostics, the program, the values of scalar reads, and a text that is empty
// unless recording stopped.

#include "tools/opc/source/KernelRecorder.h"

#include "tools/opc/process/GuardedChild.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <map>
#include <sstream>
#include <sys/mman.h>
#include <utility>

namespace opc::tool {

static constexpr size_t kMostParameters = 64;

/// For the child's signal handler.
static const ascendc::Recorder *running = nullptr;
static uintptr_t runningCode = 0;
static const ascendc::BlockCounts *runningBlocks = nullptr; ///< null: blocks are not counted

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

static void writeLastCall(ChildFault &fault) {
  if (runningBlocks && runningBlocks->last != 0)
    fault.blockOffset = int64_t(runningBlocks->last - runningCode);
  const ascendc::Place &place = running->lastCall();
  if (place.code)
    fault.codeOffset = int64_t(reinterpret_cast<uintptr_t>(place.code) - 1 - runningCode);
  if (!place.file)
    return;
  fault.line = place.line;
  std::strncpy(fault.file, place.file, sizeof fault.file - 1);
}

int64_t deviceBytes(const Tensor &tensor) {
  constexpr int64_t block = 32;
  return (tensor.numBytes() + block - 1) / block * block + block;
}

/// Places a tensor for the kernel: tensors are far apart, inputs are read-only, outputs are not accessible. Bytes from
/// `bytes` to `capacity` are unwritten.
static uint8_t *placeTensor(uint8_t *region, size_t index, const void *data, int64_t bytes, int64_t capacity) {
  uint8_t *base = region + int64_t(index) * ascendc::kTensorSpan + ascendc::kTensorSpan / 2;
  if (data && bytes > 0 && mprotect(base, size_t(capacity), PROT_READ | PROT_WRITE) == 0) {
    std::memcpy(base, data, size_t(bytes));
    std::memset(base + bytes, kUnwritten, size_t(capacity - bytes));
    mprotect(base, size_t(capacity), PROT_READ);
  }
  return base;
}

[[noreturn]] static void answer(ChildSide &side, const Diagnostics &diagnostics, const ascendc::Recording &recording) {
  std::ostringstream text;
  for (const Diagnostic &diagnostic : diagnostics.all())
    printJson(text, diagnostic);
  const std::vector<uint8_t> program = writeProgram(recording.program);
  side.answer(
      {text.str(), std::string(program.begin(), program.end()),
       std::string(reinterpret_cast<const char *>(recording.reads.data()), recording.reads.size() * sizeof(uint64_t)),
       recording.stopped ? "stopped" : ""});
}

[[noreturn]] static void refuseObject(ChildSide &side, const std::string &path, const std::string &why) {
  Diagnostics diagnostics;
  diagnostics.error(Code::E0800, {path}, "the kernel's object cannot be loaded: " + why);
  answer(side, diagnostics, {});
}

template <size_t> using Address = uint8_t *;
template <size_t... I> static void callWith(void *function, uint8_t *const *arguments, std::index_sequence<I...>) {
  reinterpret_cast<void (*)(Address<I>...)>(function)(arguments[I]...);
}
template <size_t... N>
static void callKernel(void *function, const std::vector<uint8_t *> &arguments, std::index_sequence<N...>) {
  using Call = void (*)(void *, uint8_t *const *);
  static constexpr Call calls[] = {
      [](void *kernel, uint8_t *const *values) { callWith(kernel, values, std::make_index_sequence<N>()); }...};
  calls[arguments.size()](function, arguments.data());
}

/// The kernel's code blocks for the recorder, and the object's counts of them.
static void countBlocks(const std::vector<CodeBlock> &blocks, void *handle, uintptr_t codeBegin,
                        ascendc::ScalarCode &code) {
  auto *counts = static_cast<ascendc::BlockCounts *>(dlsym(handle, "opc_kernel_code"));
  if (!counts || blocks.empty())
    return;
  // They live as long as the process.
  const size_t bytes = size_t(blocks.back().offset) + 1;
  auto *at = new std::vector<uint32_t>(bytes);
  auto *runs = new std::vector<uint64_t>(blocks.size());
  auto *ran = new std::vector<uint32_t>(blocks.size());
  auto &places = *new std::map<std::pair<std::string, unsigned>, uint32_t>();
  for (size_t i = 0; i < blocks.size(); ++i) {
    (*at)[size_t(blocks[i].offset)] = uint32_t(i + 1);
    std::vector<ascendc::ScalarCode::Line> lines;
    for (const CodeBlock::Line &line : blocks[i].lines) {
      const auto [found, isNew] = places.try_emplace({line.place.file, line.place.line}, uint32_t(code.places.size()));
      if (isNew)
        code.places.emplace_back(found->first.first.c_str(), line.place.line);
      lines.push_back({found->second, line.count});
    }
    code.blocks.push_back(std::move(lines));
  }
  *counts = {codeBegin, bytes, at->data(), runs->data(), ran->data(), 0};
  code.counts = counts;
}

namespace {

/// The arguments of the kernel: its tensors and its tiling data in a region of the child's address space.
class KernelArguments {
public:
  KernelArguments(const RecordRequest &request, uint8_t *region) : request(request), region(region) {}

  /// Places the arguments and UB, and tells the recorder where.
  void place(ascendc::RecordSettings &settings);
  const std::vector<uint8_t *> &addresses() const { return arguments; }

  /// Bytes of the region of a kernel.
  static size_t regionBytes(const RecordRequest &request) {
    return (request.parameters.size() + 1) * size_t(ascendc::kTensorSpan) + 4096; // and UB
  }

private:
  void placeTiling(size_t number, ascendc::RecordSettings &settings);
  void placeParameter(size_t number, ascendc::RecordSettings &settings);

  const RecordRequest &request;
  uint8_t *region;
  std::vector<uint8_t *> arguments;
  std::vector<std::vector<uint64_t>> outputs; ///< for elements that the kernel reads
};

} // namespace

void KernelArguments::placeTiling(size_t number, ascendc::RecordSettings &settings) {
  const auto bytes = int64_t(request.tiling.size());
  arguments.push_back(placeTensor(region, number, request.tiling.data(), bytes, bytes));
  settings.tiling = arguments.back();
  settings.tilingBytes = bytes;
}

void KernelArguments::placeParameter(size_t number, ascendc::RecordSettings &settings) {
  const KernelParameter &parameter = request.parameters[number];
  const bool isInput = parameter.kind == KernelParameter::Input;
  const Tensor *tensor = parameter.tensor;
  const int64_t capacity = tensor ? deviceBytes(*tensor) : 0;
  arguments.push_back(
      placeTensor(region, number, isInput ? tensor->data() : nullptr, isInput ? tensor->numBytes() : 0, capacity));
  if (!tensor)
    return;
  void *values = arguments.back();
  if (!isInput) {
    outputs.emplace_back(size_t(capacity) / sizeof(uint64_t) + 1);
    values = outputs.back().data();
    if (parameter.inPlace && tensor->numBytes() > 0)
      std::memcpy(values, tensor->data(), size_t(tensor->numBytes()));
  }
  settings.tensors.push_back({parameter.name, reinterpret_cast<intptr_t>(arguments.back()), tensor->numBytes(),
                              tensor->type(), !isInput, values, parameter.inPlace, capacity});
}

void KernelArguments::place(ascendc::RecordSettings &settings) {
  const size_t places = request.parameters.size();
  for (size_t i = 0; i < places; ++i) {
    const KernelParameter &parameter = request.parameters[i];
    if (parameter.sameAs >= 0)
      arguments.push_back(arguments[size_t(parameter.sameAs)]);
    else if (parameter.kind == KernelParameter::Tiling)
      placeTiling(i, settings);
    else if (parameter.kind == KernelParameter::Absent)
      arguments.push_back(nullptr);
    else
      placeParameter(i, settings);
  }
  settings.unifiedBuffer.base = reinterpret_cast<intptr_t>(placeTensor(region, places, nullptr, 0, 0));
  settings.unifiedBuffer.bytes = settings.unifiedBuffer.capacity = request.target->ubBytes();
  settings.unifiedBuffer.writable = true;
}

[[noreturn]] static void runChild(const RecordRequest &request, ChildSide &side) {
  const std::string &path = request.source->object;
  std::string why;
  void *handle = side.load(path, why);
  if (!handle)
    refuseObject(side, path, why);
  void *function = dlsym(handle, request.source->kernel.symbol.c_str());
  auto *machine = static_cast<ascendc::KernelMachine **>(dlsym(handle, "opc_kernel_machine"));
  if (!function || !machine)
    refuseObject(side, path, "it lacks the kernel or opc's headers");

  const size_t regionBytes = KernelArguments::regionBytes(request);
  auto *region =
      static_cast<uint8_t *>(mmap(nullptr, regionBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (region == MAP_FAILED)
    refuseObject(side, path, "there is no address space for its tensors");
  if (auto *memory = static_cast<ascendc::AddressRange *>(dlsym(handle, "opc_kernel_memory")))
    *memory = {reinterpret_cast<uintptr_t>(region), regionBytes};

  ascendc::RecordSettings settings;
  settings.target = request.target;
  settings.kernel = request.source->kernel.name;
  settings.tilingKey = request.tilingKey;
  settings.blockNum = request.blockNum;
  settings.autoSync = request.autoSync;
  settings.codeBase = intptr_t(side.codeBegin());
  settings.openMemory = [](const ascendc::RecordedTensor &tensor, bool open) {
    mprotect(reinterpret_cast<void *>(tensor.base), size_t(tensor.capacity), open ? PROT_READ | PROT_WRITE : PROT_NONE);
  };
  KernelArguments arguments(request, region);
  arguments.place(settings);
  countBlocks(request.source->blocks, handle, side.codeBegin(), settings.scalarCode);

  Diagnostics diagnostics;
  ascendc::Recorder *recording = nullptr;
  ascendc::Recorder recorder(std::move(settings), diagnostics, [&] { answer(side, diagnostics, recording->finish()); });
  recording = &recorder;
  running = &recorder;
  runningCode = side.codeBegin();
  runningBlocks = static_cast<const ascendc::BlockCounts *>(dlsym(handle, "opc_kernel_code"));
  *machine = &recorder;
  side.guard(request.seconds, writeLastCall);
  for (int64_t block = 0; block < request.blockNum; ++block) {
    recorder.startBlock(block);
    callKernel(function, arguments.addresses(), std::make_index_sequence<kMostParameters + 1>());
    recorder.endBlock();
  }
  answer(side, diagnostics, recorder.finish());
}

//===----------------------------------------------------------------------===//
// The parent
//===----------------------------------------------------------------------===//

static Location resolved(const RecordRequest &request, const Location &location) {
  if (location.file != ascendc::kCodeOffset)
    return location;
  return request.source->lineOf(location.line);
}

/// Reports an error of the simulator's check of programs for a recording, at the call if it names one: "pipe
/// instruction 3: expects a rounding mode that this cast has".
static void tellRejected(const RecordRequest &request, const SimulatorProgram &program, const std::string &problem,
                         Diagnostics &diagnostics) {
  static constexpr std::string_view kInstruction = "pipe instruction ";
  Location place = request.source->kernel.location;
  std::string text = problem;
  if (const size_t colon = problem.find(": "); problem.rfind(kInstruction, 0) == 0 && colon != std::string::npos) {
    const size_t number = std::strtoull(problem.c_str() + kInstruction.size(), nullptr, 10);
    if (number < program.instructions.size()) {
      const PipeInstruction &instruction = program.instructions[number];
      if (instruction.location < program.locations.size()) {
        const ProgramLocation &at = program.locations[instruction.location];
        place = resolved(request, Location{at.file, at.line, at.column});
      }
      text = problem.substr(colon + 2);
      if (instruction.kind == PipeInstruction::Vector)
        text = "'" + std::string(intrinsicInfo(instruction.intrinsic).ascendC) + "' " + text;
    }
  }
  diagnostics.error(Code::E0563, place, "mem (count or type): " + printable(text, 300), "ascendc_c10");
}

/// Reads the child's answer; false when it is incomplete.
static bool readAnswer(const RecordRequest &request, const std::vector<std::string> &parts,
                       ascendc::Recording &recording, Diagnostics &diagnostics) {
  if (parts.size() != 4)
    return false;
  const std::string &told = parts[0], &program = parts[1], &reads = parts[2], &stopped = parts[3];
  std::istringstream lines(told);
  for (std::string line; std::getline(lines, line);) {
    Diagnostic diagnostic;
    if (!readJson(line, diagnostic))
      return false;
    diagnostic.location = resolved(request, diagnostic.location);
    for (Note &note : diagnostic.notes)
      note.location = resolved(request, note.location);
    diagnostics.add(std::move(diagnostic));
  }
  recording.reads.resize(reads.size() / sizeof(uint64_t));
  reads.copy(reinterpret_cast<char *>(recording.reads.data()), recording.reads.size() * sizeof(uint64_t));
  recording.stopped = !stopped.empty();
  if (diagnostics.hasErrors())
    return true;
  const std::string problem =
      readProgram(reinterpret_cast<const uint8_t *>(program.data()), program.size(), recording.program);
  if (!problem.empty())
    tellRejected(request, recording.program, problem, diagnostics);
  return true;
}

static void tellFault(const RecordRequest &request, const ChildRun &run, Diagnostics &diagnostics) {
  const ChildFault &fault = run.fault;
  Location place = request.source->kernel.location;
  if (fault.line != 0)
    place = Location{std::string(fault.file, strnlen(fault.file, sizeof fault.file)), fault.line, 0};
  // The fault may be in a function of the headers: find the nearest line of the kernel's own code.
  std::vector<int64_t> offsets(std::begin(fault.callers), std::end(fault.callers));
  offsets.insert(offsets.begin(), fault.codeOffset);
  offsets.push_back(fault.blockOffset);
  const auto own = std::find_if(offsets.begin(), offsets.end(), [&request](int64_t offset) {
    return offset > 0 && request.source->isKernels(uint64_t(offset));
  });
  if (fault.signal != 0 && own != offsets.end())
    place = request.source->lineOf(uint64_t(*own));
  tellFault(run, "kernel '" + printable(request.source->kernel.name) + "'", place, request.seconds,
            "UB is read by GetValue, written by SetValue and vector calls; pointers to global memory reach single "
            "elements, in kernels that clang compiles",
            diagnostics);
}

std::optional<ascendc::Recording> recordKernel(const RecordRequest &request, Diagnostics &diagnostics) {
  if (request.parameters.size() > kMostParameters) {
    diagnostics.error(Code::E0801, request.source->kernel.location,
                      "expects a kernel with at most " + std::to_string(kMostParameters) + " parameters, found " +
                          std::to_string(request.parameters.size()));
    return std::nullopt;
  }
  const ChildRun run =
      ChildRun::run(request.seconds, [&request](ChildSide &side) { runChild(request, side); }, diagnostics);
  if (!run.started)
    return std::nullopt;
  ascendc::Recording recording;
  if (!run.answered || !readAnswer(request, run.parts, recording, diagnostics)) {
    tellFault(request, run, diagnostics);
    return std::nullopt;
  }
  if (diagnostics.hasErrors())
    return std::nullopt;
  for (ProgramLocation &location : recording.program.locations) {
    const Location place = resolved(request, Location{location.file, location.line, location.column});
    location = {place.file, place.line, place.column};
  }
  return recording;
}

} // namespace opc::tool
