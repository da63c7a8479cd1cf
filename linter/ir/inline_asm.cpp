#include "ir/inline_asm.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace warplint {

namespace {

struct AsmAddress {
  unsigned operand;
  int64_t offset = 0;
};

/// The nth "[$3+16]" in a statement.
std::optional<AsmAddress> addressIn(llvm::StringRef statement, unsigned n) {
  for (size_t at = 0;; ++at) {
    at = statement.find('[', at);
    if (at == llvm::StringRef::npos)
      return std::nullopt;
    llvm::StringRef inside = statement.substr(at + 1).ltrim();
    AsmAddress address;
    if (n-- == 0) {
      if (!inside.consume_front("$") ||
          inside.consumeInteger(10, address.operand))
        return std::nullopt;
      inside = inside.ltrim();
      if (!inside.consume_front("+"))
        return address;
      // The sum of two operands is not an address that is known here.
      if (inside.ltrim().consumeInteger(0, address.offset))
        return std::nullopt;
      return address;
    }
  }
}

/// Bytes of "ld.global.v4.f32": 16.
unsigned width(llvm::StringRef mnemonic) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  mnemonic.split(parts, '.');
  unsigned vector = 1, bits = 0;
  for (llvm::StringRef part : parts) {
    if (part == "v2" || part == "v4" || part == "v8")
      part.drop_front().getAsInteger(10, vector);
    else if (part.consume_front("b") || part.consume_front("u") ||
             part.consume_front("s") || part.consume_front("f")) {
      part.consume_front("f"); // bf16
      unsigned number = 0;
      if (part.consumeInteger(10, number))
        continue;
      if (part.empty() || part == "x2") // f16x2
        bits = part.empty() ? number : 2 * number;
    }
  }
  return vector * bits / 8;
}

Space spaceOf(llvm::StringRef mnemonic) {
  return mnemonic.contains(".global")   ? Space::Global
         : mnemonic.contains(".shared") ? Space::Shared
         : mnemonic.contains(".const")  ? Space::Constant
         : mnemonic.contains(".local")  ? Space::Local
         : mnemonic.contains(".param")  ? Space::Parameter
                                        : Space::Unknown;
}

} // namespace

/// Returns true if the second statement is the first one under the opposite
/// predicate.
static bool areAlternatives(const AsmAccess &a, const AsmAccess &b) {
  return a.operation == b.operation && a.bytes == b.bytes &&
         a.operand == b.operand && a.offset == b.offset;
}

std::vector<AsmAccess> readInlineAsm(llvm::StringRef text,
                                     std::vector<std::string> &notFollowed) {
  std::vector<AsmAccess> accesses;
  llvm::SmallVector<llvm::StringRef, 4> statements;
  llvm::SplitString(text, statements, ";\n\r");
  llvm::StringRef predicate, before;
  for (llvm::StringRef statement : statements) {
    statement = statement.ltrim(" \t{");
    if (statement.empty())
      continue;
    before = predicate;
    predicate = "";
    if (statement.consume_front("@")) { // "@p ld.global..."
      predicate = statement.take_until([](char c) { return llvm::isSpace(c); });
      statement = statement.drop_front(predicate.size()).ltrim();
    }
    llvm::StringRef mnemonic =
        statement.take_until([](char c) { return llvm::isSpace(c); });
    auto kind = mnemonic.split('.').first;
    AsmAccess access;
    access.space = spaceOf(mnemonic);
    access.bytes = width(mnemonic);
    access.isVolatile = mnemonic.contains(".volatile");
    if (mnemonic.starts_with("cp.async.ca") ||
        mnemonic.starts_with("cp.async.cg")) {
      auto to = addressIn(statement, 0), from = addressIn(statement, 1);
      unsigned bytes = 0;
      llvm::StringRef size = statement.rsplit(']').second.ltrim(" ,\t");
      unsigned sizeOperand = 0;
      if (size.consume_front("$") && !size.consumeInteger(10, sizeOperand))
        access.bytesOperand = sizeOperand;
      else
        size.consumeInteger(10, bytes);
      if (!to || !from) {
        notFollowed.push_back(("inline assembly '" + mnemonic + "'").str());
        continue;
      }
      access.isAsync = true;
      // The cg form has no other size.
      access.bytes = mnemonic.starts_with("cp.async.cg") ? 16 : bytes;
      access.space = Space::Global;
      access.operand = from->operand;
      access.offset = from->offset;
      accesses.push_back(access);
      access.operation = Operation::Store;
      access.space = Space::Shared;
      access.operand = to->operand;
      access.offset = to->offset;
      accesses.push_back(access);
      continue;
    }
    if (kind == "tex" || kind == "tld4" || kind == "suld" || kind == "sust" ||
        kind == "sured") {
      access.operation = kind == "sust"    ? Operation::Store
                         : kind == "sured" ? Operation::Atomic
                                           : Operation::Load;
      access.space = Space::Texture;
      accesses.push_back(access);
      continue;
    }
    if (kind == "ld" || kind == "ldu")
      access.operation = Operation::Load;
    else if (kind == "st")
      access.operation = Operation::Store;
    else if (kind == "atom" || kind == "red")
      access.operation = Operation::Atomic;
    else {
      // An mbarrier object holds no data.
      if (statement.contains("[") && !statement.starts_with("prefetch") &&
          !statement.starts_with("mbarrier"))
        notFollowed.push_back(("inline assembly '" + mnemonic + "'").str());
      continue;
    }
    if (auto address = addressIn(statement, 0)) {
      access.operand = address->operand;
      access.offset = address->offset;
      // "@p red.global.add...; @!p red.add...": each lane executes one of the
      // two.
      if (!before.empty() && predicate == ("!" + before).str() &&
          !accesses.empty() && areAlternatives(accesses.back(), access)) {
        if (accesses.back().space != access.space)
          accesses.back().space = Space::Unknown;
        continue;
      }
      accesses.push_back(access);
    } else {
      notFollowed.push_back(("inline assembly '" + mnemonic + "'").str());
    }
  }
  return accesses;
}

} // namespace warplint
