#include "machine/register_uses.h"
#include "machine/opcode_results.h"
#include "machine/operand_widths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace warplint {
namespace {

/// A register in the text of an operand.
struct Named {
  RegisterFile file = RegisterFile::General;
  unsigned number = 0;
  StringRef suffix; ///< "64" of "R2.64"
  StringRef before; ///< the operand's text before it
};

std::optional<Named> registerNamed(StringRef word) {
  Named named;
  const bool isUniform = word.consume_front("U");
  const bool isPredicate = word.consume_front("P");
  if ((!isPredicate && !word.consume_front("R")) ||
      word.getAsInteger(10, named.number))
    return std::nullopt;
  named.file = isPredicate ? isUniform ? RegisterFile::UniformPredicate
                                       : RegisterFile::Predicate
               : isUniform ? RegisterFile::Uniform
                           : RegisterFile::General;
  return named;
}

std::vector<Named> registersIn(StringRef operand) {
  const auto isPart = [](char c) { return isAlnum(c) || c == '_' || c == '$'; };
  std::vector<Named> found;
  // A label or a comment may contain anything.
  if (operand.starts_with("`") || operand.starts_with("("))
    return found;
  for (size_t at = 0; at < operand.size();) {
    if (!isPart(operand[at])) {
      ++at;
      continue;
    }
    const StringRef word = operand.substr(at).take_while(isPart);
    auto named = registerNamed(word);
    const size_t end = at + word.size();
    if (named) {
      StringRef rest = operand.substr(end);
      if (rest.consume_front("."))
        named->suffix = rest.take_while(isPart);
      named->before = operand.take_front(at);
      found.push_back(*named);
      at = end;
      continue;
    }
    // The text behind a point belongs to the word: "SR_TID.X".
    at = end;
  }
  return found;
}

bool isPredicate(StringRef operand) {
  operand = operand.ltrim("!");
  operand.consume_front("U");
  return operand == "PT" ||
         (operand.size() == 2 && operand[0] == 'P' && isDigit(operand[1]));
}

/// The bits of the type that a suffix names.
std::optional<unsigned> bitsOf(StringRef suffix) {
  return StringSwitch<std::optional<unsigned>>(suffix)
      .Cases({"U8", "S8"}, 8)
      .Cases({"U16", "S16", "F16", "BF16"}, 16)
      .Cases({"U32", "S32", "F32"}, 32)
      .Cases({"U64", "S64", "F64"}, 64)
      .Default(std::nullopt);
}

unsigned registersOf(unsigned bits) { return std::max(1u, bits / 32); }

class UseReader {
public:
  explicit UseReader(const MachineText &text)
      : text_(text), operands_(text.operandList()), name_(text.mnemonic()) {}

  std::optional<RegisterUses> read() {
    const OpcodeResults results = resultsOf(name_);
    if (results == OpcodeResults::Unknown)
      return std::nullopt;
    for (const Named &named : registersIn(text_.guard))
      uses_.read.add(named.file, named.number);
    readPredicateMask();
    const std::vector<bool> isResult = findResults(results);
    for (size_t i = 0; i < operands_.size(); ++i)
      for (const Named &named : registersIn(operands_[i])) {
        const bool isPlain = !operands_[i].contains('[');
        const unsigned words =
            named.file == RegisterFile::Predicate ||
                    named.file == RegisterFile::UniformPredicate
                ? 1
            : isPlain ? wordsOf(i, isResult[i], named)
                      : addressWords(i, named);
        for (unsigned word = 0; word < words; ++word)
          (isResult[i] && isPlain ? uses_.written : uses_.read)
              .add(named.file, named.number + word);
      }
    return uses_;
  }

private:
  std::vector<bool> findResults(OpcodeResults results) const {
    std::vector<bool> isResult(operands_.size());
    size_t next = 0;
    const auto take = [&](auto isTaken) {
      if (next < operands_.size() && isTaken(operands_[next]))
        isResult[next++] = true;
    };
    switch (results) {
    case OpcodeResults::Predicates:
      take(isPredicate);
      take(isPredicate);
      break;
    case OpcodeResults::Predicate:
      take(isPredicate);
      break;
    case OpcodeResults::Register: {
      if (isTexture()) {
        isResult[0] = isResult[1] = true;
        break;
      }
      const bool hasPredicate =
          !operands_.empty() && isPredicate(operands_.front());
      take(isPredicate);
      // VOTE P0, P1 has no register.
      const bool isVote = name_ == "VOTE" || name_ == "VOTEU";
      if (hasPredicate && isVote)
        break;
      take([](StringRef operand) { return !isPredicate(operand); });
      if (name_ == "SEL" || name_ == "USEL")
        break;
      take(isPredicate);
      if (!isVote)
        take(isPredicate);
      break;
    }
    default:
      break;
    }
    return isResult;
  }

  bool isTexture() const {
    return operands_.size() > 2 &&
           is_contained({"TEX", "TLD", "TLD4", "TXD"}, name_);
  }

  /// `P2R R2, PR, RZ, 0x7f` reads the predicates of its mask, `R2P PR, R2,
  /// 0x7f` writes them; UP2UR and UR2UP those of the warp.
  void readPredicateMask() {
    const bool isUniform = name_ == "UP2UR" || name_ == "UR2UP";
    const bool isRead = name_ == "P2R" || name_ == "UP2UR";
    unsigned mask = 0;
    if ((!isUniform && name_ != "P2R" && name_ != "R2P") || operands_.empty() ||
        operands_.back().getAsInteger(0, mask))
      return;
    const RegisterFile file =
        isUniform ? RegisterFile::UniformPredicate : RegisterFile::Predicate;
    for (unsigned number = 0; number < 7; ++number)
      if (mask >> number & 1)
        (isRead ? uses_.read : uses_.written).add(file, number);
  }

