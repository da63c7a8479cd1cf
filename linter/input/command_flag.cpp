#include "input/command_flag.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

namespace warplint {

namespace {

enum class Takes { None, One, List, Maybe };

struct KnownFlag {
  llvm::StringLiteral longName, shortName;
  Takes takes;
};

constexpr KnownFlag flags[] = {
#define KEEP(LONG, SHORT, VALUE, CLANG) {LONG, SHORT, Takes::VALUE},
#define DEFINE(LONG, SHORT, MACRO) {LONG, SHORT, Takes::None},
#define READ(LONG, SHORT, VALUE, READER) {LONG, SHORT, Takes::VALUE},
#define DROP(LONG, SHORT, VALUE) {LONG, SHORT, Takes::VALUE},
#include "input/nvcc_flags.def"
};

const KnownFlag *flagNamed(llvm::StringRef name) {
  for (const KnownFlag &flag : flags)
    if (!name.empty() && (flag.longName == name || flag.shortName == name))
      return &flag;
  return nullptr;
}

/// A flag of one letter whose value may follow in the same word: -Iinclude, -O3.
bool isJoined(llvm::StringRef word) {
  static constexpr llvm::StringLiteral letters = "IDULlOxmo";
  return word.size() > 2 &&
         (letters.contains(word[1]) ||
          (word[1] == 't' && llvm::isDigit(word[2])));
}

/// Flags that only the host compiler knows and whose value is the next word.
bool isHostFlagWithValue(llvm::StringRef name) {
  return llvm::is_contained({"iquote", "idirafter", "imacros", "isysroot"},
                            name);
}

} // namespace

CommandFlag readFlag(llvm::ArrayRef<std::string> words) {
  const llvm::StringRef word = words.front();
  CommandFlag flag;
  if (!word.starts_with("-"))
    return flag;
  const bool isLong = word.starts_with("--");
  std::tie(flag.name, flag.value) = word.drop_front(isLong ? 2 : 1).split('=');
  flag.hasValue = word.contains('=');
  const KnownFlag *known = flagNamed(flag.name);
  if (known && known->takes == Takes::None && flag.hasValue)
    known = nullptr; // another one, which begins with its name
  if (!known && !isLong && isJoined(word)) {
    flag.name = word.substr(1, 1);
    flag.value = word.substr(2);
    flag.hasValue = true;
    return flag;
  }
  const bool takesNext =
      known ? known->takes == Takes::One || known->takes == Takes::List
            : !isLong && isHostFlagWithValue(flag.name);
  if (takesNext && !flag.hasValue && words.size() > 1) {
    flag.value = words[1];
    flag.hasValue = true;
    flag.words = 2;
  }
  return flag;
}

bool namesMacro(llvm::ArrayRef<std::string> words, llvm::StringRef macro) {
  return llvm::any_of(words, [&](llvm::StringRef word) {
    if (!word.consume_front("-D"))
      word.consume_front("-U");
    return word.split('=').first == macro;
  });
}

} // namespace warplint
