// `opc target list`, `show` and `calibrate`: the chips, their figures with sources, and their kernel-side API.
//
// With --api NAME, `list` and `show` report whether the vendor's documentation lists a call for the chip: exit status
// 0 for yes, 1 for no (with a substitute if one is known), 2 for an unknown name.

#include "runtime/target/Target.h"
#include "runtime/program/format/JsonText.h"
#include "runtime/target/accuracy/Accuracy.h"
#include "tools/opc/Command.h"
#include "tools/opc/target/Calibrate.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace opc::tool {

using Json = nlohmann::ordered_json;

static void printJsonLine(const Json &object) {
  std::cout << writeJson(object) << '\n';
}

static std::string padded(std::string_view text, size_t width) {
  std::string result(text);
  result.resize(std::max(width, result.size()), ' ');
  return result + "  ";
}

/// Prints whole numbers without a fraction.
static Json number(double value) {
  auto whole = static_cast<int64_t>(value);
  return value == static_cast<double>(whole) ? Json(whole) : Json(value);
}

static std::string typesText(const IntrinsicInfo &info) {
  std::string text;
  for (const TypeRow &row : info.types) {
    text += text.empty() ? "" : " ";
    text += mlirTypeName(row.source);
    if (row.source != row.destination)
      text += ">" + std::string(mlirTypeName(row.destination));
  }
  return text;
}

static Json typesJson(const IntrinsicInfo &info) {
  Json rows = Json::array();
  for (const TypeRow &row : info.types)
    rows.push_back({{"source", elementTypeName(row.source)}, {"destination", elementTypeName(row.destination)}});
  return rows;
}

/// The chip by name, null after an error. Accepts a family name and prints the chip that it means.
static const Target *chosenTarget(const std::string &name, Context &context, ExitCode &exit) {
  const Target *target = findTarget(name);
  if (!target) {
    std::string nearest = nearestName(name, targetNames());
    exit = context.fail(Code::E0106, "there is no chip '" + printable(name) + "'",
                        nearest.empty() ? "'opc target list' names them" : "did you mean '" + nearest + "'?");
    return nullptr;
  }
  if (target->name() != name)
    context.info("'" + name + "' stands for " + std::string(target->name()));
  return target;
}

static ExitCode list(Context &context) {
  if (context.json()) {
    Json targets = Json::array();
    for (const Target &target : allTargets())
      targets.push_back({{"name", target.name()},
                         {"boards", target.boards()},
                         {"clock_mhz", number(target.clockMHz())},
                         {"ub_bytes", target.ubBytes()}});
    printJsonLine({{"schema_version", 1}, {"family", "Ascend310B"}, {"targets", std::move(targets)}});
    return ExitCode::Done;
  }
  for (const Target &target : allTargets())
    std::cout << padded(target.name(), 12) << padded(number(target.clockMHz()).dump() + " MHz", 8)
              << padded("UB " + std::to_string(target.ubBytes()) + " B", 10) << target.boards() << '\n';
  context.info("the family name Ascend310B stands for " + std::string(findTarget("Ascend310B")->name()));
  return ExitCode::Done;
}

static void showJson(const Target &target) {
  Json figures = Json::array(), intrinsics = Json::array();
  for (const Figure &figure : target.figures())
    figures.push_back(
        {{"name", figure.name}, {"value", number(figure.value)}, {"unit", figure.unit}, {"source", figure.source}});
  for (const IntrinsicInfo &info : allIntrinsics())
    intrinsics.push_back({{"name", info.name},
                          {"ascendc", info.ascendC},
                          {"types", typesJson(info)},
                          {"accuracy", accuracyOf(info.intrinsic).text()},
                          {"accuracy_assumed", accuracyOf(info.intrinsic).assumed()},
                          {"accuracy_source", accuracyOf(info.intrinsic).source}});
  printJsonLine({{"schema_version", 1},
                 {"name", target.name()},
                 {"boards", target.boards()},
                 {"figures", std::move(figures)},
                 {"intrinsics", std::move(intrinsics)}});
}

