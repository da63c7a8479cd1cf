#include "input/known_macros.h"
#include "input/cuda_switch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdint>

using namespace llvm;

namespace warplint {

static constexpr StringLiteral ofOthers[] = {
    "_MSC_VER",    "_WIN32",     "_WIN64",           "__APPLE__",
    "__MINGW32__", "__CYGWIN__", "__INTEL_COMPILER", "__NVCOMPILER"};

bool isNeverDefined(StringRef macro) { return is_contained(ofOthers, macro); }

/// Returns true for a macro that asks for another language than CUDA:
/// `__HIPCC__`, and `__IS_HIP_COMPILE__`, which the build of a project defines.
/// HIP on NVIDIA's GPUs is CUDA.
static bool isOfOtherLanguage(StringRef macro) {
  static constexpr StringLiteral others[] = {"HIP", "HIPCC", "OPENCL", "SYCL"},
                                 own[] = {"CUDA", "NVCC", "NVIDIA"};
  SmallVector<StringRef> words;
  macro.split(words, '_');
  auto isAny = [&](ArrayRef<StringLiteral> names) {
    return any_of(words, [&](StringRef word) {
      return is_contained(names, word);
    });
  };
  return macro == "__CUDACC_RTC__" || (isAny(others) && !isAny(own));
}

KnownMacros::KnownMacros(ArrayRef<std::string> flags) {
  // The last ones are Kokkos', whose sources are read as for CUDA.
  for (const char *name :
       {"__cplusplus", "__CUDACC__", "__NVCC__", "__GNUC__", "__linux__",
        "__linux", "__unix__", "__x86_64__", "KOKKOS_ENABLE_CUDA"})
    define(name, "");
  for (StringRef name : ofOthers)
    undefine(name);
  for (size_t i = 0; i < flags.size(); ++i) {
    StringRef word = flags[i];
    const bool isDefinition = word.consume_front("-D");
    if (!isDefinition && !word.consume_front("-U"))
      continue;
    if (word.empty() && i + 1 < flags.size())
      word = flags[++i];
    const auto [name, value] = word.split('=');
    if (isDefinition)
      define(name, word.contains('=') ? value : "1");
    else
      undefine(name);
  }
}

void KnownMacros::define(StringRef macro, StringRef value) {
  macros_[macro] = {true, value.str()};
}

void KnownMacros::undefine(StringRef macro) { macros_[macro] = {false, ""}; }

void KnownMacros::forget(StringRef macro) { macros_[macro] = {}; }

std::optional<bool> KnownMacros::isDefined(StringRef macro) const {
  if (auto found = macros_.find(macro); found != macros_.end())
    return found->second.isDefined;
  if (isCudaSwitch(macro))
    return true;
  if (macro.starts_with("_") && !isOfOtherLanguage(macro))
    return std::nullopt;
  return false;
}

/// Reads a condition from left to right by the precedence of its operators.
class ConditionParser {
public:
  ConditionParser(const KnownMacros &macros, StringRef text)
      : macros_(macros), rest_(text) {}

  std::optional<bool> read() {
    const Value value = binary(0);
    skipBlanks();
    if (!rest_.empty() || isBroken_ || !value.number)
      return std::nullopt;
    return *value.number != 0;
  }

private:
  struct Value {
    std::optional<int64_t> number;
    bool isUnnamed = false; ///< 0, of a macro that nothing has named
  };

  static constexpr unsigned mostNested_ = 100;

  void skipBlanks() { rest_ = rest_.ltrim(" \t\r\n\\"); }

  bool accept(StringRef word) {
    skipBlanks();
    return rest_.consume_front(word);
  }

  StringRef word() {
    skipBlanks();
    const StringRef name =
        rest_.take_while([](char c) { return isAlnum(c) || c == '_'; });
    rest_ = rest_.drop_front(name.size());
    return name;
  }

  Value unknown() { return {}; }

  Value fail() {
    isBroken_ = true;
    return {};
  }

  Value isDefined() {
    const bool inParentheses = accept("(");
    const StringRef name = word();
    if (name.empty() || (inParentheses && !accept(")")))
      return fail();
    if (auto known = macros_.isDefined(name))
      return {*known};
    return unknown();
  }

  /// What a call of a macro or of __has_include gives is unknown.
  Value call() {
    for (unsigned open = 1; open && !rest_.empty();
         rest_ = rest_.drop_front())
      open += rest_.front() == '(' ? 1 : rest_.front() == ')' ? -1 : 0;
    return unknown();
  }

