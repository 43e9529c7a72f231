// The check of simulator programs: one case for each thing an interpreter would otherwise index with blindly.

#include "test/unit/runtime/program/Samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace opc;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Positions in sample::program().
static constexpr size_t kLoad = 0, kSet = 1, kVector = 3, kStore = 7, kRead = 8;

template <typename Damage> static std::string problem(Damage &&damage) {
  SimulatorProgram program = sample::program();
  damage(program);
  return checkProgram(program);
}

using Program = SimulatorProgram;

TEST(CheckProgram, TakesAWellFormedProgram) {
  EXPECT_EQ(checkProgram(sample::program()), "");
}

TEST(CheckProgram, Head) {
  EXPECT_EQ(problem([](Program &p) { p.target = "Ascend310B9"; }), "expects a known chip, found 'Ascend310B9'");
  EXPECT_THAT(problem([](Program &p) { p.numRegisters = 0xffff; }), HasSubstr("expects fewer than 65535 registers"));
  EXPECT_EQ(problem([](Program &p) { p.code.pop_back(); }), "expects scalar code that ends with halt");
  EXPECT_EQ(problem([](Program &p) { p.code.clear(); }), "expects scalar code that ends with halt");
  EXPECT_THAT(problem([](Program &p) { p.tilingData[1].type = static_cast<TilingField::Type>(3); }),
              HasSubstr("expects a known type of tiling field 'count'"));
}

// Sizes near the ends of 64 bits must not wrap around into an address that looks fine.
TEST(CheckProgram, Buffers) {
  EXPECT_THAT(problem([](Program &p) { p.buffers[1].address = 253952; }), HasSubstr("within the 253952 bytes of UB"));
  EXPECT_THAT(problem([](Program &p) { p.buffers[1].address = INT64_MAX; }), HasSubstr("buffer 'y'"));
  EXPECT_THAT(problem([](Program &p) { p.buffers[1].address = INT64_MIN; }), HasSubstr("buffer 'y'"));
  EXPECT_THAT(problem([](Program &p) { p.buffers[0].slotBytes = INT64_MAX; }), HasSubstr("buffer 'x'"));
  EXPECT_THAT(problem([](Program &p) { p.buffers[0].slotBytes = 0; }), HasSubstr("buffer 'x'"));
  EXPECT_THAT(problem([](Program &p) { p.buffers[0].slots = 65; }), HasSubstr("expects 1 to 64 slots, found 65"));
  EXPECT_THAT(problem([](Program &p) { p.buffers[0].slots = 0; }), HasSubstr("expects 1 to 64 slots, found 0"));
  EXPECT_EQ(problem([](Program &p) { p.buffers[1].address = 0; }), "") << "sharing bytes is legal";
}

TEST(CheckProgram, ScalarCode) {
  EXPECT_THAT(problem([](Program &p) { p.code[3].imm = 2; }), HasSubstr("expects a field of the tiling data, found 2"));
  EXPECT_THAT(problem([](Program &p) { p.code[3].imm = -1; }), HasSubstr("expects a field of the tiling data"));
  EXPECT_THAT(problem([](Program &p) { p.code[4].imm = 14; }), HasSubstr("found a jump to 14"));
  EXPECT_THAT(problem([](Program &p) { p.code[4].a = 4; }), HasSubstr("expects registers to read"));
  EXPECT_THAT(problem([](Program &p) { p.code[5].imm = 9; }), HasSubstr("expects a pipe instruction, found 9"));
  EXPECT_THAT(problem([](Program &p) { p.code[5].imm = kRead; }), HasSubstr("expects reads to name a scalar read"));
  EXPECT_THAT(problem([](Program &p) { p.code[5].op = ScalarOp::Read; }),
              HasSubstr("expects reads to name a scalar read"));
  EXPECT_THAT(problem([](Program &p) { p.code[0].dst = 4; }), HasSubstr("expects a register to write, found 4"));
  EXPECT_THAT(problem([](Program &p) { p.code[0] = {ScalarOp::Select, 0, 0, 0, 4}; }),
              HasSubstr("expects a register to select"));
  EXPECT_THAT(problem([](Program &p) { p.code[0] = {ScalarOp::FAdd, 0, 0, 4, 0}; }),
              HasSubstr("expects registers to read"));
  for (unsigned op : {12u, 31u, 40u, 47u, 56u, 65535u})
    EXPECT_THAT(problem([op](Program &p) { p.code[0].op = static_cast<ScalarOp>(op); }),
                HasSubstr("expects a known opcode"));
  for (unsigned op : {36u, 48u, 52u, 55u})
    EXPECT_EQ(problem([op](Program &p) { p.code[0].op = static_cast<ScalarOp>(op); }), "") << op;
}

