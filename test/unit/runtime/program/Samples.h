// Small programs that are well formed, for tests that break them.

#ifndef OPC_TEST_UNIT_RUNTIME_PROGRAM_SAMPLES_H
#define OPC_TEST_UNIT_RUNTIME_PROGRAM_SAMPLES_H

#include "runtime/program/Manifest.h"
#include "runtime/program/SimulatorProgram.h"

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace opc::sample {

/// One block of tiles of at most 8192 elements: (n) -> (block_num = 1, tile_num, last_tile).
inline TilingFunction tiling() {
  TilingFunction function;
  function.inputs = {{TilingInput::NumElements, 0, 0}};
  function.numRegisters = 7;
  function.code = {
      {ScalarOp::Const, 1, 0, 0, 8192}, {ScalarOp::CeilDiv, 2, 0, 1, 0}, {ScalarOp::Const, 3, 0, 0, 1},
      {ScalarOp::Sub, 4, 2, 3, 0},      {ScalarOp::Mul, 5, 4, 1, 0},     {ScalarOp::Sub, 6, 0, 5, 0},
  };
  function.outputs = {{{"block_num", TilingField::UInt64}, 3},
                      {{"tile_num", TilingField::UInt64}, 2},
                      {{"last_tile", TilingField::UInt32}, 6}};
  return function;
}

/// One tile: load, add with relu, store, with the flags between them.
inline SimulatorProgram program() {
  SimulatorProgram program;
  program.kernel = "add_relu_float16";
  program.target = "Ascend310B1";
  program.numTensors = 2;
  program.tilingData = {{"block_num", TilingField::UInt64}, {"count", TilingField::UInt64}};
  program.buffers = {{"x", 0, 16384, 2}, {"y", 32768, 16384, 2}};
  program.locations = {{"add_relu.aicore.mlir", 12, 5}, {"add_relu.aicore.mlir", 13, 5}};
  program.numRegisters = 4;

  ProgramOperand x{ProgramOperand::UB, ElementType::Float16, 0, 0, 1, kNoRegister};
  ProgramOperand y{ProgramOperand::UB, ElementType::Float16, 1, 0, 2, kNoRegister};
  ProgramOperand gmX{ProgramOperand::GM, ElementType::Float16, kNoBuffer, 0, 1, kNoRegister};
  ProgramOperand gmY{ProgramOperand::GM, ElementType::Float16, kNoBuffer, 1, 1, kNoRegister};

  PipeInstruction load, loaded, waitLoaded, vector, barrier, done, waitDone, store, read;
  load.kind = PipeInstruction::Load;
  load.pipe = Pipe::MTE2;
  load.destination = x;
  load.sources[0] = gmX;
  load.count = 3;
  loaded.kind = PipeInstruction::SetFlag;
  loaded.pipe = Pipe::MTE2;
  loaded.other = Pipe::V;
  loaded.flagId = 0;
  waitLoaded.kind = PipeInstruction::WaitFlag;
  waitLoaded.pipe = Pipe::V;
  waitLoaded.other = Pipe::MTE2;
  waitLoaded.flagId = 0;
  vector.kind = PipeInstruction::Vector;
  vector.pipe = Pipe::V;
  vector.intrinsic = Intrinsic::vaddrelu;
  vector.destination = y;
  vector.sources[0] = x;
  vector.sources[1] = x;
  vector.count = 3;
  vector.location = 1;
  barrier.pipe = Pipe::V;
  done = loaded;
  done.pipe = Pipe::V;
  done.other = Pipe::MTE3;
  waitDone = waitLoaded;
  waitDone.pipe = Pipe::MTE3;
  waitDone.other = Pipe::V;
  store.kind = PipeInstruction::Store;
  store.pipe = Pipe::MTE3;
  store.destination = gmY;
  store.sources[0] = y;
  store.count = 3;
  read.kind = PipeInstruction::ScalarRead;
  read.sources[0] = x;
  program.instructions = {load, loaded, waitLoaded, vector, barrier, done, waitDone, store, read};
  program.code = {
      {ScalarOp::Const, 0, 0, 0, 0}, {ScalarOp::Const, 1, 0, 0, 0},       {ScalarOp::Const, 2, 0, 0, 32768},
      {ScalarOp::Param, 3, 0, 0, 1}, {ScalarOp::JumpIfZero, 0, 3, 0, 13}, {ScalarOp::Issue, 0, 0, 0, 0},
      {ScalarOp::Issue, 0, 0, 0, 1}, {ScalarOp::Issue, 0, 0, 0, 2},       {ScalarOp::Issue, 0, 0, 0, 3},
      {ScalarOp::Issue, 0, 0, 0, 4}, {ScalarOp::Issue, 0, 0, 0, 5},       {ScalarOp::Issue, 0, 0, 0, 6},
      {ScalarOp::Issue, 0, 0, 0, 7}, {ScalarOp::Halt, 0, 0, 0, 0},
  };
  return program;
}

inline Manifest manifest() {
  Manifest manifest;
  manifest.opType = "Swish";
  manifest.name = "swish";
  manifest.version = "1.0";
  manifest.compiler = "0.1.0";
  manifest.target = "Ascend310B1";
  manifest.body = "aicore";
  manifest.contractSha256 = std::string(64, 'a');
  ManifestTensor x;
  x.name = "x";
  x.types = {ElementType::Float16, ElementType::Float32};
  x.formats = {"ND"};
  x.shape = {{ManifestDim::Pack, "S", 0}, {ManifestDim::Symbol, "N", 0}, {ManifestDim::Fixed, "", 16}};
  ManifestTensor y = x;
  y.name = "y";
  manifest.inputs = {x};
  manifest.outputs = {y};
  ManifestAttribute beta;
  beta.name = "beta";
  beta.defaultValue = 1.0;
  beta.minimum = -100.5;
  manifest.attributes = {beta};
  ManifestSymbol n, m;
  n.name = "N";
  n.label = "contract_c7";
  m.name = "M";
  m.inputs = {"N"};
  m.numRegisters = 2;
  m.code = {{ScalarOp::Add, 1, 0, 0, 0}};
  manifest.symbols = {n, m};
  ManifestKernel kernel;
  kernel.name = "swish_float16";
  kernel.tilingKey = 18446744073709551615u;
  kernel.simulatorProgram = "sim/swish_float16.opcsim";
  kernel.tiling = tiling();
  kernel.launchAttributes = {"beta"};
  manifest.kernels = {kernel};
  manifest.cpuLibrary = "cpu/swish.so";
  manifest.cpuLevels = {"x86-64-v3"};
  manifest.files = {{"ascendc/swish.cpp", std::string(64, 'a')}, {"op_contract.yaml", std::string(64, '0')}};
  return manifest;
}

/// (x [...S], w [...S] broadcast; axes, keepdims) -> y that reduces x, with two kernels in its row and
/// every kind of list.
inline Manifest reduction() {
  Manifest manifest = sample::manifest();
  manifest.refusesEmpty = true;
  for (ManifestTensor *tensor : {&manifest.inputs[0], &manifest.outputs[0]})
    tensor->types = {ElementType::Float32};
  manifest.inputs[0].shape = {{ManifestDim::Pack, "S", 0}};
  ManifestTensor w = manifest.inputs[0];
  w.name = "w";
  w.broadcast = ManifestTensor::Numpy;
  manifest.inputs.push_back(w);
  manifest.outputs[0].shape.clear();
  manifest.outputs[0].reduces = {"x", "axes", "keepdims"};
  ManifestAttribute axes, keep, truths, reals, words;
  axes.name = "axes";
  axes.type = ManifestAttribute::ListInt;
  axes.bind = ManifestAttribute::Shape;
  axes.defaultValue = std::vector<int64_t>{-1, 0};
  keep.name = "keepdims";
  keep.type = ManifestAttribute::Bool;
  keep.bind = ManifestAttribute::Shape;
  keep.defaultValue = false;
  truths.name = "truths";
  truths.type = ManifestAttribute::ListBool;
  truths.defaultValue = std::vector<bool>{true, false};
  reals.name = "reals";
  reals.type = ManifestAttribute::ListFloat;
  reals.defaultValue = std::vector<double>{0.5, std::numeric_limits<double>::infinity()};
  words.name = "words";
  words.type = ManifestAttribute::ListString;
  words.defaultValue = std::vector<std::string>{"a", "b"};
  for (ManifestAttribute *each : {&truths, &reals, &words})
    each->bind = ManifestAttribute::Compile;
  manifest.attributes = {axes, keep, truths, reals, words};
  ManifestSymbol s;
  s.name = "S";
  s.minimumRank = 1;
  s.maximumRank = 7;
  manifest.symbols = {s};
  ManifestKernel kernel;
  kernel.name = "sum_float32_rows";
  kernel.tiling.inputs = {{TilingInput::Dim, 0, -1}, {TilingInput::Reduced, 0, -1}, {TilingInput::MaxBlocks, 0, 0}};
  kernel.tiling.numRegisters = 5;
  kernel.tiling.code = {{ScalarOp::Const, 3, 0, 0, 1}, {ScalarOp::Select, 4, 1, 0, 3}};
  kernel.tiling.outputs = {{{"block_num", TilingField::UInt64}, 3},
                           {{"size0", TilingField::UInt64}, 4},
                           {{"tiling_key", TilingField::UInt32}, 1}};
  ManifestKernel other = kernel;
  other.name = "sum_float32_columns";
  other.tilingKey = 1;
  other.assumesFixToV = true;
  manifest.kernels = {kernel, other};
  other.assumesFixToV = false;
  other.tiling.code[0].imm = 2;
  other.name = "sum_float32_cpu";
  other.cpuAlone = "'devices: cpu'";
  manifest.cpuKernels = {other};
  return manifest;
}

/// Calls `take` with every truncation of `bytes`, and with `flips` copies that differ in one to eight random bytes.
/// The seed is fixed: a failure is the same on every machine.
template <typename Take> void everyDamage(const std::vector<uint8_t> &bytes, unsigned flips, Take &&take) {
  for (size_t size = 0; size < bytes.size(); ++size)
    take(std::vector<uint8_t>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)), true);
  std::mt19937 random(20261120);
  for (unsigned i = 0; i < flips; ++i) {
    std::vector<uint8_t> damaged = bytes;
    for (unsigned n = 1 + random() % 8; n > 0; --n)
      damaged[random() % damaged.size()] = static_cast<uint8_t>(random() % 4 == 0 ? 0xff : random());
    take(damaged, false);
  }
}

} // namespace opc::sample

#endif // OPC_TEST_UNIT_RUNTIME_PROGRAM_SAMPLES_H
