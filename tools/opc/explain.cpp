// `opc explain CODE`: what a code means, why there is such a rule, and what to do.
//
// Takes this project's codes (OPC-E0213, E0213 or 213) and the numbers of the vendor's runtime
// (507015). A number of at most four digits is one of ours, except 0, which the vendor's calls
// return for success. The label of a rule (sync_c1) is that of the code whose explanation names it,
// alone or in a range (plan_c1 to plan_c3).

#include "runtime/diagnostic/VendorCodes.h"
#include "tools/opc/Command.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <regex>

namespace opc::tool {

using Json = nlohmann::ordered_json;

struct Explanation {
  std::string code, source;
  std::optional<ExitCode> exit; ///< of our codes
  std::string_view title, text;
};

static bool isNumber(const std::string &text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// The code of our own that explains a rule's label; nothing when none does.
static const CodeInfo *findLabel(const std::string &label) {
  static const std::regex form("([a-z_]+)_c([0-9]{1,3})"),
      range("([a-z_]+)_c([0-9]+)(?: to \\1_c([0-9]+))?");
  std::smatch wanted;
  if (!std::regex_match(label, wanted, form))
    return nullptr;
  int number = std::stoi(wanted[2]);
  // Rule NN of a contract has the code OPC-E02NN (ops/contract/Rules.h).
  if (wanted[1] == "contract") {
    char name[8];
    std::snprintf(name, sizeof name, "E02%02d", number % 100);
    return number < 100 ? findCode(name) : nullptr;
  }
  for (const CodeInfo &info : allCodes()) {
    std::string text(info.explanation);
    for (std::sregex_iterator at(text.begin(), text.end(), range), end; at != end; ++at) {
      int first = std::stoi((*at)[2]), last = (*at)[3].matched ? std::stoi((*at)[3]) : first;
      if ((*at)[1] == wanted[1] && first <= number && number <= last)
        return &info;
    }
  }
  return nullptr;
}

static std::optional<Explanation> find(const std::string &code) {
  std::string ours = code;
  if (const CodeInfo *info = findLabel(code))
    ours = info->name;
  if (isNumber(code) && code.size() < 4)
    ours.insert(0, 4 - code.size(), '0');
  if (const CodeInfo *info = findCode(ours))
    return Explanation{std::string(info->name), "opc", info->exit, info->title, info->explanation};
  if (!isNumber(code) || code.size() > 9)
    return std::nullopt;
  if (const VendorCode *vendor = findVendorCode(static_cast<uint32_t>(std::stoul(code))))
    return Explanation{code, std::string(vendor->source), std::nullopt, vendor->title,
                       vendor->explanation};
  return std::nullopt;
}

static Json toJson(const Explanation &explanation) {
  Json object = {{"schema_version", 1}, {"code", explanation.code}, {"source", explanation.source}};
  if (explanation.exit)
    object["exit_code"] = int(*explanation.exit);
  object["title"] = std::string(explanation.title);
  object["explanation"] = std::string(explanation.text);
  return object;
}

static void print(const Explanation &explanation, Context &context) {
  if (context.json()) {
    std::cout << toJson(explanation).dump() << '\n';
    return;
  }
  std::cout << explanation.code;
  if (!explanation.exit)
    std::cout << " (" << explanation.source << " of the vendor's runtime)";
  std::cout << ": " << explanation.title << "\n\n" << explanation.text << '\n';
  if (explanation.exit)
    std::cout << "\nCommands that end with this error have exit status " << int(*explanation.exit)
              << ".\n";
}

static ExitCode explainAll(Context &context) {
  for (const CodeInfo &info : allCodes()) {
    if (context.json())
      std::cout
          << toJson({std::string(info.name), "opc", info.exit, info.title, info.explanation}).dump()
          << '\n';
    else
      std::cout << info.name << "  " << info.title << '\n';
  }
  return ExitCode::Done;
}

static std::string nearestCode(const std::string &code) {
  std::vector<std::string> names;
  for (const CodeInfo &info : allCodes())
    for (size_t prefix : {0, 4, 5})
      names.emplace_back(info.name.substr(prefix));
  for (const VendorCode &vendor : allVendorCodes())
    names.push_back(std::to_string(vendor.first));
  std::string nearest = nearestName(code, names);
  const CodeInfo *ours = findCode(nearest);
  return ours ? std::string(ours->name) : nearest;
}

static ExitCode explain(const std::string &code, bool all, Context &context) {
  if (all)
    return explainAll(context);
  if (code.empty())
    return context.fail(Code::E0103, "'opc explain' expects a code",
                        "'opc explain --all' lists them");
  std::optional<Explanation> explanation = find(code);
  if (explanation) {
    print(*explanation, context);
    return ExitCode::Done;
  }
  std::string nearest = nearestCode(code);
  return context.fail(Code::E0110, "there is no code '" + printable(code) + "'",
                      nearest.empty() ? "'opc explain --all' lists them"
                                      : "the nearest is '" + nearest + "'");
}

static Action declare(Declaration &declaration) {
  auto code = std::make_shared<std::string>();
  auto all = std::make_shared<bool>(false);
  declaration.arguments
      .option("code", *code,
              "a code of opc (OPC-E0213), a rule's label (sync_c1) or a number of the vendor's "
              "runtime (507015)")
      .typeName("CODE");
  declaration.arguments.flag("--all", *all, "list every code of opc");
  return [code, all](Context &context) { return explain(*code, *all, context); };
}

const Command &explainCommand() {
  static const Command command = {"explain", "what an error code means, ours or the vendor's",
                                  "  opc explain OPC-E0106\n"
                                  "  opc explain sync_c1\n"
                                  "  opc explain 507015\n"
                                  "  opc explain --all",
                                  declare};
  return command;
}

} // namespace opc::tool