TEST(CheckProgram, InstructionsOfEveryKind) {
  auto at = [](size_t index, auto &&damage) { return problem([&](Program &p) { damage(p.instructions[index]); }); };
  using I = PipeInstruction;
  EXPECT_THAT(at(kLoad, [](I &i) { i.pipe = static_cast<Pipe>(7); }), HasSubstr("expects known pipes"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.other = static_cast<Pipe>(255); }), HasSubstr("expects known pipes"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.location = 2; }), HasSubstr("expects one of 2 locations, found 2"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.kind = static_cast<I::Kind>(16); }), HasSubstr("expects a known kind, found 16"));
  EXPECT_THAT(at(kVector, [](I &i) { i.atomicAdd = true; }), HasSubstr("atomic add on stores only"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.partial = true; }),
              HasSubstr("lanes of a wider call on vector instructions only"));
  EXPECT_THAT(at(kStore, [](I &i) { i.destination.length = 0; }), HasSubstr("padding around the rows of a load only"));
  EXPECT_THAT(at(kStore, [](I &i) { i.sources[0].length = 0; }), HasSubstr("padding around the rows of a load only"));
  for (size_t index : {kLoad, kVector})
    EXPECT_THAT(at(index, [](I &i) { i.index = ReduceIndex::OnlyIndex; }),
                HasSubstr("an index of a largest or smallest element only"));
  EXPECT_THAT(at(kSet, [](I &i) { i.flagId = 4; }), HasSubstr("expects a register with the event id, found 4"));
  EXPECT_THAT(at(kSet, [](I &i) { i.other = i.pipe; }), HasSubstr("expects a flag between two pipes"));
  // Issuing a flag reads its count as well, out of bounds without this.
  EXPECT_THAT(at(kSet, [](I &i) { i.count = 60000; }), HasSubstr("expects registers of the program, found 60000"));
  EXPECT_THAT(at(kVector, [](I &i) { i.pad = 4; }), HasSubstr("expects registers of the program, found 4"));
  EXPECT_THAT(at(kRead, [](I &i) { i.pipe = Pipe::V; }), HasSubstr("expects a scalar read on pipe s"));
  EXPECT_THAT(at(kRead, [](I &i) { i.sources[0].space = ProgramOperand::None; }),
              HasSubstr("expects an operand in UB"));
  // Scalar reads may be of GM, from a tensor that there is.
  auto reads = [](I &i, uint32_t tensor) {
    i.sources[0].space = ProgramOperand::GM;
    i.sources[0].tensor = tensor;
  };
  EXPECT_THAT(at(kRead, [&](I &i) { reads(i, 0); }), IsEmpty());
  EXPECT_THAT(at(kRead, [&](I &i) { reads(i, 600); }), HasSubstr("tensors, found 600"));
}

