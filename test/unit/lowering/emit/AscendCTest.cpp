// Every intrinsic of the chip in every row of types, as Ascend C: names that the chip has, operands that compile.

#include "lowering/emit/ascendc/EmitAscendC.h"
#include "lowering/emit/ascendc/Helpers.h"
#include "lowering/emit/cpp/Markers.h"
#include "lowering/emit/cpp/Names.h"
#include "lowering/emit/cpp/TilingStruct.h"
#include "lowering/emit/simulator/EmitSimulator.h"
#include "runtime/target/toolkit/DeviceMacros.h"
#include "test/unit/Folders.h"
#include "test/unit/lowering/emit/EmitSample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <unistd.h>

using namespace opc;
namespace fs = std::filesystem;

/// A kernel that holds the given ops, over 128 and 2048 elements of each type that a buffer may have.
static std::string kernelWith(const std::string &ops, const std::set<std::string> &types) {
  std::string text =
      R"(func.func @op_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
      -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} { return %n : index }
  func.func @op_all(%x: memref<?xf32, #aicore.space<gm>> {aicore.name = "x"})
      attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @op_tiling} {
    %c0 = arith.constant 0 : index
)";
  int address = 0;
  for (const std::string &type : types)
    for (const char *name : {"a", "b", "d"}) {
      std::string id = name + ("_" + type);
      text += "    %" + id + " = aicore.buffer \"" + id + "\" at " + std::to_string(address) + " : memref<128x" + type +
              ", #aicore.space<ub>>\n";
      address += 1024;
      text += "    %long_" + id + " = aicore.buffer \"long_" + id + "\" at " + std::to_string(address) +
              " : memref<2048x" + type + ", #aicore.space<ub>>\n";
      address += 16384;
    }
  return text + ops + "    return\n  }";
}

static std::string tile(const char *name, ElementType type) {
  return std::string("%") + name + "_" + std::string(mlirTypeName(type));
}
static std::string memref(ElementType type) {
  return "memref<128x" + std::string(mlirTypeName(type)) + ", #aicore.space<ub>>";
}

/// The first `count` elements of a long buffer: what to write before an op, and its operand.
struct Part {
  std::string view, name, type;

  Part(const char *buffer, ElementType element, int64_t count) {
    static int number = 0;
    std::string text(mlirTypeName(element)), length = std::to_string(count);
    name = "%part" + std::to_string(number++);
    type = "memref<" + length + "x" + text + ", strided<[1]>, #aicore.space<ub>>";
    view = "    " + name + " = memref.subview %long_" + buffer + "_" + text + "[0] [" + length +
           "] [1] : memref<2048x" + text + ", #aicore.space<ub>> to " + type + "\n";
  }
};

/// An op over parts: sources, destination, scratch.
static std::string opOver(const IntrinsicInfo &info, const std::string &mode, const std::vector<Part> &sources,
                          const Part &destination) {
  std::string text, names, types;
  for (const Part &source : sources) {
    text += source.view;
    names += (names.empty() ? "" : ", ") + source.name;
    types += (types.empty() ? "" : ", ") + source.type;
  }
  return text + destination.view + "    aicore." + std::string(info.name) + mode + " ins(" + names + " : " + types +
         ") outs(" + destination.name + " : " + destination.type + ")";
}

