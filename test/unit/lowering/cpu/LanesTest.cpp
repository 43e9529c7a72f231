// Every intrinsic in every row of types, CPU form against simulator, bit by bit.
//
// The two are written apart: scalar operations that LLVM compiles here, C++ over blocks there, which in turn is
// tested against LLVM's APFloat. Equal means equal bits, with +0 and -0 alike and any NaN for any NaN. exp and ln of
// f32 differ by at most two ulp, and of f16, where both round a more exact number, by at most one.

#include "test/unit/lowering/cpu/CpuHarness.h"

#include "runtime/device/cpu/KernelLibrary.h"
#include "runtime/device/sim/numerics/Numerics.h"
#include "runtime/target/Half.h"
#include "runtime/target/Target.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace opc;
using namespace opc::test;

namespace {

constexpr int64_t kChunk = 256;
constexpr int64_t kCount = 65536;

/// One kernel of the library under test.
struct Case {
  Intrinsic intrinsic;
  TypeRow types;
  RoundingMode rounding = RoundingMode::None;
  CompareMode compare = CompareMode::Lt;
  GatherPattern pattern = GatherPattern::All;
  std::string name = {};

  IntrinsicForm form() const { return intrinsicInfo(intrinsic).form; }
  std::string mnemonic() const { return std::string(intrinsicInfo(intrinsic).name); }
};

/// A tensor of a case: element type and elements of a chunk.
struct Shape {
  ElementType type;
  int64_t chunk = kChunk;
};

/// Elements that are counted in a chunk. Parts of a tile have a last one that is shorter; so have reductions, whose
/// sums take the whole repeats first.
int64_t countOf(const Case &test) {
  switch (test.form()) {
  case IntrinsicForm::Reduce:
  case IntrinsicForm::RepeatReduce:
  case IntrinsicForm::BlockReduce:
  case IntrinsicForm::PairReduce:
  case IntrinsicForm::GatherMask:
  case IntrinsicForm::GatherPattern:
    return 199;
  case IntrinsicForm::ChannelsLast:
    return 3 * countUnit(test.form(), test.types.source);
  default:
    return kChunk;
  }
}

/// Sources, then the destination, as the form has them.
std::vector<Shape> shapesOf(const Case &test) {
  const int64_t count = countOf(test);
  Shape source{test.types.source, count}, destination{test.types.destination, count};
  Shape mask{ElementType::UInt8, (count + 7) / 8}, words{ElementType::UInt32, count};
  Shape result{test.types.destination, resultLength(test.form(), test.types.source, test.pattern).of(count)};
  switch (test.form()) {
  case IntrinsicForm::Unary:
  case IntrinsicForm::Scalar:
  case IntrinsicForm::AccumulateScalar:
  case IntrinsicForm::Cast:
  case IntrinsicForm::UnaryScratch:
  case IntrinsicForm::Transpose:
  case IntrinsicForm::ChannelsLast:
    return {source, destination};
  case IntrinsicForm::Binary:
  case IntrinsicForm::Accumulate:
  case IntrinsicForm::BinaryScratch:
    return {source, source, destination};
  case IntrinsicForm::Compare:
    return {source, source, mask};
  case IntrinsicForm::CompareScalar:
    return {source, mask};
  case IntrinsicForm::Select:
    return {mask, source, source, destination};
  case IntrinsicForm::SelectScalar:
    return {mask, source, destination};
  case IntrinsicForm::Gather:
    return {source, words, destination};
  case IntrinsicForm::Scatter:
    return {source, words, {test.types.destination, kChunk}};
  case IntrinsicForm::Fill:
    return {destination};
  case IntrinsicForm::Reduce:
    return {source, {test.types.destination, 1}};
  case IntrinsicForm::RepeatReduce:
  case IntrinsicForm::BlockReduce:
  case IntrinsicForm::PairReduce:
  case IntrinsicForm::GatherPattern:
    return {source, result};
  case IntrinsicForm::GatherMask:
    return {mask, source, result};
  case IntrinsicForm::Sort:
    return {source, words, result};
  case IntrinsicForm::Merge:
    return {{test.types.source, 64}, {test.types.source, 32}, {test.types.source, 96}, {test.types.destination, 192}};
  }
  return {};
}

bool isPart(IntrinsicForm form) {
  return form == IntrinsicForm::RepeatReduce || form == IntrinsicForm::BlockReduce || form == IntrinsicForm::PairReduce;
}

/// Whether elements are moved and not computed with: then every bit counts.
bool movesOnly(const Case &test) {
  return test.intrinsic == Intrinsic::vcopy ||
         (!worksByLane(test.form()) && !isPart(test.form()) && test.form() != IntrinsicForm::Reduce);
}

std::string spelled(ElementType type) {
  return std::string(mlirTypeName(type));
}

/// The scalar's type in a kernel's signature, which has no unsigned ones of its own.
std::string scalarType(const Case &test) {
  return spelled(test.form() == IntrinsicForm::Fill ? test.types.destination : test.types.source);
}

std::string scratchType(const Case &test) {
  return hasByteScratch(test.form()) ? "memref<4096xui8, #ub>" : "memref<64x" + spelled(test.types.source) + ", #ub>";
}

void writeOp(std::ostream &text, const Case &test, const std::vector<Shape> &shapes) {
  auto tile = [&](size_t i) {
    return "memref<" + std::to_string(shapes[i].chunk) + "x" + spelled(shapes[i].type) + ", #ub>";
  };
  std::string names, types;
  for (size_t i = 0; i + 1 < shapes.size(); ++i) {
    names += (i ? ", %b" : "%b") + std::to_string(i);
    types += (i ? ", " : "") + tile(i);
  }
  if (takesScalar(test.form())) {
    names += names.empty() ? "%s" : ", %s";
    types += (types.empty() ? "" : ", ") + scalarType(test);
  }
  size_t last = shapes.size() - 1;
  text << "aicore." << test.mnemonic() << " ";
  if (writesMask(test.form()))
    text << compareModeName(test.compare) << " ";
  if (test.form() == IntrinsicForm::GatherPattern)
    text << gatherPatternName(test.pattern) << " ";
  text << "ins(" << names << " : " << types << ") outs(%b" << last << " : " << tile(last) << ")";
  if (hasScratch(test.form()))
    text << " scratch(%w : " << scratchType(test) << ")";
  if (test.form() == IntrinsicForm::Cast)
    text << " round " << roundingModeName(test.rounding);
  text << "\n";
}

/// The kernel loads all tensors chunk by chunk, the destination too, and stores the last.
std::string kernelText(const Case &test) {
  std::vector<Shape> shapes = shapesOf(test);
  std::ostringstream text;
  text << "func.func @" << test.name << "(";
  for (size_t i = 0; i < shapes.size(); ++i)
    text << (i ? ", " : "") << "%g" << i << ": memref<?x" << spelled(shapes[i].type) << ", #gm>";
  if (takesScalar(test.form()))
    text << ", %s: " << scalarType(test);
  text << ") attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, "
          "aicore.tiling_function = @tiling} {\n"
       << "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
       << "%chunks = aicore.tiling_data \"chunks\" : index\n";
  if (hasScratch(test.form()))
    text << "%w = aicore.buffer \"w\" : " << scratchType(test) << "\n";
  text << "scf.for %chunk = %c0 to %chunks step %c1 {\n";
  for (size_t i = 0; i < shapes.size(); ++i) {
    std::string type = spelled(shapes[i].type), n = std::to_string(shapes[i].chunk);
    text << "%l" << i << " = arith.constant " << n << " : index\n%o" << i << " = arith.muli %chunk, %l" << i
         << " : index\n"
         << "%b" << i << " = aicore.buffer \"b" << i << "\" : memref<" << n << "x" << type << ", #ub>\n"
         << "%v" << i << " = memref.subview %g" << i << "[%o" << i << "] [" << n << "] [1] : memref<?x" << type
         << ", #gm> to memref<" << n << "x" << type << ", strided<[1], offset: ?>, #gm>\n"
         << "aicore.load %v" << i << " -> %b" << i << " : memref<" << n << "x" << type
         << ", strided<[1], offset: ?>, #gm> to memref<" << n << "x" << type << ", #ub>\n";
  }
  writeOp(text, test, shapes);
  size_t last = shapes.size() - 1;
  std::string n = std::to_string(shapes[last].chunk), type = spelled(shapes[last].type);
  text << "aicore.store %b" << last << " -> %v" << last << " : memref<" << n << "x" << type << ", #ub> to memref<" << n
       << "x" << type << ", strided<[1], offset: ?>, #gm>\n}\nreturn\n}\n";
  return text.str();
}

/// The cases of these forms.
std::vector<Case> casesOf(const std::vector<IntrinsicForm> &forms) {
  const Target &target = *findTarget("Ascend310B1");
  std::vector<Case> cases;
  auto add = [&](Case test) {
    test.name = "k" + std::to_string(cases.size());
    cases.push_back(test);
  };
  for (const IntrinsicInfo &info : allIntrinsics()) {
    if (std::find(forms.begin(), forms.end(), info.form) == forms.end())
      continue;
    for (TypeRow row : info.types) {
      if (info.form == IntrinsicForm::Cast)
        for (RoundingMode mode : target.castRoundings(row))
          add({info.intrinsic, row, mode});
      else if (info.form == IntrinsicForm::GatherPattern)
        for (unsigned pattern = 1; pattern <= 7; ++pattern)
          add({info.intrinsic, row, RoundingMode::None, CompareMode::Lt, static_cast<GatherPattern>(pattern)});
      else if (writesMask(info.form))
        for (unsigned mode = 0; mode < 6; ++mode)
          add({info.intrinsic, row, RoundingMode::None, static_cast<CompareMode>(mode)});
      else
        add({info.intrinsic, row});
    }
  }
  return cases;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

std::vector<uint8_t> bytesOf(const std::vector<uint64_t> &words, unsigned size) {
  std::vector<uint8_t> bytes(words.size() * size);
  for (size_t i = 0; i < words.size(); ++i)
    std::memcpy(&bytes[i * size], &words[i], size);
  return bytes;
}

/// Words of `count` elements: all of a 16-bit type in `order`, else special values among random ones.
std::vector<uint64_t> wordsOf(ElementType type, int64_t count, unsigned order, std::mt19937 &random) {
  static const uint32_t kSpecial[] = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff,
      0x00800000, 0x007fffff, 1,          0x80000001, 0x477fe000, 0x477fefff, 0x477ff000, 0x4effffff,
      0x4f000000, 0xcf000000, 0xcf000001, 0x3f000000, 0x3fc00000, 0x40200000, 0x33000000, 0x33000001,
      0x38800000, 0x387fffff, 0x7fffffff, 0x47000000, 0x46fffe00, 0x42fe0000, 0x437f0000};
  std::vector<uint64_t> words(count);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t word = random();
    if (type == ElementType::Float32 || elementSize(type) == 4) {
      if (random() % 4 == 0)
        word = kSpecial[random() % std::size(kSpecial)];
      else if (type == ElementType::Float32 && random() % 2)
        word = floatBits(float(int32_t(random()) / 65536) / float(1u << random() % 20));
    } else if (elementSize(type) == 8) {
      // Of all magnitudes, next to powers of two as well.
      word = (word << 32 | random()) >> random() % 64;
      if (random() % 4 == 0)
        word = (uint64_t(1) << random() % 64) + random() % 5 - 2;
      word = random() % 2 ? word : 0 - word;
    } else if (order == 0) {
      word = uint32_t(i);
    }
    words[i] = elementSize(type) < 4 ? word & ((1u << 8 * elementSize(type)) - 1) : word;
  }
  return words;
}