TEST(CheckProgram, Copies) {
  auto at = [](size_t index, auto &&damage) { return problem([&](Program &p) { damage(p.instructions[index]); }); };
  using I = PipeInstruction;
  EXPECT_THAT(at(kLoad, [](I &i) { i.pipe = Pipe::MTE3; }), HasSubstr("expects a load on pipe mte2"));
  EXPECT_THAT(at(kStore, [](I &i) { i.pipe = Pipe::MTE2; }), HasSubstr("expects a store on pipe mte3"));
  EXPECT_THAT(at(kLoad, [](I &i) { std::swap(i.destination, i.sources[0]); }),
              HasSubstr("destination expects an operand in UB, found an operand in GM"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.sources[0].tensor = 2; }), HasSubstr("expects one of 2 tensors, found 2"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.sources[0].type = ElementType::Float32; }), HasSubstr("equal element types"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.sources[0].stride = 4; }), HasSubstr("expects a register with its stride"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.destination.buffer = 2; }), HasSubstr("expects one of 2 buffers, found 2"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.destination.address = kNoRegister; }),
              HasSubstr("expects a register with its address"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.destination.space = static_cast<ProgramOperand::Space>(3); }),
              HasSubstr("found space 3"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.count = kNoRegister; }), HasSubstr("expects a register with the element count"));
  EXPECT_THAT(at(kLoad, [](I &i) { i.rows = 4; }), HasSubstr("expects registers with rows and pad value"));
  EXPECT_THAT(at(kStore, [](I &i) { i.pad = 0; }), HasSubstr("expects a pad value on loads only"));
}

TEST(CheckProgram, VectorOperandsFollowTheForm) {
  auto at = [](auto &&damage) { return problem([&](Program &p) { damage(p.instructions[kVector]); }); };
  using I = PipeInstruction;
  EXPECT_THAT(at([](I &i) { i.pipe = Pipe::MTE2; }), HasSubstr("expects a vector instruction on pipe v"));
  EXPECT_THAT(at([](I &i) { i.intrinsic = static_cast<Intrinsic>(250); }), HasSubstr("expects a known intrinsic"));
  EXPECT_THAT(at([](I &i) { i.sources[1].space = ProgramOperand::None; }),
              HasSubstr("source 1 expects an operand in UB, found no operand"));
  EXPECT_THAT(at([](I &i) { i.sources[2] = i.sources[0]; }), HasSubstr("source 2 expects no operand"));
  EXPECT_THAT(at([](I &i) { i.scratch = i.sources[0]; }), HasSubstr("scratch expects no operand"));
  EXPECT_THAT(at([](I &i) { i.scalar = 0; }), HasSubstr("expects no scalar operand"));
  EXPECT_THAT(at([](I &i) { i.count = 4; }), HasSubstr("expects a register with the element count, found 4"));
  EXPECT_THAT(at([](I &i) { i.sources[1].type = ElementType::Float32; }),
              HasSubstr("expects sources of one element type"));
  EXPECT_THAT(at([](I &i) { i.destination.type = static_cast<ElementType>(13); }),
              HasSubstr("expects a known element type, found 13"));
  EXPECT_THAT(at([](I &i) { i.destination.type = ElementType::Int8; }),
              HasSubstr("expects types that 'vaddrelu' has on Ascend310B1, found f16 to i8"));
}

