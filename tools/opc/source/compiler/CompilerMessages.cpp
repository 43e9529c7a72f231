// Reports a C++ compiler's messages about a user's file, at the lines of that file.

#include "tools/opc/source/compiler/CompilerMessages.h"

#include "runtime/core/File.h"
#include "runtime/target/Target.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

namespace opc::tool {

namespace fs = std::filesystem;

static constexpr int64_t kLongestLine = int64_t(16) << 20;
static constexpr size_t kMostErrors = 20;

namespace {
/// A message in the form of all C++ compilers: "file:line:column: kind: text".
struct CompilerLine {
  Location location;
  std::string kind, text;
};
} // namespace

static std::vector<CompilerLine> readLines(const std::string &output) {
  static const std::regex form("^([^:]+):([0-9]+):(?:([0-9]+):)? +(fatal error|error|note|warning): "
                               "(.*)$"),
      required("^([^:]+):([0-9]+):([0-9]+): +required from here$");
  std::vector<CompilerLine> lines;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    if (line.size() > 4096)
      line.resize(4096);
    std::smatch match;
    auto place = [&] {
      return Location{match[1], unsigned(std::strtoul(match[2].str().c_str(), nullptr, 10)),
                      unsigned(std::strtoul(match[3].str().c_str(), nullptr, 10))};
    };
    if (std::regex_match(line, match, required))
      lines.push_back({place(), "required", ""});
    else if (std::regex_match(line, match, form))
      lines.push_back({place(), match[4], match[5]});
  }
  return lines;
}

/// What a linker says of functions that nothing defines: a location, if the linker knows one, and the function. LLD
/// writes "undefined symbol: f(int)" and below it ">>> referenced by k.cpp:4 (/folder/k.cpp:4)"; GNU ld writes
/// "/folder/k.cpp:4: undefined reference to `f(int)'".
static std::vector<CompilerLine> readUndefined(const std::string &output, const std::string &path) {
  static const std::regex symbol("error: undefined symbol: (.+)$"),
      place("^>>> referenced by [^(]+ \\((.+):([0-9]+)\\)$"),
      both("^(?:.*: )?([^ :][^:]*):([0-9]+): undefined reference to [`'](.+)'$");
  auto at = [&path](const std::string &file, const std::string &line) {
    const bool isNamed = fs::path(file).filename() == fs::path(path).filename();
    return Location{isNamed ? path : file, unsigned(std::strtoul(line.c_str(), nullptr, 10)), 0};
  };
  std::vector<CompilerLine> found;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    if (line.size() > 4096)
      line.resize(4096);
    std::smatch match;
    if (std::regex_match(line, match, both))
      found.push_back({at(match[1], match[2]), "undefined", match[3]});
    else if (std::regex_search(line, match, symbol))
      found.push_back({{path}, "undefined", match[1]});
    else if (!found.empty() && found.back().location.line == 0 && std::regex_match(line, match, place))
      found.back().location = at(match[1], match[2]);
  }
  return found;
}

static std::vector<std::string> callsOfThisChip() {
  std::vector<std::string> names = apiCallNames();
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string &name) { return queryApi(name).support != ApiSupport::Yes; }),
              names.end());
  return names;
}

/// The replacement of a name that a message quotes and that the chip lacks.
static std::string adviceFor(const std::string &text, bool isCode = false) {
  static const std::regex quoted("['\xe2\x80\x98]+([A-Za-z_]\\w*)"), called("\\b([A-Za-z_]\\w*)\\s*[(<]");
  const std::regex &names = isCode ? called : quoted;
  for (std::sregex_iterator i(text.begin(), text.end(), names), end; i != end; ++i) {
    const std::string name = (*i)[1];
    const ApiAnswer answer = queryApi(name);
    if (answer.support != ApiSupport::No)
      continue;
    const bool isSaid = text.find("Ascend 310B") != std::string::npos; // by opc's header
    const std::string advice = isSaid ? "" : "Ascend 310B has no '" + name + "'; ";
    if (!answer.substitute.empty())
      return isSaid ? "" : advice + "use " + answer.substitute;
    // A call of other chips may be a misspelt call of this chip.
    const std::string nearest = nearestName(name, callsOfThisChip());
    return nearest.empty() ? advice.substr(0, advice.find(';')) : advice + "did you mean '" + nearest + "'?";
  }
  return {};
}

