// aicore-schedule: created with a contract in memory, or reads the contract that its option names. It rewrites no op:
// it adds attributes and tiling functions, which depend on all instances of a module together.

#include "lowering/schedule/ContractOption.h"
#include "lowering/schedule/Passes.h"

using namespace mlir;

namespace opc {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "lowering/schedule/Passes.h.inc"

namespace {

struct SchedulePass : impl::SchedulePassBase<SchedulePass> {
  using SchedulePassBase::SchedulePassBase;
  explicit SchedulePass(const ScheduleRequest &given) : request(&given) {
    contract = given.contract.path;
    target = std::string(given.target.name());
  }

  void runOnOperation() override {
    LogicalResult done = request ? scheduleInstances(getOperation(), *request) : scheduleByOptions();
    if (failed(done))
      signalPassFailure();
  }

private:
  LogicalResult scheduleByOptions() {
    std::optional<Contract> read = readContractOption(getOperation(), contract, getArgument());
    const Target *chip = findTarget(target.getValue());
    if (read && !chip)
      return emitError(getOperation().getLoc()) << "expects a chip, found '" << target << "'";
    if (!read)
      return failure();
    Diagnostics found;
    std::vector<KernelSchedule> explanation;
    std::vector<ScheduleRefusal> refused;
    LogicalResult done = scheduleInstances(getOperation(), {*read, {}, *chip, found, explanation, refused});
    for (const ScheduleRefusal &refusal : refused)
      found.error(refusal.code, refusal.place, refusal.message, refusal.rule);
    reportErrors(getOperation(), found);
    return done;
  }

  const ScheduleRequest *request = nullptr;
};

} // namespace

std::unique_ptr<Pass> createSchedulePass(const ScheduleRequest &request) {
  return std::make_unique<SchedulePass>(request);
}

} // namespace opc