static ExitCode show(const std::string &name, Context &context) {
  ExitCode exit = ExitCode::Done;
  const Target *target = chosenTarget(name, context, exit);
  if (!target)
    return exit;
  if (context.json()) {
    showJson(*target);
    return ExitCode::Done;
  }
  std::cout << target->name() << " (" << target->boards() << ")\n\nFigures\n";
  for (const Figure &figure : target->figures())
    std::cout << "  " << padded(figure.name, 24) << padded(number(figure.value).dump(), 8) << padded(figure.unit, 7)
              << figure.source << '\n';
  std::cout << "\nVector intrinsics: name, call in Ascend C, element types (read>written)\n";
  for (const IntrinsicInfo &info : allIntrinsics())
    std::cout << "  " << padded(info.name, 12) << padded(info.ascendC, 14) << typesText(info) << '\n';
  std::cout << "\nModelled accuracy of the intrinsics, with its source; the others are exact\n";
  for (const IntrinsicInfo &info : allIntrinsics())
    if (const Accuracy &accuracy = accuracyOf(info.intrinsic); accuracy.measure != ErrorMeasure::Exact)
      std::cout << "  " << padded(info.name, 18) << accuracy.text() << "\n                      " << accuracy.source
                << '\n';
  return ExitCode::Done;
}

/// The intrinsics of the aicore dialect that are emitted as this call.
static std::vector<const IntrinsicInfo *> intrinsicsOf(const std::string &api) {
  std::vector<const IntrinsicInfo *> found;
  for (const IntrinsicInfo &info : allIntrinsics())
    if (info.ascendC == api)
      found.push_back(&info);
  return found;
}

static ExitCode answerApi(const std::string &api, const std::string &chip, Context &context) {
  ExitCode exit = ExitCode::Done;
  const Target *target = chosenTarget(chip, context, exit);
  if (!target)
    return exit;
  ApiAnswer answer = queryApi(api);
  if (answer.support == ApiSupport::Unknown)
    return context.fail(Code::E0111, "the vendor's kernel-side API has no name '" + printable(api) + "'",
                        answer.nearest.empty() ? "" : "did you mean '" + answer.nearest + "'?");
  bool yes = answer.support == ApiSupport::Yes;
  auto finish = [&] {
    if (yes)
      return ExitCode::Done;
    return context.fail(Code::E0116, std::string(target->name()) + " has no call '" + printable(api) + "'",
                        answer.substitute.empty() ? std::string() : "instead: " + std::string(answer.substitute));
  };
  std::vector<const IntrinsicInfo *> intrinsics = yes ? intrinsicsOf(api) : std::vector<const IntrinsicInfo *>();
  if (context.json()) {
    Json object = {{"schema_version", 1}, {"target", target->name()}, {"api", api}, {"supported", yes}};
    if (!answer.substitute.empty())
      object["substitute"] = answer.substitute;
    for (const IntrinsicInfo *info : intrinsics)
      object["intrinsics"].push_back({{"name", info->name}, {"types", typesJson(*info)}});
    printJsonLine(object);
    return finish();
  }
  std::cout << (yes ? "yes" : "no") << ": " << target->name() << (yes ? " has '" : " has no '") << api << "'\n";
  for (const IntrinsicInfo *info : intrinsics)
    std::cout << "  aicore." << info->name << ": " << typesText(*info) << '\n';
  if (!answer.substitute.empty())
    std::cout << "  substitute: " << answer.substitute << '\n';
  std::cout.flush();
  return finish();
}

static void addApi(Arguments &arguments, std::string &value) {
  arguments
      .option("--api", value, "check whether the chip has this kernel-side call: exit status 0 yes, 1 no, 2 unknown")
      .typeName("NAME");
}

static Action declare(Declaration &declaration) {
  auto api = std::make_shared<std::string>();
  auto chip = std::make_shared<std::string>("Ascend310B");
  Arguments listApp = declaration.sub("list", "list the chips that opc supports", "  opc target list --format=json");
  addApi(listApp, *api);
  declaration.on(listApp, [api, chip](Context &context) {
    return api->empty() ? list(context) : answerApi(*api, *chip, context);
  });
  Arguments showApp = declaration.sub("show", "show the figures of a chip with their sources, its intrinsics and types",
                                      "  opc target show Ascend310B4\n"
                                      "  opc target show Ascend310B1 --api Tanh");
  showApp.option("chip", *chip, "chip, or the family Ascend310B (default)").typeName("CHIP");
  addApi(showApp, *api);
  declaration.on(showApp, [api, chip](Context &context) {
    return api->empty() ? show(*chip, context) : answerApi(*api, *chip, context);
  });
  declareCalibrate(declaration);
  return {};
}

const Command &targetCommand() {
  static const Command command = {"target", "show chips: figures with their sources, intrinsics, kernel-side API",
                                  "  opc target list\n"
                                  "  opc target show Ascend310B4\n"
                                  "  opc target calibrate op_summary.csv --kernels=out -o figures.json",
                                  declare};
  return command;
}

} // namespace opc::tool
