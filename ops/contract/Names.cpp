// Checks names against words that generated code cannot use: the reserved words of the languages that the
// compiler prints, and the functions that <math.h>, <stdlib.h>, <stdio.h>, <string.h>, <ctype.h>, <time.h> and
// <unistd.h> declare.

#include "ops/contract/Names.h"

#include "ops/contract/Contract.h"
#include "runtime/target/toolkit/DeviceMacros.h"

#include <unordered_set>

namespace opc {

using Words = std::unordered_set<std::string_view>;

static constexpr size_t kMaxName = 48;
static constexpr size_t kMaxPath = 255;

static const Words &cppWords() {
  static const Words words = {
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
      "char8_t", "char16_t", "char32_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
      "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
      "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if",
      "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or",
      "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires", "restrict", "return",
      "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch", "template", "this",
      "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using",
      "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
      // Macros that are defined in every host build.
      "assert", "errno", "stdin", "stdout", "stderr", "NULL", "EOF", "INFINITY", "NAN", "HUGE_VAL", "M_PI", "M_E",
      "INT_MAX", "INT_MIN", "offsetof", "linux", "unix"};
  return words;
}

static const Words &pythonWords() {
  static const Words words = {"False", "None", "True",   "and",      "as",   "assert",  "async", "await",  "class",
                              "def",   "del",  "elif",   "except",   "exec", "finally", "from",  "global", "import",
                              "in",    "is",   "lambda", "nonlocal", "pass", "print",   "raise", "with",   "yield"};
  return words;
}

static const Words &kernelWords() {
  static const Words words = {"half",    "bfloat16_t", "float16_t", "int4b_t",  "int8_t",      "int16_t",  "int32_t",
                              "int64_t", "uint8_t",    "uint16_t",  "uint32_t", "uint64_t",    "size_t",   "workspace",
                              "tiling",  "block_num",  "GM_ADDR",   "AscendC",  "kernel_name", "impl_mode"};
  return words;
}

/// Without the variants that end in f and l, which isMathFunction adds.
static const Words &mathFunctions() {
  static const Words words = {
      "acos",     "acosh",     "asin",      "asinh",       "atan",  "atan2",     "atanh",  "cbrt",   "ceil",
      "copysign", "cos",       "cosh",      "drem",        "erf",   "erfc",      "exp",    "exp10",  "exp2",
      "expm1",    "fabs",      "fdim",      "finite",      "floor", "fma",       "fmax",   "fmin",   "fmod",
      "frexp",    "gamma",     "hypot",     "ilogb",       "isinf", "isnan",     "ldexp",  "lgamma", "llrint",
      "llround",  "log",       "log10",     "log1p",       "log2",  "logb",      "lrint",  "lround", "modf",
      "nan",      "nearbyint", "nextafter", "nexttoward",  "pow",   "remainder", "remquo", "rint",   "round",
      "scalb",    "scalbln",   "scalbn",    "significand", "sin",   "sincos",    "sinh",   "sqrt",   "tan",
      "tanh",     "tgamma",    "trunc",     "j0",          "j1",    "jn",        "y0",     "y1",     "yn"};
  return words;
}

static const Words &libraryFunctions() {
  static const Words words = {
      "abort",    "abs",       "accept",   "access",  "alarm",   "atexit",   "atof",    "atoi",     "atol",
      "bcmp",     "bcopy",     "bind",     "brk",     "bsearch", "bzero",    "calloc",  "chdir",    "chmod",
      "clearerr", "clock",     "close",    "connect", "creat",   "ctime",    "div",     "dup",      "encrypt",
      "exit",     "fclose",    "feof",     "ferror",  "fflush",  "ffs",      "fgetc",   "fgets",    "fopen",
      "fork",     "fprintf",   "fputc",    "fputs",   "fread",   "free",     "fscanf",  "fseek",    "ftell",
      "ftime",    "fwrite",    "getc",     "getchar", "getenv",  "gets",     "gmtime",  "index",    "ioctl",
      "isalnum",  "isalpha",   "isascii",  "iscntrl", "isdigit", "isgraph",  "islower", "isprint",  "ispunct",
      "isspace",  "isupper",   "isxdigit", "kill",    "labs",    "ldiv",     "link",    "listen",   "llabs",
      "lldiv",    "localtime", "longjmp",  "lseek",   "main",    "malloc",   "memchr",  "memcmp",   "memcpy",
      "memmove",  "memset",    "mkdir",    "mktime",  "nice",    "open",     "pause",   "perror",   "pipe",
      "poll",     "printf",    "putc",     "putchar", "putenv",  "puts",     "qsort",   "raise",    "rand",
      "random",   "read",      "realloc",  "recv",    "remove",  "rename",   "rewind",  "rindex",   "rmdir",
      "sbrk",     "scanf",     "select",   "send",    "setjmp",  "shutdown", "signal",  "sleep",    "snprintf",
      "socket",   "sprintf",   "srand",    "srandom", "sscanf",  "stat",     "strcat",  "strchr",   "strcmp",
      "strcpy",   "strcspn",   "strdup",   "strlen",  "strncat", "strncmp",  "strncpy", "strpbrk",  "strrchr",
      "strspn",   "strstr",    "strtod",   "strtok",  "strtol",  "swab",     "symlink", "sync",     "syscall",
      "system",   "time",      "times",    "tmpfile", "toascii", "tolower",  "toupper", "truncate", "tzset",
      "umask",    "ungetc",    "unlink",   "vfork",   "wait",    "write"};
  return words;
}

static bool isLower(char c) {
  return c >= 'a' && c <= 'z';
}
static bool isUpper(char c) {
  return c >= 'A' && c <= 'Z';
}
static bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Checks the characters: letters, digits and single '_', no '_' at the end.
static std::string checkForm(std::string_view name, size_t maximum) {
  if (name.empty())
    return "is empty";
  if (name.size() > maximum)
    return "has more than " + std::to_string(maximum) + " characters";
  for (char c : name)
    if (!isLower(c) && !isUpper(c) && !isDigit(c) && c != '_')
      return "has characters other than letters, digits and '_'";
  if (!isLower(name.front()) && !isUpper(name.front()))
    return "does not start with a letter";
  if (name.back() == '_')
    return "ends in '_'";
  if (name.find("__") != std::string_view::npos)
    return "has two '_' in a row";
  return {};
}

static std::string checkWords(std::string_view name) {
  if (cppWords().count(name))
    return "is a word of C or C++";
  if (pythonWords().count(name))
    return "is a word of Python";
  if (kernelWords().count(name))
    return "is a word of every kernel's frame";
  if (isBuildMacro(name))
    return "starts as a macro that the toolchain makes of a tensor's name";
  return {};
}

std::string checkIdentifier(std::string_view name) {
  std::string wrong = checkForm(name, kMaxName);
  return wrong.empty() ? checkWords(name) : wrong;
}

std::string checkOpType(std::string_view name) {
  if (name.empty())
    return "is empty";
  if (name.size() > kMaxName)
    return "has more than 48 characters";
  if (!isUpper(name.front()))
    return "does not start with an upper-case letter";
  for (char c : name)
    if (!isLower(c) && !isUpper(c) && !isDigit(c))
      return "has characters other than letters and digits";
  return {};
}

/// Whether a name is a math function, including the variants "sinf" and "sinl".
static bool isMathFunction(std::string_view name) {
  if (mathFunctions().count(name))
    return true;
  bool suffixed = name.size() > 1 && (name.back() == 'f' || name.back() == 'l');
  return suffixed && mathFunctions().count(name.substr(0, name.size() - 1));
}

std::string checkKernelName(std::string_view name) {
  // snakeCase adds up to one '_' for each letter of a type.
  std::string wrong = checkForm(name, 2 * kMaxName);
  if (wrong.empty())
    wrong = checkWords(name);
  if (!wrong.empty())
    return wrong;
  for (char c : name)
    if (isUpper(c))
      return "has upper-case letters";
  if (isMathFunction(name) || libraryFunctions().count(name))
    return "is a function of the C library";
  if (isDeviceMacro(name))
    return "is a macro of the device compiler's headers";
  return {};
}

std::string checkRelativePath(std::string_view path) {
  if (path.empty())
    return "is empty";
  if (path.size() > kMaxPath)
    return "has more than 255 bytes";
  if (path.front() == '/')
    return "is absolute";
  for (char c : path)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\' || c == ':')
      return "has a '\\', a ':' or a control character";
  while (true) {
    size_t slash = path.find('/');
    std::string_view part = path.substr(0, slash);
    if (part == "..")
      return "leads out of the folder by '..'";
    if (part.empty() || part == ".")
      return "has an empty part";
    if (slash == std::string_view::npos)
      return {};
    path.remove_prefix(slash + 1);
  }
}

std::string snakeCase(std::string_view upperCamel) {
  std::string result;
  for (char c : upperCamel) {
    if (isUpper(c) && !result.empty())
      result += '_';
    result += isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

} // namespace opc