/// Forms whose result has another length than their sources, or that have sizes of their own.
static std::string opOfParts(const IntrinsicInfo &info, TypeRow row) {
  auto over = [&](const std::vector<Part> &sources, int64_t results, const std::string &mode = {}) {
    return opOver(info, mode, sources, Part("d", row.destination, results)) + "\n";
  };
  auto resultsOf = [&](int64_t count, GatherPattern pattern = GatherPattern::All) {
    return resultLength(info.form, row.source, pattern).of(count);
  };
  Part shared("d", ElementType::UInt8, 2048);
  switch (info.form) {
  case IntrinsicForm::RepeatReduce:
  case IntrinsicForm::BlockReduce:
  case IntrinsicForm::PairReduce:
    return over({Part("a", row.source, 300)}, resultsOf(300));
  case IntrinsicForm::GatherMask:
    return over({Part("b", ElementType::UInt8, 38), Part("a", row.source, 300)}, 300);
  case IntrinsicForm::GatherPattern:
    return over({Part("a", row.source, 300)}, resultsOf(300, GatherPattern::Third), " third");
  case IntrinsicForm::Scatter:
    return over({Part("a", row.source, 64), Part("b", ElementType::UInt32, 64)}, 100);
  case IntrinsicForm::Transpose:
    return over({Part("a", row.source, 256)}, 256);
  case IntrinsicForm::ChannelsLast:
    return over({Part("a", row.source, 1024)}, 1024);
  case IntrinsicForm::Sort:
    return over({Part("a", row.source, 96), Part("b", ElementType::UInt32, 96)}, resultsOf(96));
  case IntrinsicForm::Merge:
    return over({Part("a", row.source, 64), Part("b", row.source, 32)}, 96) +
           over({Part("a", row.source, 64), Part("b", row.source, 32), Part("a", row.source, 8),
                 Part("b", row.source, 16)},
                120);
  case IntrinsicForm::UnaryScratch:
    return shared.view + opOver(info, {}, {Part("a", row.source, 64)}, Part("b", row.destination, 64)) + " scratch(" +
           shared.name + " : " + shared.type + ")\n";
  case IntrinsicForm::BinaryScratch:
    return shared.view +
           opOver(info, {}, {Part("a", row.source, 64), Part("a", row.source, 64)}, Part("b", row.destination, 64)) +
           " scratch(" + shared.name + " : " + shared.type + ")\n";
  default:
    return {};
  }
}

/// One op of an intrinsic with operands of a row. Unsigned scalars have no constants: they are read from a tile.
static std::string opOf(const IntrinsicInfo &info, TypeRow row) {
  static int number = 0;
  std::string scalar = "%s" + std::to_string(number++), scalarType(mlirTypeName(row.source));
  std::string readScalar =
      "    " + scalar + " = aicore.scalar_read " + tile("a", row.source) + "[%c0] : " + memref(row.source) + "\n";
  std::string name = "    aicore." + std::string(info.name);
  std::string a = tile("a", row.source), b = tile("b", row.source), source = memref(row.source);
  std::string mask = tile("a", ElementType::UInt8), maskType = memref(ElementType::UInt8);
  std::string outs = " outs(" + tile("d", row.destination) + " : " + memref(row.destination) + ")";
  switch (info.form) {
  case IntrinsicForm::Unary:
    return name + " ins(" + a + " : " + source + ")" + outs + "\n";
  case IntrinsicForm::Binary:
  case IntrinsicForm::Accumulate:
    return name + " ins(" + a + ", " + b + " : " + source + ", " + source + ")" + outs + "\n";
  case IntrinsicForm::Scalar:
  case IntrinsicForm::AccumulateScalar:
    return readScalar + name + " ins(" + a + ", " + scalar + " : " + source + ", " + scalarType + ")" + outs + "\n";
  case IntrinsicForm::Compare:
    return name + " ge ins(" + a + ", " + b + " : " + source + ", " + source + ")" + outs + "\n";
  case IntrinsicForm::CompareScalar:
    return readScalar + name + " ne ins(" + a + ", " + scalar + " : " + source + ", " + scalarType + ")" + outs + "\n";
  case IntrinsicForm::Select:
    return name + " ins(" + mask + ", " + a + ", " + b + " : " + maskType + ", " + source + ", " + source + ")" + outs +
           "\n";
  case IntrinsicForm::SelectScalar:
    return readScalar + name + " ins(" + mask + ", " + a + ", " + scalar + " : " + maskType + ", " + source + ", " +
           scalarType + ")" + outs + "\n";
  case IntrinsicForm::Reduce:
    return name + " ins(" + a + " : " + source + ")" + outs + " scratch(" + b + " : " + source + ")\n";
  case IntrinsicForm::Fill:
    return readScalar + name + " ins(" + scalar + " : " + scalarType + ")" + outs + "\n";
  case IntrinsicForm::Gather:
    return name + " ins(" + a + ", " + tile("a", ElementType::UInt32) + " : " + source + ", " +
           memref(ElementType::UInt32) + ")" + outs + "\n";
  case IntrinsicForm::Cast: {
    std::string ops;
    for (RoundingMode mode : findTarget("Ascend310B")->castRoundings(row))
      ops += name + " ins(" + a + " : " + source + ")" + outs + " round " + std::string(roundingModeName(mode)) + "\n";
    return ops;
  }
  default:
    return opOfParts(info, row);
  }
}