TEST(CheckProgram, FormsWithMoreThanTiles) {
  auto at = [](auto &&change) { return problem([&](Program &p) { change(p.instructions[kVector]); }); };
  using I = PipeInstruction;
  auto unary = [](I &i) { i.sources[1] = {}; };
  EXPECT_EQ(at([&](I &i) {
              unary(i);
              i.intrinsic = Intrinsic::vadds;
              i.scalar = 0;
            }),
            "");
  EXPECT_THAT(at([&](I &i) {
                unary(i);
                i.intrinsic = Intrinsic::vadds;
              }),
              HasSubstr("expects a register with the scalar operand"));
  EXPECT_EQ(at([&](I &i) {
              unary(i);
              i.intrinsic = Intrinsic::vreduce_sum;
              i.scratch = i.destination;
            }),
            "");
  EXPECT_THAT(at([&](I &i) {
                unary(i);
                i.intrinsic = Intrinsic::vreduce_sum;
              }),
              HasSubstr("scratch expects an operand in UB"));
  EXPECT_EQ(at([&](I &i) {
              unary(i);
              i.intrinsic = Intrinsic::vcast;
              i.destination.type = ElementType::Float32;
            }),
            "");
  EXPECT_THAT(at([&](I &i) {
                unary(i);
                i.intrinsic = Intrinsic::vcast;
                i.destination.type = ElementType::Float32;
                i.rounding = RoundingMode::Rint;
              }),
              HasSubstr("expects a rounding mode that this cast has"));
  EXPECT_THAT(at([&](I &i) {
                unary(i);
                i.intrinsic = Intrinsic::vcast;
                i.destination.type = ElementType::Int8;
                i.rounding = static_cast<RoundingMode>(200);
              }),
              HasSubstr("expects a rounding mode that this cast has"));
  EXPECT_EQ(at([](I &i) {
              i.intrinsic = Intrinsic::vcmp;
              i.destination.type = ElementType::UInt8;
            }),
            "");
  EXPECT_THAT(at([](I &i) {
                i.intrinsic = Intrinsic::vcmp;
                i.destination.type = ElementType::UInt8;
                i.compare = static_cast<CompareMode>(6);
              }),
              HasSubstr("expects a known comparison"));
  EXPECT_EQ(at([](I &i) {
              i.intrinsic = Intrinsic::vsel;
              i.sources[2] = i.sources[1];
              i.sources[0].type = ElementType::UInt8;
            }),
            "");
  EXPECT_THAT(at([](I &i) {
                i.intrinsic = Intrinsic::vsel;
                i.sources[2] = i.sources[1];
              }),
              HasSubstr("expects a mask of element type ui8"));
  EXPECT_EQ(at([](I &i) {
              i.intrinsic = Intrinsic::vgather;
              i.sources[1].type = ElementType::UInt32;
            }),
            "");
  EXPECT_THAT(at([](I &i) { i.intrinsic = Intrinsic::vgather; }), HasSubstr("expects offsets of element type ui32"));
  EXPECT_EQ(at([](I &i) {
              i.intrinsic = Intrinsic::vbrc;
              i.sources[0] = i.sources[1] = {};
              i.scalar = 0;
            }),
            "");
}

TEST(CheckProgram, ScalarWrites) {
  auto at = [](auto &&change) {
    return problem([&](Program &p) {
      PipeInstruction write;
      write.kind = PipeInstruction::ScalarWrite;
      write.destination = p.instructions[kVector].destination;
      write.scalar = 0;
      change(write);
      p.instructions.push_back(write);
      p.code[5].imm = int64_t(p.instructions.size()) - 1;
    });
  };
  using I = PipeInstruction;
  EXPECT_EQ(at([](I &) {}), "");
  EXPECT_THAT(at([](I &i) { i.pipe = Pipe::V; }), HasSubstr("expects a scalar write on pipe s"));
  EXPECT_THAT(at([](I &i) { i.scalar = kNoRegister; }), HasSubstr("expects a register with the value to write"));
  EXPECT_THAT(at([](I &i) { i.destination = {}; }), HasSubstr("destination expects an operand in UB"));
}

// The operands of work are an index and a number, which no register holds.
TEST(CheckProgram, ScalarWork) {
  auto at = [](int64_t count, uint32_t place, PipeInstruction::Kind kind = PipeInstruction::ScalarWork) {
    return problem([&](Program &p) {
      PipeInstruction work;
      work.kind = kind;
      p.instructions.push_back(work);
      const uint32_t index = place == 0 ? uint32_t(p.instructions.size()) - 1 : place;
      p.code[0] = {ScalarOp::Work, 0, uint16_t(index), uint16_t(index >> 16), count};
    });
  };
  EXPECT_EQ(at(7, 0), "");
  EXPECT_EQ(at(kMostScalarWork, 0), "");
  EXPECT_THAT(at(kMostScalarWork + 1, 0), HasSubstr("expects 0 to 4294967295 instructions of scalar work"));
  EXPECT_THAT(at(-1, 0), HasSubstr("expects 0 to 4294967295 instructions of scalar work, found -1"));
  EXPECT_THAT(at(7, 65536), HasSubstr("expects scalar work, found pipe instruction 65536"));
  EXPECT_THAT(at(7, kLoad + 1, PipeInstruction::Barrier), HasSubstr("expects scalar work, found pipe instruction"));
  EXPECT_THAT(problem([](Program &p) {
                PipeInstruction work;
                work.kind = PipeInstruction::ScalarWork;
                p.instructions.push_back(work);
                p.code[5].imm = int64_t(p.instructions.size()) - 1;
              }),
              HasSubstr("expects an instruction to issue or to read, found scalar work"));
  EXPECT_THAT(problem([](Program &p) {
                PipeInstruction work;
                work.kind = PipeInstruction::ScalarWork;
                work.pipe = Pipe::V;
                p.instructions.push_back(work);
              }),
              HasSubstr("expects scalar work on pipe s"));
}