bool isFloat(ElementType type) {
  return type == ElementType::Float16 || type == ElementType::Float32 || type == ElementType::BFloat16;
}

float valueOf(ElementType type, uint64_t bits) {
  if (type == ElementType::Float16)
    return toFloat(Half{uint16_t(bits)});
  if (type == ElementType::BFloat16)
    return toFloat(BFloat16{uint16_t(bits)});
  return floatFromBits(uint32_t(bits));
}

/// Distance in representable numbers; 0 when equal as the project means it.
int64_t distance(ElementType type, uint64_t a, uint64_t b) {
  if (!isFloat(type))
    return a == b ? 0 : INT64_MAX;
  float x = valueOf(type, a), y = valueOf(type, b);
  if ((x != x && y != y) || x == y)
    return 0;
  if (x != x || y != y || std::signbit(x) != std::signbit(y))
    return INT64_MAX;
  return std::llabs(int64_t(a) - int64_t(b));
}

int64_t allowed(const Case &test) {
  if (test.intrinsic == Intrinsic::vexp || test.intrinsic == Intrinsic::vln)
    return test.types.source == ElementType::Float32 ? 2 : 1;
  if (test.intrinsic == Intrinsic::vrsqrt)
    return 1;
  return 0;
}

uint64_t wordAt(const std::vector<uint8_t> &bytes, unsigned size, size_t i) {
  uint64_t word = 0;
  std::memcpy(&word, &bytes[i * size], size);
  return word;
}