/// Every intrinsic in every row of types, with scalar reads, a scalar write, flags and barriers.
static std::string everything() {
  std::string ops;
  std::set<std::string> types = {"ui8", "ui32"};
  for (const IntrinsicInfo &info : allIntrinsics())
    for (TypeRow row : info.types) {
      ops += opOf(info, row);
      types.insert(std::string(mlirTypeName(row.source)));
      types.insert(std::string(mlirTypeName(row.destination)));
    }
  ops += R"(    %value = aicore.scalar_read %a_f32[%c0] : memref<128xf32, #aicore.space<ub>>
    aicore.scalar_write %value, %b_f32[%c0] : memref<128xf32, #aicore.space<ub>>
    aicore.set_flag v -> s [%c0]
    aicore.wait_flag v -> s [%c0]
    aicore.pipe_barrier mte2
    %g = memref.subview %x[0] [128] [1] : memref<?xf32, #aicore.space<gm>> to memref<128xf32, strided<[1]>, #aicore.space<gm>>
    %inf = arith.constant 0xFF800000 : f32
    aicore.load %g -> %a_f32 pad(%inf : f32) : memref<128xf32, strided<[1]>, #aicore.space<gm>> to memref<128xf32, #aicore.space<ub>>
    aicore.store %a_f32 -> %g atomic_add : memref<128xf32, #aicore.space<ub>> to memref<128xf32, strided<[1]>, #aicore.space<gm>>
    %rows = memref.reinterpret_cast %a_f32 to offset: [0], sizes: [4, 20], strides: [24, 1] : memref<128xf32, #aicore.space<ub>> to memref<4x20xf32, strided<[24, 1]>, #aicore.space<ub>>
    %grows = memref.reinterpret_cast %x to offset: [0], sizes: [4, 20], strides: [20, 1] : memref<?xf32, #aicore.space<gm>> to memref<4x20xf32, strided<[20, 1]>, #aicore.space<gm>>
    aicore.load %grows -> %rows : memref<4x20xf32, strided<[20, 1]>, #aicore.space<gm>> to memref<4x20xf32, strided<[24, 1]>, #aicore.space<ub>>
    aicore.store %rows -> %grows : memref<4x20xf32, strided<[24, 1]>, #aicore.space<ub>> to memref<4x20xf32, strided<[20, 1]>, #aicore.space<gm>>
)";
  return kernelWith(ops, types);
}

static AscendCText emittedEverything() {
  auto context = emitContext();
  auto module = parseSample(*context, everything());
  EXPECT_TRUE(module);
  if (!module)
    return {};
  auto emitted = buildAscendC(*module, {"op", {{"op_all", 3}}});
  EXPECT_TRUE(mlir::succeeded(emitted));
  if (mlir::failed(emitted))
    return {};
  auto text = printAscendC(**emitted, "op");
  EXPECT_TRUE(mlir::succeeded(text));
  return mlir::succeeded(text) ? *text : AscendCText();
}

