#include "ir/inline_asm.h"
#include "llvm/ADT/STLExtras.h"
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

} // namespace

/// Returns true for an access that no compiler leaves out or merges: another
/// thread may wait for it.
static bool isMadeAsWritten(llvm::StringRef mnemonic) {
  constexpr llvm::StringLiteral ways[] = {".volatile", ".relaxed", ".acquire",
                                          ".release",  ".acq_rel", ".mmio"};
  return llvm::any_of(
      ways, [&](llvm::StringRef way) { return mnemonic.contains(way); });
}

unsigned bytesOf(llvm::StringRef mnemonic) {
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

unsigned lanesOfMatrix(llvm::StringRef opcode) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  opcode.split(parts, '.');
  unsigned matrices = 0, rows = 0;
  for (llvm::StringRef part : parts) {
    if (part == "m8n8" || part == "m16n8")
      rows = 8; // one of m16n8 is stored transposed
    else if (part == "m16n16")
      rows = 16;
    else if (part == "b8x16") // 6 or 4 bits, in a format of its own
      return 0;
    else if (part == "x1" || part == "x2" || part == "x4")
      part.drop_front().getAsInteger(10, matrices);
  }
  return rows * matrices <= 32 ? rows * matrices : 0;
}

Operation operationOfMultimem(llvm::StringRef opcode) {
  return opcode.starts_with("multimem.st")    ? Operation::Store
         : opcode.starts_with("multimem.red") ? Operation::Atomic
                                              : Operation::Load;
}

namespace {

Space spaceOf(llvm::StringRef mnemonic) {
  return mnemonic.contains(".global")   ? Space::Global
         : mnemonic.contains(".shared") ? Space::Shared
         : mnemonic.contains(".const")  ? Space::Constant
         : mnemonic.contains(".local")  ? Space::Local
         : mnemonic.contains(".param")  ? Space::Parameter
                                        : Space::Unknown;
}

/// "shared::cluster" to "global" of "cp.async.bulk.shared::cluster.global...".
struct BulkSpaces {
  Space to = Space::Unknown, from = Space::Unknown;
};

BulkSpaces spacesOfBulk(llvm::StringRef opcode) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  opcode.split(parts, '.');
  llvm::SmallVector<Space, 2> spaces;
  for (llvm::StringRef part : parts)
    if (part == "global" || part.starts_with("shared"))
      spaces.push_back(part == "global" ? Space::Global : Space::Shared);
  return spaces.size() == 2 ? BulkSpaces{spaces[0], spaces[1]} : BulkSpaces{};
}

/// Adds the load and the store of an asynchronous copy, "cp.async... [to],
/// [from], size". Returns false if an address is not an operand.
bool addCopy(llvm::StringRef statement, AsmAccess access, BulkSpaces spaces,
             unsigned bytes, std::vector<AsmAccess> &accesses) {
  auto to = addressIn(statement, 0), from = addressIn(statement, 1);
  if (!to || !from)
    return false;
  size_t end = statement.find(']', statement.find(']') + 1);
  llvm::StringRef size = statement.substr(end).ltrim("] ,\t");
  unsigned operand = 0;
  access.bytes = bytes;
  if (!bytes && size.consume_front("$") && !size.consumeInteger(10, operand))
    access.bytesOperand = operand;
  else if (!bytes)
    size.consumeInteger(10, access.bytes);
  access.isAsync = true;
  access.space = spaces.from;
  access.operand = from->operand;
  access.offset = from->offset;
  accesses.push_back(access);
  access.operation = Operation::Store;
  access.space = spaces.to;
  access.operand = to->operand;
  access.offset = to->offset;
  accesses.push_back(access);
  return true;
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
    access.bytes = bytesOf(mnemonic);
    access.isVolatile = isMadeAsWritten(mnemonic);
    const bool isGroup = mnemonic.starts_with("cp.async.cg");
    const BulkSpaces bulk =
        mnemonic.starts_with("cp.async.bulk.") && !mnemonic.contains(".tensor")
            ? spacesOfBulk(mnemonic)
            : BulkSpaces{};
    if (mnemonic.starts_with("cp.async.ca") || isGroup ||
        bulk.to != Space::Unknown) {
      // The cg form has no other size than 16.
      if (!addCopy(statement, access,
                   bulk.to != Space::Unknown
                       ? bulk
                       : BulkSpaces{Space::Shared, Space::Global},
                   isGroup ? 16 : 0, accesses))
        notFollowed.push_back(("inline assembly '" + mnemonic + "'").str());
      continue;
    }
    // Warms the cache; nothing arrives.
    if (mnemonic.starts_with("cp.async.bulk.prefetch"))
      continue;
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
    else if (kind == "multimem") {
      access.operation = operationOfMultimem(mnemonic);
      access.space = Space::Global;
    } else if ((kind == "ldmatrix" || kind == "stmatrix") &&
               lanesOfMatrix(mnemonic)) {
      access.operation =
          kind == "ldmatrix" ? Operation::Load : Operation::Store;
      access.space = Space::Shared;
      access.bytes = matrixRowBytes;
      access.lanes = lanesOfMatrix(mnemonic);
    } else {
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
