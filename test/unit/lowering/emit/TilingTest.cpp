// The tiling function three ways: bytecode, the C++ text compiled and run, and a Python written beside it. One
// answer, for many sizes, errors included.

#include "lowering/emit/ascendc/EmitAscendC.h"
#include "lowering/emit/tiling/TilingBytecode.h"
#include "test/unit/Folders.h"
#include "test/unit/lowering/emit/EmitSample.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

using namespace opc;
namespace fs = std::filesystem;

namespace {

struct Case {
  const char *name;
  const char *body; ///< MLIR
  const char *p, *q;
  const char *python; ///< sets p and q from n and b; raises where there is no answer
};

/// A folder that is gone after the test.
struct Scratch {
  fs::path path = fs::temp_directory_path() / ("opc-tiling-" + std::to_string(getpid()));
  Scratch() { fs::create_directories(path); }
  ~Scratch() { fs::remove_all(path); }
};

} // namespace

static const Case kCases[] = {
    {"tiles",
     "%t = arith.constant 8192 : index %a = arith.ceildivsi %n, %t : index %m = arith.maxsi %a, "
     "%one : index "
     "%c = arith.ceildivsi %m, %b : index %l = arith.muli %c, %t : index",
     "%m", "%l", "m = max(-(-n // 8192), 1); p = m; q = -(-m // b) * 8192"},
    {"signs",
     "%t = arith.constant -7 : index %a = arith.subi %b, %n : index %f = arith.floordivsi %a, %t : "
     "index "
     "%r = arith.remsi %n, %t : index %s = arith.addi %f, %b : index %u = arith.maxsi %s, %r : "
     "index",
     "%r", "%u", "p = abs(n) % 7 * (1 if n >= 0 else -1); q = max((b - n) // -7 + b, p)"},
    {"choice",
     "%l = arith.cmpi sle, %n, %b : index %e = arith.cmpi ne, %n, %one : index "
     "%s = arith.select %l, %b, %n : index %t = arith.select %e, %s, %one : index %u = arith.minsi "
     "%n, %b : index",
     "%t", "%u", "s = b if n <= b else n; p = s if n != 1 else 1; q = min(n, b)"},
    {"overflow",
     "%t = arith.constant 4611686018427387904 : index %a = arith.muli %n, %t : index "
     "%d = arith.subi %n, %b : index %c = arith.ceildivsi %b, %d : index %r = arith.maxsi %c, %one "
     ": index",
     "%r", "%n", "a = n * 2**62\nif a >= 2**63: raise OverflowError\np = max(-(-b // (n - b)), 1); q = n"},
    {"narrow", "%t = arith.constant 65536 : index %a = arith.muli %n, %t : index", "%a", "%n", "p = n * 65536; q = n"},
};

static std::vector<int64_t> sizes() {
  std::vector<int64_t> values = {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 8191, 8192, 8193, 65535, 65536, 1000003};
  for (int64_t i = 0; i < 200; ++i)
    values.push_back((i * 7919 * 104729) % 1000003);
  for (int64_t large : {INT64_MAX, INT64_MAX / 2, int64_t(1) << 32, (int64_t(1) << 32) - 1})
    values.push_back(large);
  return values;
}

/// "p q" or "error", a line for each size.
static std::string byBytecode(const TilingFunction &function) {
  std::ostringstream os;
  for (int64_t n : sizes())
    for (int64_t b : {1, 3, 8}) {
      int64_t inputs[] = {n, b}, outputs[3];
      if (runTiling(function, inputs, outputs) == EvalStatus::Ok)
        os << outputs[1] << " " << outputs[2] << "\n";
      else
        os << "error\n";
    }
  return os.str();
}

static std::string output(const std::string &command, const fs::path &folder) {
  std::string file = (folder / "out.txt").string();
  int status = std::system((command + " > " + file + " 2>&1").c_str());
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_EQ(status, 0) << command << "\n" << text.str();
  return text.str();
}

static std::string sizesAsText() {
  std::string text;
  for (int64_t n : sizes())
    text += std::to_string(n) + ", ";
  return text;
}

static std::string byCpp(const std::string &header, const fs::path &folder) {
  std::ofstream(folder / "k_tiling.h") << header;
  std::ofstream(folder / "main.cpp")
      << "#include \"k_tiling.h\"\n#include <cstdio>\n#include <initializer_list>\nconst int64_t "
         "sizes[] = {"
      << sizesAsText() << "};\nint main() {\n  for (int64_t n : sizes)\n    for (int64_t b : {1, 3, 8}) {\n"
      << "      KTilingData data;\n      if (KTiling(n, b, data))\n"
      << "        std::printf(\"%lld %lld\\n\", (long long)data.p, (long long)data.q);\n"
      << "      else\n        std::puts(\"error\");\n    }\n}\n";
  std::string program = (folder / "main").string();
  output(std::string(OPC_CXX) + " -std=c++17 -Wall -Wextra -Werror -o " + program + " " +
             (folder / "main.cpp").string(),
         folder);
  return output(program, folder);
}

static std::string byPython(const Case &tested, const fs::path &folder) {
  std::string body = tested.python;
  for (size_t at = 0; (at = body.find('\n', at)) != std::string::npos; at += 5)
    body.replace(at, 1, "\n   ");
  std::ofstream(folder / "main.py")
      << "for n in [" << sizesAsText() << "]:\n for b in [1, 3, 8]:\n  try:\n   " << body
      << "\n   if not (0 <= p < 2**32 and 0 <= q < 2**63): raise OverflowError\n"
      << "   print(p, q)\n  except (OverflowError, ZeroDivisionError):\n   print('error')\n";
  return output(test::python() + " " + (folder / "main.py").string(), folder);
}

// The runtime runs the bytecode, the board the C++: a difference would tile one launch in two ways.
TEST(EmitTiling, BytecodeCppAndPythonAgree) {
  Scratch scratch;
  for (const Case &tested : kCases) {
    SCOPED_TRACE(tested.name);
    auto context = emitContext();
    auto module = parseSample(*context, tilingSample(tested.body, tested.p, tested.q));
    ASSERT_TRUE(module);
    auto interface = readKernelInterface(module->lookupSymbol<mlir::func::FuncOp>("k"));
    ASSERT_TRUE(mlir::succeeded(interface));
    auto function = emitTilingBytecode(*interface);
    ASSERT_TRUE(mlir::succeeded(function));
    auto emitted = buildAscendC(*module, {"k", {{"k", 0}}});
    ASSERT_TRUE(mlir::succeeded(emitted));
    auto text = printAscendC(**emitted, "k");
    ASSERT_TRUE(mlir::succeeded(text));
    std::string expected = byPython(tested, scratch.path);
    EXPECT_EQ(byBytecode(*function), expected);
    EXPECT_EQ(byCpp(text->tilingHeader, scratch.path), expected);
  }
}