// Newer headers accept calls that do nothing on this chip: what is emitted must be on the chip's own list.
TEST(EmitAscendC, OnlyCallsThatTheChipHas) {
  // Types of arguments and enumerations, which the list of calls does not name.
  const std::set<std::string> types = {"DataCopyExtParams", "DataCopyPadExtParams",
                                       "TPosition",         "HardEvent",
                                       "RoundMode",         "CMPMODE",
                                       "SELMODE",           "ReduceType",
                                       "ReduceOrder",       "TransDataTo5HDParams",
                                       "MrgSort4Info",      "MrgSortSrcList"};
  std::string text = emittedEverything().kernelSource;
  std::regex name(R"(AscendC::(\w+)|\.((?:Get|Set|Init)\w+)\(|\b(GET_TILING_\w+|TILING_KEY_\w+)\()");
  std::set<std::string> called;
  for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i)
    for (size_t group = 1; group <= 3; ++group)
      if ((*i)[group].matched)
        called.insert((*i)[group]);
  for (const std::string &call : called)
    if (types.count(call) == 0)
      EXPECT_EQ(queryApi(call).support, ApiSupport::Yes) << call;
  for (const IntrinsicInfo &info : allIntrinsics())
    EXPECT_EQ(called.count(std::string(info.ascendC)), 1u) << info.name << " was not emitted";
}

// An operand too many, a scalar of another type, a tile under a wrong name: a compiler tells.
TEST(EmitAscendC, CompilesAgainstTheSimulatorsHeader) {
  fs::path folder = fs::temp_directory_path() / ("opc-ascendc-" + std::to_string(getpid()));
  fs::create_directories(folder);
  AscendCText text = emittedEverything();
  std::ofstream(folder / "op.cpp") << text.kernelSource;
  std::ofstream(folder / "op_tiling.h") << text.tilingHeader;
  const std::string headers = test::buildFolder() + "/share/opc/ascendc";
  std::string command = std::string(OPC_CXX) +
                        " -std=c++17 -fsyntax-only -Wall -Wextra -Werror -Wno-unused-parameter -I " + headers + " -I " +
                        headers + "/runtime/ascendc " + (folder / "op.cpp").string();
  EXPECT_EQ(std::system(command.c_str()), 0) << text.kernelSource;
  fs::remove_all(folder);
}

// A name that C++ keeps, or that the printer gives by itself, would not compile or would name another value.
TEST(EmitAscendC, NamesAreTakenOnce) {
  NameScope scope;
  EXPECT_EQ(scope.take("count"), "count");
  EXPECT_EQ(scope.take("count"), "count2");
  EXPECT_EQ(scope.take("int"), "intValue");
  EXPECT_EQ(scope.take("v12"), "v12Value");
  EXPECT_EQ(lowerCamel("tile_length"), "tileLength");
  EXPECT_EQ(lowerCamel("_9"), "n9");
  EXPECT_EQ(upperCamel("abc_a_ac"), "AbcAAc");
  EXPECT_EQ(memberName("class"), "class_");
  EXPECT_EQ(memberName("class_"), "class__");
  EXPECT_EQ(memberName("uint32_t"), "uint32_t_");
  EXPECT_EQ(memberName("static_cast"), "static_cast_");
  EXPECT_EQ(memberName("count_"), "count_");
}