/// Why a call matches no overload: the compiler's note about the nearest one.
static std::string reasonFor(const std::vector<CompilerLine> &lines, size_t index) {
  static const std::regex candidate("^ *(?:candidate (?:template ignored|function template not "
                                    "viable|function not viable): )?(.*(?:conflicting types|"
                                    "no known conversion|could not match|could not infer|couldn't "
                                    "deduce|argument|provided).*)$");
  std::string first;
  for (size_t i = index + 1; i < lines.size() && lines[i].kind == "note"; ++i) {
    std::smatch match;
    if (!std::regex_match(lines[i].text, match, candidate) ||
        lines[i].text.find("deduction/substitution failed") != std::string::npos)
      continue;
    const std::string text = match[1];
    if (text.find("conflicting types") != std::string::npos)
      return text;
    first = first.empty() ? text : first;
  }
  return first;
}

/// The source line of an error, for names that the compiler does not quote.
static std::string sourceLine(const Location &place) {
  Diagnostics unheard;
  const std::optional<std::string> text = readFile(place.file, kLongestLine, unheard);
  std::istringstream stream(text.value_or(""));
  std::string line;
  for (unsigned i = 0; i < place.line && std::getline(stream, line); ++i) {
  }
  return line.substr(0, 1000);
}

/// Whether a line assigns to an element, "t(i) = v".
static bool isElement(const std::string &line) {
  static const std::regex form("\\)\\s*[-+*/%&|^]?=[^=]");
  return std::regex_search(line, form);
}

/// The location in the kernel of an error inside opc's headers: clang reports it after the error, g++ before it.
static Location userPlace(const std::vector<CompilerLine> &lines, size_t index, const std::string &headers) {
  auto isOurs = [&headers](const Location &place) { return place.file.compare(0, headers.size(), headers) == 0; };
  if (!isOurs(lines[index].location))
    return lines[index].location;
  for (size_t i = index; i-- > 0 && lines[i].kind == "required";)
    if (!isOurs(lines[i].location))
      return lines[i].location;
  for (size_t i = index + 1; i < lines.size() && lines[i].kind == "note"; ++i)
    if (!isOurs(lines[i].location))
      return lines[i].location;
  return lines[index].location;
}

/// The call that a message of the headers names after a keyword: OPC_CALL for a call of one version only, OPC_TYPES
/// for element types that no version has. Empty for other messages.
static std::string versionedCall(const std::string &text, const std::string &word = "OPC_CALL") {
  const std::regex form(word + " (\\w+)");
  std::smatch match;
  return std::regex_search(text, match, form) ? match[1].str() : std::string();
}

/// "CANN 8.1 has no 'Compares'"; empty for a version that has the call.
static std::string whyRefused(Cann version, const std::string &call) {
  const std::string name = "CANN " + std::string(cannName(version));
  return !hasCall(version, call)     ? name + " has no '" + call + "'"
         : !emitsCall(version, call) ? name + " compiles '" + call + "' and emits nothing"
                                     : "";
}

static std::string fixForBoth(const std::string &call) {
  const std::string_view both = callOfBoth(call);
  return both.empty() ? "" : std::string(both) + ": both versions have it";
}

void tellVersions(const std::string &messages, const std::string &headers, Diagnostics &diagnostics) {
  const std::vector<CompilerLine> lines = readLines(messages);
  std::set<std::pair<unsigned, std::string>> told;
  for (size_t i = 0; i < lines.size() && told.size() < kMostErrors; ++i) {
    const std::string call = lines[i].kind == "warning" ? versionedCall(lines[i].text) : "";
    const Location place = userPlace(lines, i, headers);
    if (call.empty() || !told.insert({place.line, call}).second)
      continue;
    for (Cann version : kCannVersions)
      if (const std::string why = whyRefused(version, call); !why.empty()) {
        diagnostics.remark(Code::E0800, place, why + ", and --cann=" + std::string(cannName(version)) + " refuses it",
                           "ascendc_c21", fixForBoth(call));
      }
  }
}

/// Whether a message is that of opc's headers about the cube. The compiler's other messages follow from it.
static bool isAboutCube(const CompilerLine &line) {
  return line.kind.find("error") != std::string::npos &&
         line.text.find("the cube is not simulated") != std::string::npos;
}

/// The undefined macro of the toolkit's build in an error: "DTYPE_X". Empty for other messages.
static std::string buildMacro(const CompilerLine &line) {
  static const std::regex missing("(?:undeclared identifier|unknown type name) '((?:ORIG_)?DTYPE_\\w+)'|"
                                  "['\xe2\x80\x98]+((?:ORIG_)?DTYPE_\\w+)['\xe2\x80\x99]+ (?:was not declared|"
                                  "does not name a type)");
  std::smatch match;
  if (line.kind.find("error") == std::string::npos || !std::regex_search(line.text, match, missing))
    return {};
  return match[1].matched ? match[1] : match[2];
}

