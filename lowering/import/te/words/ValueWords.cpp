// Messages of the parser about values, types and numbers in a te body.

#include "lowering/import/te/words/BodyWords.h"
#include "lowering/import/te/words/Phrases.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace opc {

using llvm::StringRef;

/// The words at a place where the parser expects a value.
void BodyWords::explainOperand(Diagnostic &record) const {
  std::string found = body.wordAt(record.location);
  record.message =
      "expects a value here, found " + (found.empty() ? "the end of the line" : "'" + printable(found) + "'");
  char first = found.empty() ? '\0' : found.front();
  if (llvm::isDigit(first) || first == '-')
    record.fix = "a number is a value of its own: '%c = te.constant 2.0'";
  else if (first == '(')
    record.fix = "operands have no parentheses around them";
  else if (StringRef(found).starts_with("te."))
    record.fix = "one operation to a line: give the result of '" + found + "' a name and take that";
  else if (first == '!')
    record.fix = "a value of that type, not the type";
  else if (llvm::is_contained(body.values(record.location.line), "%" + found))
    record.fix = "values begin with '%': '%" + found + "'";
  else
    record.fix = "values begin with '%'; " + kOperations.str() + " shows how each operation is written";
}

/// value_c5, reported by te or by the parser at a return, and values that are defined twice or have no name.
bool BodyWords::explainValue(Diagnostic &record) const {
  StringRef message = record.message;
  const unsigned line = record.location.line;
  if (message.contains("undeclared SSA value") || record.rule == "value_c5") {
    std::string name = record.rule.empty() ? body.wordAt(record.location) : quoted(message, message.find("found"));
    if (record.rule.empty()) {
      record.rule = "value_c5";
      record.code = Code::E0302;
      record.message = "expects a value that is defined above, found '" + printable(name) + "'";
    }
    if (unsigned below = body.definedBelow(name, line - 1))
      record.fix = below == line
                       ? "an operation cannot take its own result"
                       : "line " + std::to_string(below) + " defines it: a value is defined before it is used";
    else
      record.fix = meant(name, body.values(line));
    if (record.fix.empty())
      record.fix = body.values(line).empty() ? "'func.func " + signature + " {' defines the parameters"
                                             : "values above: " + listed(body.values(line));
    return true;
  }
  if (message.contains("redefinition of SSA value")) {
    record.message = "expects each value to be defined once, found '" + printable(quoted(message)) + "' again";
    record.fix = "give one of the two another name";
    return true;
  }
  if (message.contains("region entry argument")) {
    record.message = "expects a name for each parameter, found '" + printable(quoted(message)) + "' again";
    record.fix = "a parameter has the name of its input or attribute";
    return true;
  }
  if (message.contains("but was provided")) {
    record.message = "expects one name before '=': an operation of te has one result";
    record.fix = "one name, as in '%y = te.neg %x'";
    return true;
  }
  if (message.contains("invalid result number")) {
    record.message = "expects only the name of a value, found a number after it";
    record.fix = "an operation of te has one result: leave '#' and the number out";
    return true;
  }
  if (message.contains("expected '=' after SSA name")) {
    record.message = "expects '=' after the name of a result, found '" + printable(body.wordAt(record.location)) + "'";
    record.fix = "as in '%y = te.neg %x'";
    return true;
  }
  if (message.contains("invalid SSA name")) {
    record.message = "expects letters, digits and '_' in the name of a value";
    record.fix = "as in '%y = te.neg %x'";
    return true;
  }
  if (!message.contains("expected SSA operand"))
    return false;
  explainOperand(record);
  return true;
}

/// A name with '!' or '#' that is no alias of the first line.
void BodyWords::explainAlias(Diagnostic &record) const {
  // The parser's location is after the name.
  std::string name = quoted(record.message), line = body.lineOf(record.location);
  size_t end = std::min<size_t>(record.location.column, line.size());
  size_t start = StringRef(line).take_front(end).rfind(name);
  std::string sign = start != StringRef::npos && start > 0 ? line.substr(start - 1, 1) : "!";
  if (start != StringRef::npos && start > 0)
    record.location.column = unsigned(start);
  record.message = "there is no alias '" + printable(sign + name) + "'";
  std::vector<std::string> known;
  for (const auto &[alias, type] : aliases)
    if (alias.substr(0, 1) == sign)
      known.push_back(alias);
  if (sign == "#" && llvm::is_contained(launchAttributes, name))
    record.fix = "'" + name + "' is bound at launch: it is the parameter '%" + name + "'";
  else
    record.fix = meant(sign + name, known);
  if (record.fix.empty())
    record.fix = known.empty() ? "'#NAME' is for attributes that the contract binds when compiling"
                               : "aliases of this operator: " + llvm::join(known, ", ");
}