TEST(CheckProgram, FormsWithLengthsOfTheirOwn) {
  auto at = [](auto &&change) { return problem([&](Program &p) { change(p.instructions[kVector]); }); };
  using I = PipeInstruction;
  auto merge = [](I &i, unsigned lists) {
    i.intrinsic = Intrinsic::vmrgsort;
    i.count = kNoRegister;
    for (unsigned list = 0; list < lists; ++list) {
      i.sources[list] = i.sources[0];
      i.sources[list].length = 0;
    }
  };
  for (unsigned lists : {2u, 3u, 4u})
    EXPECT_EQ(at([&](I &i) { merge(i, lists); }), "") << lists;
  EXPECT_THAT(at([&](I &i) {
                merge(i, 2);
                i.sources[1] = {};
              }),
              HasSubstr("source 1 expects an operand in UB, found no operand"));
  // A gap in the lists would end them for one reader and not for another.
  EXPECT_THAT(at([&](I &i) {
                merge(i, 4);
                i.sources[2] = {};
              }),
              HasSubstr("source 3 expects no operand"));
  EXPECT_THAT(at([&](I &i) {
                merge(i, 3);
                i.sources[2].length = kNoRegister;
              }),
              HasSubstr("source 2 expects a register with its length"));
  EXPECT_THAT(at([&](I &i) {
                merge(i, 3);
                i.sources[2].length = 4;
              }),
              HasSubstr("source 2 expects a register with its length, found 4"));
  EXPECT_THAT(at([&](I &i) {
                merge(i, 3);
                i.count = 0;
              }),
              HasSubstr("expects the lengths of its lists and no count"));
  EXPECT_THAT(at([&](I &i) {
                merge(i, 3);
                i.sources[2].type = ElementType::Float32;
              }),
              HasSubstr("expects sources of one element type"));
  auto scatter = [](I &i) {
    i.intrinsic = Intrinsic::vscatter;
    i.sources[1].type = ElementType::UInt32;
    i.destination.length = 0;
  };
  EXPECT_EQ(at(scatter), "");
  EXPECT_THAT(at([&](I &i) {
                scatter(i);
                i.destination.length = kNoRegister;
              }),
              HasSubstr("destination expects a register with its length"));
  EXPECT_THAT(at([&](I &i) {
                scatter(i);
                i.intrinsic = Intrinsic::vsort32;
                i.sources[1].type = ElementType::Int32;
              }),
              HasSubstr("expects indices of element type ui32"));
  auto kept = [](I &i) {
    i.intrinsic = Intrinsic::vgather_pattern;
    i.sources[1] = {};
  };
  EXPECT_EQ(at(kept), "");
  for (unsigned pattern : {0u, 8u, 255u})
    EXPECT_THAT(at([&](I &i) {
                  kept(i);
                  i.pattern = static_cast<GatherPattern>(pattern);
                }),
                HasSubstr("expects a known pattern"));
  EXPECT_THAT(at([&](I &i) {
                kept(i);
                i.intrinsic = Intrinsic::vfloor;
                i.scratch = i.destination;
              }),
              HasSubstr("expects a scratch tile of element type ui8"));
}