/// One library of the kernels of some forms: each test is a process of its own, and compiles what it runs alone.
struct FormGroup {
  const char *name;
  std::vector<IntrinsicForm> forms;
};

class Lanes : public ::testing::TestWithParam<FormGroup> {
protected:
  void build(const std::vector<Case> &cases);
  void check(const Case &test, unsigned order, uint64_t scalar);
  void checkForms(const std::vector<IntrinsicForm> &forms);

  std::shared_ptr<KernelLibrary> library;
};

void Lanes::build(const std::vector<Case> &cases) {
  std::string text = "#gm = #aicore.space<gm>\n#ub = #aicore.space<ub>\n"
                     "func.func @tiling(%n: index {aicore.size = #aicore.size<num_elements of \"x\">})\n"
                     "    -> (index {aicore.name = \"block_num\"}, index {aicore.name = \"chunks\"}) attributes "
                     "{aicore.tiling} {\n"
                     "  %c1 = arith.constant 1 : index\n  return %c1, %n : index, index\n}\n";
  std::vector<std::string> names;
  for (const Case &test : cases) {
    text += kernelText(test);
    names.push_back(test.name);
  }
  const std::string path = std::filesystem::temp_directory_path() / ("opc-lanes-" + std::to_string(::getpid()) + ".so");
  TilingFunction tiling;
  tiling.outputs.resize(2);
  Diagnostics diagnostics;
  if (buildLibrary(text, names, path, tiling, diagnostics))
    library = KernelLibrary::open(path, diagnostics);
  std::filesystem::remove(path);
  std::ostringstream said;
  for (const Diagnostic &diagnostic : diagnostics.all())
    printText(said, diagnostic);
  ASSERT_TRUE(library) << said.str();
}