  Value macro(StringRef name, unsigned level = 0) {
    const std::optional<bool> isDefined = macros_.isDefined(name);
    if (!isDefined || level > 8)
      return unknown();
    auto found = macros_.macros_.find(name);
    const bool isNamed = found != macros_.macros_.end();
    if (!*isDefined)
      return {0, !isNamed && !isOfOtherLanguage(name)};
    if (!isNamed)
      return {1}; // a switch
    const StringRef value = StringRef(found->second.value).trim();
    if (value.empty())
      return unknown();
    if (auto literal = number(value))
      return {literal};
    const bool isName = !isDigit(value.front()) && all_of(value, [](char c) {
      return isAlnum(c) || c == '_';
    });
    return isName ? macro(value, level + 1) : unknown();
  }

  static std::optional<int64_t> number(StringRef text) {
    text = text.rtrim("uUlL");
    int64_t value = 0;
    if (text.empty() || text.getAsInteger(0, value))
      return std::nullopt;
    return value;
  }

  Value unary() {
    if (++nested_ > mostNested_)
      return fail();
    const Value value = unaryBelow();
    --nested_;
    return value;
  }

  Value unaryBelow() {
    if (accept("!")) {
      const Value value = unary();
      return value.number ? Value{!*value.number} : value;
    }
    if (accept("-")) {
      const Value value = unary();
      return value.number && *value.number != INT64_MIN
                 ? Value{-*value.number}
                 : unknown();
    }
    if (accept("+"))
      return unary();
    if (accept("(")) {
      const Value value = binary(0);
      return accept(")") ? value : fail();
    }
    const StringRef name = word();
    if (name.empty())
      return fail();
    if (isDigit(name.front())) {
      const auto literal = number(name);
      return literal ? Value{literal} : fail();
    }
    if (name == "defined")
      return isDefined();
    if (name == "true")
      return {1};
    if (accept("("))
      return call();
    return macro(name);
  }

  struct Operator {
    StringLiteral text;
    int precedence;
  };

  const Operator *nextOperator() {
    // The longer ones first: "<=" before "<".
    static constexpr Operator all[] = {
        {"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4}, {">=", 4},
        {"<", 4},  {">", 4},  {"+", 5},  {"-", 5},  {"*", 6}};
    skipBlanks();
    for (const Operator &one : all)
      if (rest_.starts_with(one.text))
        return &one;
    return nullptr;
  }

  Value binary(int lowest) {
    Value left = unary();
    for (const Operator *next = nextOperator();
         next && next->precedence > lowest && !isBroken_;
         next = nextOperator()) {
      rest_ = rest_.drop_front(next->text.size());
      const Value right = binary(next->precedence);
      left = combined(next->text, left, right);
    }
    return left;
  }

  Value combined(StringRef text, const Value &left, const Value &right) {
    auto is = [](const Value &value, bool wanted) {
      return value.number && (*value.number != 0) == wanted;
    };
    if (text == "||")
      return is(left, true) || is(right, true)     ? Value{1}
             : is(left, false) && is(right, false) ? Value{0}
                                                   : unknown();
    if (text == "&&")
      return is(left, false) || is(right, false) ? Value{0}
             : is(left, true) && is(right, true) ? Value{1}
                                                 : unknown();
    if (!left.number || !right.number || left.isUnnamed || right.isUnnamed)
      return unknown();
    const int64_t a = *left.number, b = *right.number;
    int64_t result = 0;
    if (text == "+")
      return __builtin_add_overflow(a, b, &result) ? unknown() : Value{result};
    if (text == "-")
      return __builtin_sub_overflow(a, b, &result) ? unknown() : Value{result};
    if (text == "*")
      return __builtin_mul_overflow(a, b, &result) ? unknown() : Value{result};
    return {text == "=="   ? a == b
            : text == "!=" ? a != b
            : text == "<=" ? a <= b
            : text == ">=" ? a >= b
            : text == "<"  ? a < b
                           : a > b};
  }

  const KnownMacros &macros_;
  StringRef rest_;
  bool isBroken_ = false;
  unsigned nested_ = 0;
};

std::optional<bool> KnownMacros::holds(StringRef condition) const {
  return ConditionParser(*this, condition).read();
}

} // namespace warplint
