#include "runtime/target/Sensitivity.h"

using namespace opc;

std::vector<ChangedTarget> opc::changedTargets(const Target &target) {
  std::vector<ChangedTarget> changed;
  for (const Figure &figure : target.figures())
    if (figure.cost && figure.assumed())
      for (double factor : {0.5, 2.0})
        changed.push_back({figure.name, factor, target.withFigure(figure.name, figure.value * factor)});
  return changed;
}

std::vector<std::string_view> opc::decidingFigures(const Target &target,
                                                   const std::function<bool(const Target &)> &claim) {
  std::vector<std::string_view> figures;
  for (const ChangedTarget &changed : changedTargets(target))
    if ((figures.empty() || figures.back() != changed.figure) && !claim(changed.target))
      figures.push_back(changed.figure);
  return figures;
}

std::string opc::dependsText(const std::vector<std::string_view> &figures) {
  std::string text;
  for (std::string_view figure : figures)
    text += (text.empty() ? "depends on assumed " : ", ") + std::string(figure);
  return text;
}