/// How a returned value becomes one of the result's type. Types are spelt as messageOf spells them.
static std::string fixOfType(StringRef name, StringRef asked, StringRef has) {
  // "f16 of shape [?, 1]"; a number has no shape.
  auto shapeOf = [](StringRef type) {
    size_t open = type.find(" of shape [");
    return open == StringRef::npos ? StringRef() : type.slice(open + 11, type.rfind(']'));
  };
  auto rankOf = [&](StringRef type) { return shapeOf(type).empty() ? 0 : 1 + int(shapeOf(type).count(',')); };
  if (has.ends_with(kOfEach))
    return "'te.fold' combines all into one value, as in '%all = te.fold add " + name.str() + "'";
  if (shapeOf(asked) == shapeOf(has))
    return "'te.cast' changes the type of elements";
  if (rankOf(has) == 0 || (rankOf(has) == rankOf(asked) && shapeOf(has).count('1') > shapeOf(asked).count('1')))
    return "'te.broadcast' stretches a value to the shape of another";
  if (rankOf(has) == rankOf(asked))
    return "a reduction drops its axes, or leaves them as 1 with 'keep'; if the value is right, give the output "
           "another shape in the contract";
  if (rankOf(has) > rankOf(asked))
    return "a reduction without 'keep' drops its axes; if the value is right, give the output "
           "another shape in the contract";
  return "a reduction with 'keep' leaves its axes, as 1; if the value is right, give the output "
         "another shape in the contract, as '[...S, 1]' or '[...S]'";
}

/// A value that has another type than the text says at its use.
void BodyWords::explainUse(Diagnostic &record) const {
  const std::string text = record.message;
  const StringRef message = text;
  size_t split = message.rfind(" vs ");
  size_t colon = message.take_front(split).rfind(": ");
  std::string asked = message.slice(colon + 2, split).str(), has = message.substr(split + 4).str();
  std::string name = printable(quoted(message));
  record.message = "expects a value that is " + asked + ", found '" + name + "', which is " + has;
  record.fix = StringRef(body.lineOf(record.location)).contains("return")
                   ? fixOfType(name, asked, has)
                   : "values have the types that their operation gives them: te has no types after operands";
}

/// The type that other languages call so; empty if there is none.
static std::string typeNamed(StringRef word) {
  return llvm::StringSwitch<std::string>(word.lower())
      .Cases({"float16", "half", "fp16"}, "f16")
      .Cases({"float32", "float", "fp32", "single"}, "f32")
      .Cases({"float64", "double", "fp64"}, "f64")
      .Cases({"bfloat16", "bfloat"}, "bf16")
      .Case("int8", "i8")
      .Case("int16", "i16")
      .Cases({"int32", "int"}, "i32")
      .Cases({"int64", "long"}, "i64")
      .Case("uint8", "ui8")
      .Case("uint16", "ui16")
      .Case("uint32", "ui32")
      .Case("uint64", "ui64")
      .Case("bool", "i1")
      .Default({});
}

bool BodyWords::explainType(Diagnostic &record) const {
  StringRef message = record.message;
  if (message.contains("undefined symbol alias id")) {
    explainAlias(record);
    return true;
  }
  if (message.contains("redefinition of type alias id") || message.contains("redefinition of attribute alias id")) {
    record.message =
        "expects aliases of the author's own to have other names, found '" + printable(quoted(message)) + "' again";
    record.fix = "the first line's aliases are made anew for each type row";
    return true;
  }
  if (message.contains("expects different type than prior uses")) {
    explainUse(record);
    return true;
  }
  if (message.contains("expected non-function type")) {
    const std::string name = typeNamed(body.wordAt(record.location));
    record.message = "expects a type here: a number's, as f32 or i8, or one of the aliases, as !y";
    record.fix = !name.empty() ? "did you mean '" + name + "'?" : kNumberTypes.str();
    return true;
  }
  return false;
}

bool BodyWords::explainNumber(Diagnostic &record) const {
  StringRef message = record.message;
  if (message.contains("three consecutive dots")) {
    record.message = "expects a digit before the point of a number, found none";
    record.fix = "write 0.5, not .5";
    return true;
  }
  if (message.contains("expected floating point literal")) {
    std::string found = body.wordAt(record.location);
    record.message = "expects a number here, found " + (found.empty() ? "none" : "'" + printable(found) + "'");
    record.fix = !found.empty() && found.front() == '%'
                     ? "a value is taken as it is: only numbers are constants"
                     : "as 0.5, -1.0e-3, 7, inf, nan, true, or #NAME of an attribute that is bound "
                       "when compiling";
    return true;
  }
  return false;
}

} // namespace opc
