// The parts of the reader: each part of a contract is read from YAML into a draft, which is then checked as a whole.
//
// A part that cannot be read is reported and leaves a hole in the draft (an empty name, no types). The checks skip
// holes, so each mistake is reported once and does not hide others. Only a draft without errors becomes a Contract.

#ifndef OPC_OPS_CONTRACT_READ_PARTS_H
#define OPC_OPS_CONTRACT_READ_PARTS_H

#include "ops/contract/Contract.h"
#include "ops/contract/read/Fields.h"

namespace opc {

/// Locations of a tensor's lists, and whether its shape could be read.
struct TensorPlaces {
  Location types, formats, required, constant, shape;
  bool hasShape = false;
};

/// A test shape as written: names of inputs and their sizes, not yet matched with the inputs.
struct DraftTestShape {
  struct Input {
    std::string name;
    Location location;
    std::vector<int64_t> shape;
  };
  std::vector<Input> inputs;
  Location location;
};

/// The `types` of a body as written, not yet matched with the rows of the type table.
struct DraftBodyTypes {
  struct Row {
    std::string name;
    Location location;
  };
  size_t body = 0; ///< of contract.bodies
  std::vector<Row> rows;
  Location location;
};

struct ContractDraft {
  Contract contract;
  std::vector<TensorPlaces> inputPlaces, outputPlaces; ///< parallel to contract.inputs and contract.outputs
  std::vector<DraftTestShape> testShapes;
  std::vector<DraftBodyTypes> bodyTypes;
  std::vector<Location> bodyLevels; ///< of the `level` of each of contract.bodies
  Location boundary, precision, dimensions, referenceAt, scheduleAt;
  bool overflowGiven = false, toleranceUnread = false, scheduleBroken = false;
  std::vector<std::string> unreadEquations; ///< symbols whose equation could not be read
};

// Reading: one function for each part, in the file of that name. A nullptr node means that the part is absent.
void readTensors(ContractErrors &errors, const YamlNode *node, bool areInputs, ContractDraft &draft);
void readAttributes(ContractErrors &errors, const YamlNode *node, ContractDraft &draft);
void readDimensions(ContractErrors &errors, const YamlNode *node, ContractDraft &draft);
void readBoundary(ContractErrors &errors, const YamlNode *node, ContractDraft &draft);
void readPrecision(ContractErrors &errors, const YamlNode *node, ContractDraft &draft);
/// 60 to 62. Expects a draft without errors, since forms name its tensors and attributes.
void readOnnx(ContractErrors &errors, const YamlNode *node, ContractDraft &draft);
void readFiles(ContractErrors &errors, const Fields &top, ContractDraft &draft);
void readTestShapes(ContractErrors &errors, const YamlNode *node, ContractDraft &draft);

/// A value of an attribute's type within its range and choices; monostate after an error, which is of rule 27.
AttributeValue readDefault(ContractErrors &errors, const YamlNode *node, const ContractAttribute &attribute);

/// A symbol, a size or a pack; nullopt after an error.
std::optional<ContractDim> readDim(ContractErrors &errors, const YamlNode &node);
/// "A[n]": a dimension that is separate for each tensor of an input with a count. Expects a bracket; false after an
/// error.
bool readEach(ContractErrors &errors, const YamlNode &node, std::string &name, std::string &each);
std::optional<ElementType> readElementType(ContractErrors &errors, const YamlNode *node, const std::string &what);

// Checking: rules about more than one part, by number.
void checkNames(ContractErrors &errors, const ContractDraft &draft);      // 18, 25
void checkConstants(ContractErrors &errors, const ContractDraft &draft);  // 25
void checkTypeTable(ContractErrors &errors, const ContractDraft &draft);  // 20, 21
void checkSizes(ContractErrors &errors, const ContractDraft &draft);      // 24, 30, 33, 34
void checkReductions(ContractErrors &errors, const ContractDraft &draft); // 26
void checkValues(ContractErrors &errors, const ContractDraft &draft);     // 48
void checkPresence(ContractErrors &errors, const ContractDraft &draft);   // 49
void checkCount(ContractErrors &errors, const ContractDraft &draft);      // 50
void checkPrecision(ContractErrors &errors, const ContractDraft &draft);  // 35 to 38
/// 47, and several packs in one shape of rule 23; puts the values of attributes into shapes. Expects a draft without
/// errors.
void checkPlaces(ContractErrors &errors, ContractDraft &draft);
/// 42, and fills contract.testShapes. Expects a draft without errors, since it binds shapes by the rules above.
void checkTestShapes(ContractErrors &errors, ContractDraft &draft);
/// 39 and 46, and fills the typeRows of contract.bodies; those of level te become one body with several texts. Expects
/// a draft without errors, since the type table gives rows their names.
void checkBodyTypes(ContractErrors &errors, ContractDraft &draft);
/// 44 and 45: reads the schedule file. Expects a draft without errors, since entries name type rows and shape keys.
/// Errors inside the file go to `diagnostics`, not to `errors`, and set scheduleBroken.
void readSchedule(ContractErrors &errors, Diagnostics &diagnostics, ContractDraft &draft);
/// 41, on the file system.
void checkFiles(ContractErrors &errors, const ContractDraft &draft);
/// Blanks the comments and strings of a body.
void blankUnread(std::string &text);
/// The values of a body, from its text without comments and strings.
ContractBodyFlow readFlow(const std::string &text);
/// Sets the axes of the bodies at level te; unreadable files have none. 46: texts of type rows have one domain.
void readBodyAxes(ContractErrors &errors, Contract &contract);

} // namespace opc

#endif // OPC_OPS_CONTRACT_READ_PARTS_H
