// The rules of a contract by name. Rule NN has the label "contract_cNN" and the code OPC-E02NN; what it says stands once,
// in runtime/diagnostic/codes/contract.def, where `opc explain` and docs/reference/contract.md take it from.

#ifndef OPC_OPS_CONTRACT_RULES_H
#define OPC_OPS_CONTRACT_RULES_H

#include "runtime/diagnostic/Diagnostic.h"

#include <string>
#include <vector>

#define OPC_CONTRACT_RULES(RULE)                                                                                       \
  RULE(Size, 0201) RULE(Encoding, 0202) RULE(Syntax, 0203) RULE(OneDocument, 0204) RULE(Depth, 0205)                   \
  RULE(Anchor, 0206) RULE(Tag, 0207) RULE(KeyOnce, 0208) RULE(UnknownKey, 0209) RULE(MissingKey, 0210)                 \
  RULE(Kind, 0211) RULE(ClosedSet, 0212) RULE(Schema, 0213) RULE(OpType, 0214) RULE(Version, 0215)                     \
  RULE(Identifier, 0216) RULE(KernelName, 0217) RULE(NameOnce, 0218) RULE(Count, 0219) RULE(TypeTable, 0220)           \
  RULE(RowOnce, 0221) RULE(Formats, 0222) RULE(ShapeForm, 0223) RULE(OutputShape, 0224) RULE(TensorKeys, 0225)         \
  RULE(Reduces, 0226) RULE(Default, 0227) RULE(Range, 0228) RULE(LaunchType, 0229) RULE(DimensionName, 0230)           \
  RULE(DimensionBounds, 0231) RULE(SizeForm, 0232) RULE(Circle, 0233) RULE(ConstantSize, 0234) RULE(Boundary, 0235)    \
  RULE(ToleranceTypes, 0236) RULE(ToleranceForm, 0237) RULE(ComputeType, 0238) RULE(BodyOnce, 0239)                    \
  RULE(FilePath, 0240) RULE(FileThere, 0241) RULE(TestShape, 0242) RULE(Text, 0243)

namespace opc {

enum class ContractRule : unsigned {
#define OPC_RULE(NAME, NUMBER) NAME = static_cast<unsigned>(Code::E##NUMBER),
  OPC_CONTRACT_RULES(OPC_RULE)
#undef OPC_RULE
};

/// "contract_c9".
std::string ruleLabel(ContractRule rule);
/// All of them in the order of their numbers.
const std::vector<ContractRule> &allContractRules();

/// What a reading of one file found. Says at most 100 errors, then that there are more.
class ContractErrors {
public:
  ContractErrors(std::string path, Diagnostics &diagnostics) : path(std::move(path)), diagnostics(diagnostics) {}

  void report(ContractRule rule, Location location, std::string message, std::string fix = {});
  /// Whether this reading reported anything; earlier errors of the same Diagnostics do not count.
  bool any() const { return count != 0; }
  Location at(unsigned line, unsigned column) const { return {path, line, column}; }

private:
  std::string path;
  Diagnostics &diagnostics;
  size_t count = 0;
};

/// "did you mean 'types'?" for a near name, "one of: ..." when none is near.
std::string suggest(const std::string &found, const std::vector<std::string> &candidates);

} // namespace opc

#endif // OPC_OPS_CONTRACT_RULES_H
