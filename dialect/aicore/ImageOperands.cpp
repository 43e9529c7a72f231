// The operands of an image, in their order: two sizes, four pads, and two of filter, strides and dilations.

#include "dialect/aicore/ImageOperands.h"

#include <utility>

using namespace mlir;
using namespace opc::aicore;

/// The words of an image, and the number of operands after each.
static constexpr std::pair<llvm::StringLiteral, unsigned> kWords[] = {
    {"image", 2}, {"pads", 4}, {"filter", 2}, {"strides", 2}, {"dilations", 2}};

ImageOperands::ImageOperands(ValueRange image)
    : height(image[0]), width(image[1]), top(image[2]), bottom(image[3]), left(image[4]), right(image[5]),
      filterHeight(image[6]), filterWidth(image[7]), strideHeight(image[8]), strideWidth(image[9]),
      dilationHeight(image[10]), dilationWidth(image[11]) {
}

ParseResult opc::aicore::parseImage(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &image) {
  for (auto [word, number] : kWords) {
    if (parser.parseKeyword(word) || parser.parseLSquare())
      return failure();
    for (unsigned i = 0; i < number; ++i)
      if ((i != 0 && parser.parseComma()) || parser.parseOperand(image.emplace_back()))
        return failure();
    if (parser.parseRSquare())
      return failure();
  }
  return success();
}

void opc::aicore::printImage(OpAsmPrinter &printer, Operation *, OperandRange image) {
  // An op that does not verify is printed, too.
  if (image.size() != ImageOperands::kNumber)
    return printer.printOperands(image);
  unsigned first = 0;
  for (auto [word, number] : kWords) {
    printer << (first == 0 ? "" : " ") << word << " [" << image.slice(first, number) << "]";
    first += number;
  }
}