  /// The registers that make an address, a descriptor or an index.
  unsigned addressWords(size_t operand, const Named &named) const {
    if (named.before.ends_with("gdesc["))
      return 4;
    if (named.before.ends_with("desc[") || named.before.ends_with("cx[") ||
        named.suffix == "64")
      return 2;
    if (name_.starts_with("SU"))
      return coordinatesOf(text_);
    if (name_.starts_with("UTMA") || name_.starts_with("UBLK"))
      return bulkWords(text_, operand == 0);
    // LDGSTS writes shared memory. An extended address has 64 bits, be it said
    // at the register or not, unless lanes add 32 bits to a uniform base.
    const bool isShared = name_ == "LDGSTS" && operand == 0;
    return text_.hasSuffix("E") && !isShared && named.suffix != "U32" ? 2 : 1;
  }

  unsigned wordsOf(size_t operand, bool isResult, const Named &named) const {
    if (name_.contains("MMA"))
      return matrixWords(text_, operand);
    if (isTexture() && named.file == RegisterFile::General)
      return textureWords(text_, operand);
    if (isTexture())
      return 2;
    StringRef name = name_;
    const bool isGeneral = named.file == RegisterFile::General;
    if (!isGeneral)
      name.consume_front("U");
    if (is_contained({"DADD", "DMUL", "DFMA", "DMNMX", "DSETP", "FADD2",
                      "FMUL2", "FFMA2"},
                     name))
      return 2;
    if (is_contained({"LD", "LDG", "LDS", "LDL", "LDC", "LDCU"}, name))
      return isResult ? memoryWords() : 1;
    if (is_contained({"ST", "STG", "STS", "STL"}, name))
      return memoryWords();
    if (name.starts_with("ATOM") || name.starts_with("RED"))
      return name.starts_with("REDUX") ? 1 : memoryWords();
    if (name == "IMAD" && text_.hasSuffix("WIDE"))
      return isResult || isAddend(operand) ? 2 : 1;
    if (name == "IMAD" && text_.hasSuffix("HI"))
      return isAddend(operand) ? 2 : 1;
    if (is_contained({"F2F", "F2I", "I2F", "FRND"}, name))
      return convertedWords(name, isResult);
    if (name == "CS2R" || name == "CS2UR")
      return text_.hasSuffix("32") ? 1 : 2;
    if (is_contained({"LDSM", "STSM", "MOVM"}, name))
      return isResult || name == "STSM" ? matricesMoved() : 1;
    if (name == "MATCH")
      return isResult ? 1 : memoryWords();
    if ((name == "SULD" && isResult) || name == "SUST")
      return isGeneral ? memoryWords() : 1;
    if (name == "SYNCS")
      return isResult || text_.hasSuffix("EXCH") ? memoryWords() : 1;
    if (is_contained({"MOV", "SEL", "IADD", "IADD3", "ISETP", "VIMNMX"}, name))
      return memoryWords();
    if (is_contained(
            {"RET", "BRX", "JMX", "CALL", "JMP", "LEPC", "BRXU", "JMXU"}, name))
      return 2;
    return 1;
  }

  /// In `IMAD.WIDE R2, P0, R4, 0x4, R6, P1`: the third factor or addend.
  bool isAddend(size_t operand) const {
    unsigned before = 0;
    for (size_t i = 0; i < operand; ++i)
      before += !isPredicate(operands_[i]);
    return before == 3;
  }

  /// "LDSM.16.M88.4": a register for each.
  unsigned matricesMoved() const {
    if (text_.hasSuffix("U4TO8"))
      return 2;
    return text_.hasSuffix("4") ? 4 : text_.hasSuffix("2") ? 2 : 1;
  }

  /// By the suffix of what a load, store or 64-bit addition moves.
  unsigned memoryWords() const {
    for (StringRef suffix : {"64", "U64", "S64", "F64", "TRANS64"})
      if (text_.hasSuffix(suffix))
        return 2;
    return text_.hasSuffix("256") ? 8 : text_.hasSuffix("128") ? 4 : 1;
  }

  /// `F2F.F64.F32 R2, R4`: the result's type stands first. Without a type, 32
  /// bits.
  unsigned convertedWords(StringRef name, bool isResult) const {
    SmallVector<StringRef> suffixes;
    text_.opcode.split(suffixes, '.');
    SmallVector<unsigned> bits;
    SmallVector<bool> isFloat;
    for (StringRef suffix : drop_begin(suffixes))
      if (auto found = bitsOf(suffix)) {
        bits.push_back(*found);
        isFloat.push_back(suffix.contains('F'));
      }
    if (bits.empty())
      return 1;
    if (name == "FRND" || bits.size() >= 2)
      return registersOf(isResult ? bits.front() : bits.back());
    // F2I has an integer for its result, I2F for its source.
    const bool isOfResult =
        name == "F2F" || (name == "F2I" ? !isFloat[0] : isFloat[0]);
    return isOfResult == isResult ? registersOf(bits.front()) : 1;
  }

  const MachineText &text_;
  std::vector<StringRef> operands_;
  StringRef name_;
  RegisterUses uses_;
};

} // namespace

unsigned RegisterSet::count(RegisterFile file) const {
  return numbers(file).size();
}

std::vector<unsigned> RegisterSet::numbers(RegisterFile file) const {
  std::vector<unsigned> found;
  for (unsigned number = 0; number < sizeOf(file); ++number)
    if (slots_.test(firstOf(file) + number))
      found.push_back(number);
  return found;
}

std::optional<RegisterUses> usesOf(const MachineText &instruction) {
  return UseReader(instruction).read();
}

} // namespace warplint
