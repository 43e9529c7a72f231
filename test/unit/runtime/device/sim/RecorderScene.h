// A kernel in Ascend C, recorded in this process: what its calls became, as short texts.

#ifndef OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_RECORDERSCENE_H
#define OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_RECORDERSCENE_H

#include "runtime/ascendc/Recorder.h"
#include "runtime/ascendc/kernel_operator.h"
#include "runtime/device/sim/launch/Capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <iostream>

namespace opc::test {

using namespace AscendC;
using opc::ascendc::Recorder;

struct Scene {
  std::vector<float> x = std::vector<float>(4096, 1.5f), y = x;
  opc::ascendc::RecordSettings settings;
  opc::Diagnostics diagnostics;
  std::vector<opc::SimTensor> tensors;
  opc::SimulatorProgram program;

  Scene() {
    settings.target = opc::findTarget("Ascend310B1");
    settings.kernel = "kernel";
    add("x", x, false);
    add("y", y, true);
  }
  GlobalTensor<float> gm(size_t i) const {
    GlobalTensor<float> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<float *>(settings.tensors[i].base), x.size());
    return tensor;
  }
  /// Records `kernel` block by block; an error is written to stderr and ends the process.
  Scene &record(const std::function<void()> &kernel) {
    Recorder recorder(settings, diagnostics, [this] { end(); });
    opc_kernel_machine = &recorder;
    for (int64_t block = 0; block < settings.blockNum; ++block) {
      recorder.startBlock(block);
      kernel();
      recorder.endBlock();
    }
    program = recorder.finish().program;
    return *this;
  }
  /// The steps of a program of one block.
  std::vector<std::string> steps() const;
  std::string simulated() {
    opc::SimOptions options;
    options.sanitize = opc::Sanitize::all();
    simulate(program, *settings.target, tensors, {}, settings.blockNum, options, diagnostics);
    return diagnostics.hasErrors() ? diagnostics.all().front().message : "";
  }

private:
  void add(const char *name, std::vector<float> &values, bool isOutput) {
    const auto bytes = int64_t(values.size() * sizeof(float));
    settings.tensors.push_back({name, int64_t(settings.tensors.size() + 1) * opc::ascendc::kTensorSpan, bytes,
                                opc::ElementType::Float32, isOutput, values.data()});
    tensors.push_back({name, values.data(), bytes, opc::ElementType::Float32, isOutput});
  }
  [[noreturn]] void end() const {
    for (const opc::Diagnostic &diagnostic : diagnostics.all())
      printText(std::cerr, diagnostic);
    std::cerr.flush();
    std::_Exit(7);
  }
};

/// "vadd 64 @0 @256 @512": the accesses in the order destination, sources, scratch; "~" marks lanes of a wider call,
/// "[event]" a flag, "3 x 32 / 64" rows of a copy and their distance.
inline std::string textOf(const opc::sim::Launch &launch, uint32_t index, const int64_t *registers) {
  opc::SimInstruction op;
  opc::sim::capture(launch, index, registers, op);
  const opc::PipeInstruction &form = *op.instruction;
  using I = opc::PipeInstruction;
  const auto pipes = [&form] {
    return std::string(opc::pipeName(form.pipe)) + " " + std::string(opc::pipeName(form.other));
  };
  switch (form.kind) {
  case I::SetFlag:
    return "set " + pipes() + " [" + std::to_string(op.flagId) + "]";
  case I::WaitFlag:
    return "wait " + pipes() + " [" + std::to_string(op.flagId) + "]";
  case I::Barrier:
    return "barrier " + std::string(opc::pipeName(form.pipe));
  default:
    break;
  }
  std::string text = form.kind == I::Load          ? "load"
                     : form.kind == I::Store       ? "store"
                     : form.kind == I::ScalarRead  ? "read"
                     : form.kind == I::ScalarWrite ? "write"
                                                   : std::string(opc::intrinsicInfo(form.intrinsic).name);
  text += (form.partial ? "~ " : " ") + std::to_string(op.count);
  for (unsigned i = 0; i < op.numAccesses; ++i) {
    const opc::SimAccess &access = op.accesses[i];
    const bool isGlobal = access.operand->space == opc::ProgramOperand::GM;
    text += (isGlobal ? " gm" + std::to_string(access.operand->tensor) + "@" : " @") + std::to_string(access.address);
    if (access.rows != 1)
      text += " " + std::to_string(access.rows) + "x" + std::to_string(access.rowBytes) + "/" +
              std::to_string(access.stride);
  }
  return text;
}

inline std::vector<std::string> Scene::steps() const {
  const opc::SimOptions options;
  opc::Diagnostics unheard;
  const std::vector<int64_t> none;
  const opc::sim::Launch launch{program, *settings.target, tensors, none, options, unheard};
  std::vector<int64_t> registers(program.numRegisters);
  std::vector<std::string> steps;
  for (const opc::ScalarInstruction &step : program.code)
    if (step.op == opc::ScalarOp::Const)
      registers[step.dst] = step.imm;
    else if (step.op == opc::ScalarOp::Issue || step.op == opc::ScalarOp::Read)
      steps.push_back(textOf(launch, uint32_t(step.imm), registers.data()));
  return steps;
}

/// Three tiles of 1024 bytes one after the other, of elements T.
template <typename T> struct Tiles {
  TPipe pipe;
  TBuf<> buffers[3];
  LocalTensor<T> a, b, c;
  Tiles() {
    for (TBuf<> &buffer : buffers)
      pipe.InitBuffer(buffer, 1024);
    a = buffers[0].Get<T>(), b = buffers[1].Get<T>(), c = buffers[2].Get<T>();
  }
};

/// An error and no way back, on stderr.
inline void expectRefused(const std::function<void()> &kernel, const std::string &message) {
  EXPECT_EXIT(Scene().record(kernel), testing::ExitedWithCode(7), message);
}

} // namespace opc::test

#endif // OPC_TEST_UNIT_RUNTIME_DEVICE_SIM_RECORDERSCENE_H
