// Statements of a te body on which no returned value depends.
//
//   %m = te.reduce_max %x axes [N]    unused: it reduces N, and no result does
//   %y = te.relu %x
//   return %y : !y
//
// They decide nothing. Those that name dimensions (`axes`, `along`), and what reads them, are left out of the text
// before anything is read from it: the loops of a contract follow from what is left. The others are parsed and checked
// like any statement, and removed later.

#ifndef OPC_OPS_CONTRACT_READ_UNUSEDSTATEMENTS_H
#define OPC_OPS_CONTRACT_READ_UNUSEDSTATEMENTS_H

#include <string>
#include <vector>

namespace opc {

struct UnusedStatement {
  std::string value; ///< that it defines, without '%'
  size_t begin, end; ///< its text
  bool shapesLoops;  ///< it names dimensions, or reads a value of an unused statement that does
};

/// The unused statements of a body, in the order of its text. None of a function whose names are not all defined, each
/// once and before they are read.
std::vector<UnusedStatement> unusedStatements(std::string text);

/// Replaces the statements that name dimensions by blanks, so that all others keep their lines and columns.
void leaveOut(const std::vector<UnusedStatement> &unused, std::string &text);

} // namespace opc

#endif // OPC_OPS_CONTRACT_READ_UNUSEDSTATEMENTS_H