/// Reports undefined macros of the toolkit's build in a source, each at its first use; false when there are none.
static bool tellBuildMacros(const std::vector<CompilerLine> &lines, const std::string &headers,
                            Diagnostics &diagnostics) {
  std::set<std::string> told;
  for (size_t i = 0; i < lines.size(); ++i)
    if (const std::string macro = buildMacro(lines[i]); !macro.empty() && told.insert(macro).second)
      diagnostics.error(Code::E0800, userPlace(lines, i, headers),
                        "'" + printable(macro) + "' comes from the definition of the operator, and there is none", {},
                        "--source with the folder that has op_host, --host with op_host, or --define=" +
                            printable(macro) + (macro[0] == 'O' ? "=DT_FLOAT16" : "=half"));
  return !told.empty();
}

void tellErrors(const std::string &messages, const std::string &headers, const std::string &path,
                std::optional<Cann> cann, Diagnostics &diagnostics) {
  const std::vector<CompilerLine> lines = readLines(messages);
  if (tellBuildMacros(lines, headers, diagnostics))
    return; // other messages follow from it
  const bool needsCube = std::any_of(lines.begin(), lines.end(), isAboutCube);
  std::set<std::pair<unsigned, std::string>> told;
  for (size_t i = 0; i < lines.size() && told.size() < kMostErrors; ++i) {
    if ((lines[i].kind != "error" && lines[i].kind != "fatal error") || (needsCube && !isAboutCube(lines[i])))
      continue;
    const Location place = userPlace(lines, i, headers);
    std::string text = lines[i].text;
    if (const std::string call = versionedCall(text); !call.empty() && cann) {
      if (told.insert({place.line, call}).second)
        diagnostics.error(Code::E0800, place, whyRefused(*cann, call), "ascendc_c21", fixForBoth(call));
      continue;
    }
    if (const std::string call = versionedCall(text, "OPC_TYPES"); !call.empty()) {
      const std::string who = cann ? "CANN " + std::string(cannName(*cann)) + " makes nothing of '"
                                   : "no version of CANN makes anything of '";
      if (told.insert({place.line, call}).second)
        diagnostics.error(Code::E0800, place, who + call + "' for these element types", "ascendc_c21",
                          "types that it has: " + callRows(cann.value_or(Cann::V9_1), call));
      continue;
    }
    const size_t ours = text.find("Ascend 310B has no ");
    if (ours != std::string::npos)
      text = text.substr(ours);
    std::string advice = adviceFor(text);
    // The alias by which opc's header finds the structure; projects of the toolkit include it automatically.
    if (text.find("TilingDataOfRegisterTilingDefault") != std::string::npos) {
      text = "GET_TILING_DATA expects a tiling structure, found none in the source";
      advice = "include the header that declares it, op_host/<operator>_tiling.h, or name it: "
               "REGISTER_TILING_DEFAULT(TilingData)";
    }
    if (text.find("variable-sized object may not be initialized") != std::string::npos)
      advice = "a constant length; or --cxx=g++, which takes it, as in the toolkit's build of host files";
    static const std::regex element("lvalue required as left operand|expression is not assignable|"
                                    "as .this. argument discards qualifiers");
    if (std::regex_search(text, element) && isElement(sourceLine(place)))
      advice = "t.SetValue(i, v); or --cxx=clang++, which traces assignments";
    if (text.find("no matching") != std::string::npos) {
      const std::string reason = reasonFor(lines, i);
      text += reason.empty() ? "" : ": " + reason;
      if (advice.empty() && reason.find("conflicting types") != std::string::npos)
        advice = "a scalar has the very type of the tensor's elements: float(2), half(2)";
    }
    if (advice.empty() && text.find("initializer list") != std::string::npos)
      advice = adviceFor(sourceLine(place), /*isCode=*/true);
    if (told.insert({place.line, text}).second)
      diagnostics.error(Code::E0800, place, printable(text, 600), {}, advice);
  }
  for (const CompilerLine &line : readUndefined(messages, path))
    if (told.size() < kMostErrors && told.insert({0, line.text}).second)
      diagnostics.error(Code::E0800, line.location,
                        "expects a definition of '" + printable(line.text, 600) + "', found a declaration alone", {},
                        "define it in the source, or include the file that does");
  if (!diagnostics.hasErrors())
    diagnostics.error(Code::E0800, {path}, "the compiler says: " + printable(messages, 600));
}

} // namespace opc::tool
