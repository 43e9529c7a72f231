// Where this tree and its build are, for tests that read their files. Functions, since a source file that has a path of
// its clone in itself is compiled again in the next one.

#ifndef OPC_TEST_UNIT_FOLDERS_H
#define OPC_TEST_UNIT_FOLDERS_H

#include <string>

namespace opc::test {

/// The root of the tree.
std::string sourceFolder();
/// The folder of its build.
std::string buildFolder();
/// The Python interpreter of tests.
std::string python();

} // namespace opc::test

#endif // OPC_TEST_UNIT_FOLDERS_H