void Lanes::check(const Case &test, unsigned order, uint64_t scalar) {
  std::mt19937 random(order * 7919 + unsigned(test.intrinsic));
  std::vector<Shape> shapes = shapesOf(test);
  int64_t chunks = kCount / kChunk;
  std::vector<std::vector<uint8_t>> mine;
  for (size_t i = 0; i < shapes.size(); ++i) {
    std::vector<uint64_t> words = wordsOf(shapes[i].type, shapes[i].chunk * chunks, i == 0 ? order : 1, random);
    if ((test.form() == IntrinsicForm::Gather || test.form() == IntrinsicForm::Scatter) && i == 1)
      for (uint64_t &word : words)
        word = word % kChunk * elementSize(test.types.source);
    mine.push_back(bytesOf(words, elementSize(shapes[i].type)));
  }
  std::vector<std::vector<uint8_t>> theirs = mine;

  std::vector<void *> tensors;
  std::vector<int64_t> sizes, tiling{1, chunks, int64_t(scalar)};
  for (size_t i = 0; i < shapes.size(); ++i) {
    tensors.push_back(mine[i].data());
    sizes.push_back(shapes[i].chunk * chunks);
  }
  opc_kernel_arguments arguments{tensors.data(), sizes.data(), tiling.data(), int64_t(1) << 40};
  ASSERT_EQ(library->find(test.name)->function(&arguments, 0, 1), 0);

  sim::VectorFunction function = sim::findVectorFunction(test.intrinsic, test.types, sim::HostLevel::Plain);
  ASSERT_TRUE(function);
  size_t last = shapes.size() - 1;
  unsigned size = elementSize(shapes[last].type);
  for (int64_t chunk = 0; chunk < chunks; ++chunk) {
    auto at = [&](size_t i) { return theirs[i].data() + chunk * shapes[i].chunk * elementSize(shapes[i].type); };
    sim::VectorCall call;
    call.destination = at(last);
    for (size_t i = 0; i < last; ++i) {
      call.sources[i] = at(i);
      call.lengths[i] = shapes[i].chunk;
    }
    call.count = test.form() == IntrinsicForm::Merge ? shapes[last].chunk : countOf(test);
    call.pattern = test.pattern;
    call.scalar = scalar;
    call.rounding = test.rounding;
    call.compare = test.compare;
    function(call);
  }
  int wrong = 0;
  for (int64_t i = 0; i < shapes[last].chunk * chunks && wrong < 3; ++i) {
    uint64_t found = wordAt(mine[last], size, i), expected = wordAt(theirs[last], size, i);
    if (movesOnly(test) ? found == expected : distance(shapes[last].type, found, expected) <= allowed(test))
      continue;
    ++wrong;
    std::ostringstream operands;
    for (size_t k = 0; k < last && shapes[k].chunk == shapes[last].chunk; ++k)
      operands << std::hex << " " << wordAt(mine[k], elementSize(shapes[k].type), i);
    ADD_FAILURE() << test.mnemonic() << " " << spelled(test.types.source) << ">" << spelled(test.types.destination)
                  << " " << roundingModeName(test.rounding) << " " << compareModeName(test.compare) << " lane " << i
                  << " of" << operands.str() << " scalar " << std::hex << scalar << ": " << found << ", simulator "
                  << expected;
  }
}