// A macro of the device compiler's headers changes what an identifier declares, on one side alone. The names that
// helpers, classes and fields get are made of fixed parts: no macro looks like one.
TEST(EmitAscendC, NamesAreNoMacrosOfTheDevice) {
  std::set<std::string> members;
  for (const DeviceMacro &macro : deviceMacros()) {
    const std::string name(macro.name);
    NameScope scope;
    for (int i = 0; i < 3; ++i) {
      EXPECT_FALSE(isReservedName(scope.take(name)));
      EXPECT_FALSE(isReservedName(scope.take(lowerCamel(name))));
    }
    std::string member = name;
    for (int i = 0; i < 3; ++i) {
      // "X", "X_" and "X__" are three fields and stay three.
      EXPECT_FALSE(isReservedName(memberName(member))) << member;
      EXPECT_TRUE(members.insert(memberName(member)).second) << member;
      member += "_";
    }
    for (const char *ending : {"Gm", "Local", "TilingData", "TilingDataDef"})
      EXPECT_FALSE(llvm::StringRef(name).ends_with(ending)) << name;
    EXPECT_FALSE(llvm::StringRef(name).starts_with("Kernel")) << name;
  }
  for (llvm::StringRef helper : HelperSet::names())
    EXPECT_FALSE(isReservedName(helper)) << helper.str();
  for (const char *fixed : {"kernel", "pipe", "registered", "tiling", "tilingData", "ub", "workspace", "Init",
                            "Process", "CopyIn", "Compute", "CopyOut", "OPC_ROW"})
    EXPECT_FALSE(isReservedName(fixed)) << fixed;
  EXPECT_EQ(memberName("block_num"), "block_num_");
}

// The assertions of the header are the layout that the host reserves room for.
TEST(EmitAscendC, TilingStructIsLaidOutByItsFields) {
  TilingStruct data =
      tilingStruct({{{"block_num", TilingField::UInt32}, {"n", TilingField::UInt64}, {"m", TilingField::UInt32}},
                    {{"m", TilingField::UInt64}, {"beta", TilingField::Float32}}});
  EXPECT_EQ(data.offsets, (std::vector<size_t>{0, 8, 16, 24}));
  EXPECT_EQ(data.bytes, 32u);
  EXPECT_EQ(tilingStruct({{{"a", TilingField::UInt32}}}).bytes, 4u);
  EXPECT_THAT(
      tilingStructLines("add_relu", data),
      testing::Contains(testing::StartsWith("static_assert(__builtin_offsetof(AddReluTilingData, beta) == 24,")));
}

// A rename that leaks into the next function, or into a longer word, changes what is computed.
TEST(EmitAscendC, MarkersHoldForTheirFunction) {
  EXPECT_EQ(resolveMarkers("void f(int v1) {\n  //@name v1 count\n  //@at body.mlir:7\n  use(v1, v12, "
                           "a.v1);\n  return;\n}\n"
                           "void g(int v1) {\n  int64_t v2 = v1;\n  //@field v2 total\n  use(v2);\n}\n"),
            "void f(int count) {\n  use(count, v12, a.v1);  // body.mlir:7\n}\n"
            "void g(int v1) {\n  total = v1;\n  use(total);\n}\n");
}

// Most wrong types compile with the vendor's headers and emit nothing; the strict stand-in refuses them, in every row
// of every intrinsic.
TEST(EmitAscendC, IsTakenByTheStrictStandIn) {
  fs::path folder = fs::temp_directory_path() / ("opc-strict-" + std::to_string(getpid()));
  fs::create_directories(folder);
  AscendCText text = emittedEverything();
  std::ofstream(folder / "op.cpp") << text.kernelSource;
  std::ofstream(folder / "op_tiling.h") << text.tilingHeader;
  const std::string source = test::sourceFolder(), strict = source + "/test/lowering/emit/strict";
  const std::string macros = test::python() + " -B -c \"import sys, pathlib; " + "sys.path.insert(0, '" + strict +
                             "'); import strict; " + "strict.write_macros(pathlib.Path('" + folder.string() + "'))\"";
  ASSERT_EQ(std::system(macros.c_str()), 0);
  const std::string command = std::string(OPC_CXX) + " -std=c++17 -fsyntax-only -Werror -D__CCE_AICORE__=300 -I " +
                              strict + "/device -I " + folder.string() + " -I " + source + " " +
                              (folder / "op.cpp").string();
  EXPECT_EQ(std::system(command.c_str()), 0) << text.kernelSource;
  fs::remove_all(folder);
}
