#include "runtime/program/TargetFigures.h"

#include "runtime/program/format/JsonReader.h"
#include "runtime/program/format/JsonText.h"

#include <algorithm>
#include <cmath>

namespace opc {

/// The largest plausible value, in cycles or in bytes per cycle.
static constexpr double kLargestFigure = 1e9;

std::string writeTargetFigures(const TargetFigures &figures) {
  JsonReader::Json list = JsonReader::Json::array();
  for (const TargetFigure &figure : figures.figures)
    list.push_back({{"name", figure.name}, {"value", figure.value}, {"standard_error", figure.standardError}});
  const JsonReader::Json file = {{"schema_version", 1}, {"target", figures.target}, {"figures", std::move(list)}};
  return writeJson(file, 2) + "\n";
}

namespace {
class Reader : public JsonReader {
public:
  bool read(const std::string &text, TargetFigures &figures) {
    Json json;
    int64_t version = 0;
    return parse(text, json) && object(json, "", {"schema_version", "target", "figures"}) &&
           integer(json["schema_version"], "schema_version", version) &&
           (version == 1 || fail("schema_version", "expects 1")) &&
           JsonReader::text(json["target"], "target", figures.target) && chip(figures.target) &&
           list(json["figures"], "figures", figures.figures,
                [&](const Json &entry, const JsonPlace &where, TargetFigure &figure) {
                  return one(entry, where, figure);
                }) &&
           once(figures);
  }

private:
  bool chip(const std::string &name) {
    target = findTarget(name);
    return (target && target->name() == name) ||
           fail("target", "expects a chip that 'opc target list' names, found " + inQuotes(name));
  }
  bool one(const Json &json, const JsonPlace &where, TargetFigure &figure) {
    if (!object(json, where, {"name", "value"}, {"standard_error"}) ||
        !JsonReader::text(json["name"], where + ".name", figure.name) ||
        !real(json["value"], where + ".value", figure.value))
      return false;
    std::vector<std::string> names;
    for (const Figure &known : target->figures())
      if (known.cost)
        names.emplace_back(known.name);
    if (std::find(names.begin(), names.end(), figure.name) == names.end()) {
      const std::string near = nearestName(figure.name, names);
      return fail(where + ".name", "expects a figure of the cost model, found " + inQuotes(figure.name) +
                                       (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    if (!(figure.value > 0) || figure.value > kLargestFigure)
      return fail(where + ".value", "expects a number above 0 and up to 1e9");
    if (!json.contains("standard_error"))
      return true;
    return real(json["standard_error"], where + ".standard_error", figure.standardError) &&
           (figure.standardError >= 0 || fail(where + ".standard_error", "expects 0 or more"));
  }
  bool once(const TargetFigures &figures) {
    for (size_t i = 0; i < figures.figures.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (figures.figures[i].name == figures.figures[j].name)
          return fail("figures", "names " + inQuotes(figures.figures[i].name) + " twice");
    return true;
  }
  const Target *target = nullptr;
};
} // namespace

std::string readTargetFigures(const std::string &text, TargetFigures &figures) {
  figures = TargetFigures();
  Reader reader;
  reader.read(text, figures);
  return reader.problem;
}

Target withFigures(const Target &target, const TargetFigures &figures) {
  Target changed = target;
  for (const TargetFigure &figure : figures.figures)
    changed = changed.withFigure(figure.name, figure.value);
  return changed;
}

} // namespace opc