void Lanes::checkForms(const std::vector<IntrinsicForm> &forms) {
  const std::vector<Case> cases = casesOf(forms);
  ASSERT_FALSE(cases.empty());
  ASSERT_NO_FATAL_FAILURE(build(cases));
  for (const Case &test : cases) {
    bool integer = !isFloat(test.types.source);
    std::vector<uint64_t> scalars = {0};
    if (takesScalar(test.form()) && integer)
      scalars = {0, 1, 3, 7, 15, 16, 31, 32, uint64_t(-1), 12345};
    else if (takesScalar(test.form()))
      scalars = {floatBits(1.5f),     floatBits(-0.0f), floatBits(1e-7f),  floatBits(-1e30f),
                 floatBits(INFINITY), 0x7fc00000u,      floatBits(2049.7f)};
    for (uint64_t scalar : scalars)
      for (unsigned order = 0; order < 2; ++order)
        check(test, order, scalar);
  }
}

} // namespace

TEST_P(Lanes, AgreesWithTheSimulator) {
  checkForms(GetParam().forms);
}

using F = IntrinsicForm;
static const FormGroup kGroups[] = {
    {"Unary", {F::Unary}},
    {"Binary", {F::Binary}},
    {"Scalar", {F::Scalar}},
    {"Accumulate", {F::Accumulate, F::AccumulateScalar}},
    {"CompareAndSelect", {F::Compare, F::CompareScalar, F::Select, F::SelectScalar}},
    {"Cast", {F::Cast}},
    {"Reduce", {F::Reduce}},
    {"PartReductions", {F::RepeatReduce, F::BlockReduce, F::PairReduce}},
    {"Scratch", {F::UnaryScratch, F::BinaryScratch}},
    {"Moves", {F::Scatter, F::GatherMask, F::GatherPattern, F::Transpose, F::ChannelsLast}},
    {"Sort", {F::Sort, F::Merge}},
    {"FillAndGather", {F::Fill, F::Gather}},
};

INSTANTIATE_TEST_SUITE_P(Forms, Lanes, ::testing::ValuesIn(kGroups),
                         [](const auto &instance) { return instance.param.name; });

// Without it: the intrinsics of a new form are compared by no test.
TEST(LaneForms, EachIsInAGroup) {
  for (const IntrinsicInfo &info : allIntrinsics())
    EXPECT_TRUE(std::any_of(std::begin(kGroups), std::end(kGroups), [&info](const FormGroup &group) {
      return std::find(group.forms.begin(), group.forms.end(), info.form) != group.forms.end();
    })) << info.name;
}
