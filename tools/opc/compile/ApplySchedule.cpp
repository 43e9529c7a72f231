#include "tools/opc/compile/ApplySchedule.h"

#include "ops/contract/read/FileText.h"
#include "ops/contract/read/Reader.h"
#include "ops/contract/write/Canonical.h"
#include "ops/contract/write/WriteSchedule.h"
#include "runtime/core/File.h"
#include "tools/opc/compile/AppliedText.h"
#include "tools/opc/libraries/Libraries.h"

#include <filesystem>

namespace opc::tool {

namespace fs = std::filesystem;

/// The schedule file for a contract that names none.
static constexpr const char *kScheduleFile = "schedule.yaml";

namespace {

/// A file to write.
struct NewText {
  std::string path, text;
};

class Application {
public:
  Application(const Contract &contract, const std::vector<ScheduleRefusal> &refused, const CompileOptions &options,
              Diagnostics &diagnostics)
      : contract(contract), refused(refused), options(options), diagnostics(diagnostics) {}

  std::optional<AppliedSchedule> run();

private:
  bool chooseFixes();
  bool compiles();
  std::optional<NewText> scheduleText();
  std::optional<NewText> contractText();
  bool write();
  std::nullopt_t refuse(const std::string &message, const std::string &fix = {}) {
    diagnostics.error(Code::E0104, {}, "--apply " + message, {}, fix);
    return std::nullopt;
  }
  std::string why() const { return "by opc compile --apply, to fit UB of " + std::string(options.target->name()); }
  /// The path of the schedule file, which may not exist.
  std::string schedulePath() const {
    return contract.filePath(contract.schedule.empty() ? kScheduleFile : contract.schedule);
  }

  const Contract &contract;
  const std::vector<ScheduleRefusal> &refused;
  const CompileOptions &options;
  Diagnostics &diagnostics;
  std::vector<ContractSchedule> entries;
};

} // namespace

bool Application::chooseFixes() {
  for (const ScheduleRefusal &refusal : refused) {
    if (refusal.fixes.empty()) {
      refuse("expects a change of its schedule with which '" + refusal.kernel + "' fits UB, found none",
             "compute less in one operator: fewer inputs or fewer steps");
      return false;
    }
    entries.push_back(refusal.fixes.front().entry);
  }
  return true;
}

/// Whether all kernels compile with the changes, including the verification of their flags.
bool Application::compiles() {
  Contract changed = contract;
  for (ContractSchedule entry : entries) {
    entry.location.file = schedulePath();
    changed.schedules.push_back(std::move(entry));
  }
  CompileOptions trial = options;
  trial.body = changed.findBody(BodyLevel::Te);
  trial.stopAfter = "synced";
  trial.explainOnly = true;
  Diagnostics found;
  (void)compiler().compileOperator(changed, trial, found);
  if (!found.hasErrors())
    return true;
  refuse("expects a schedule with which all kernels compile, found errors with the cheapest "
         "changes");
  for (const Diagnostic &other : found.all())
    diagnostics.add(other);
  return false;
}

std::optional<NewText> Application::scheduleText() {
  std::string path = schedulePath();
  std::error_code error;
  if (contract.schedule.empty()) {
    NewText made{path, newScheduleText(contract, entries, why())};
    if (!fs::exists(fs::symlink_status(path, error)))
      return made;
    // An earlier --apply that was killed between its two files may have written this one.
    std::optional<std::string> there = readFile(path, kLargestFile, diagnostics);
    if (!there)
      return std::nullopt;
    if (*there == made.text)
      return made;
    return refuse("expects no file '" + printablePath(path) + "', as the contract names none",
                  "add 'schedule: " + std::string(kScheduleFile) + "' to the contract, or put the file elsewhere");
  }
  std::optional<std::string> text = readFile(path, kLargestFile, diagnostics);
  if (!text)
    return std::nullopt;
  if (auto made = scheduleTextWith(*text, contract, entries, why()))
    return NewText{path, std::move(*made)};
  return refuse("expects entries on lines of their own in '" + printablePath(path) +
                    "', found a list to which no line can be appended",
                "write: " + entriesText(contract, entries));
}

/// The text of the contract with a line that names the schedule file.
std::optional<NewText> Application::contractText() {
  std::optional<std::string> text = readFile(contract.path, kLargestFile, diagnostics);
  if (!text)
    return std::nullopt;
  if (!text->empty() && text->back() != '\n')
    *text += '\n';
  std::string line = "schedule: " + std::string(kScheduleFile);
  *text += line + "\n";
  Diagnostics found;
  std::optional<Contract> changed = parseContract(*text, contract.path, found);
  bool isNamed = changed && changed->schedule == kScheduleFile;
  if (isNamed)
    changed->schedule.clear();
  if (isNamed && canonicalText(*changed) == canonicalText(contract))
    return NewText{contract.path, std::move(*text)};
  return refuse("expects a contract whose last line can be '" + line + "', found another form",
                "add '" + line + "' to the contract and " + entriesText(contract, entries) +
                    " to the list 'kernels' of that file");
}

bool Application::write() {
  bool isNew = contract.schedule.empty();
  std::optional<NewText> schedule = scheduleText(), named;
  if (schedule && isNew)
    named = contractText();
  if (!schedule || (isNew && !named))
    return false;
  auto scheduleFile = AtomicFile::create(schedule->path, diagnostics);
  auto contractFile =
      named && scheduleFile ? AtomicFile::create(named->path, diagnostics) : std::optional<AtomicFile>();
  if (!scheduleFile || (named && !contractFile))
    return false;
  scheduleFile->write(schedule->text.data(), schedule->text.size());
  if (named)
    contractFile->write(named->text.data(), named->text.size());
  if (scheduleFile->failed(diagnostics) || (named && contractFile->failed(diagnostics)))
    return false;
  // Commit the schedule file first, so that the contract never names a missing file.
  if (!scheduleFile->commit(diagnostics))
    return false;
  if (!named || contractFile->commit(diagnostics))
    return true;
  std::error_code error;
  fs::remove(schedule->path, error);
  return false;
}

std::optional<AppliedSchedule> Application::run() {
  if (!chooseFixes() || !compiles() || !write())
    return std::nullopt;
  std::optional<Contract> changed = loadContract(contract.path, diagnostics);
  if (!changed)
    return std::nullopt;
  AppliedSchedule applied{std::move(*changed), {}};
  for (const ScheduleRefusal &refusal : refused)
    applied.lines.push_back(appliedText(refusal, schedulePath()));
  return applied;
}

std::optional<AppliedSchedule> applySchedule(const Contract &contract, const std::vector<ScheduleRefusal> &refused,
                                             const CompileOptions &options, Diagnostics &diagnostics) {
  return Application(contract, refused, options, diagnostics).run();
}

} // namespace opc::tool
