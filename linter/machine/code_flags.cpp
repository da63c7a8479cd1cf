#include "machine/code_flags.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warplint {
namespace {

enum class Kind { Other, Flag, WithValue, Ptxas };

Kind kindOf(StringRef name) {
  return StringSwitch<Kind>(name)
      .Cases({"use_fast_math", "extra-device-vectorization", "restrict"},
             Kind::Flag)
      .Cases({"dc", "rdc", "relocatable-device-code"}, Kind::WithValue)
      .Cases({"maxrregcount", "ftz", "prec-div", "prec-sqrt", "fmad"},
             Kind::WithValue)
      .Cases({"D", "define-macro", "U", "undefine-macro"}, Kind::WithValue)
      .Cases({"Xcicc", "Xnvvm", "Xopencc", "O", "optimize"}, Kind::WithValue)
      .Cases({"jtd", "jump-table-density"}, Kind::WithValue)
      .Cases({"Xptxas", "ptxas-options"}, Kind::Ptxas)
      .Default(Kind::Other);
}

} // namespace

std::string codeFlags(const std::vector<std::string> &arguments) {
  std::string flags;
  auto add = [&](StringRef text) {
    flags += (flags.empty() ? "" : " ") + text.str();
  };
  for (size_t i = 1; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    auto [spelling, value] = argument.split('=');
    StringRef name = spelling.ltrim('-');
    if (!argument.starts_with("-"))
      continue;
    if (name.size() > 1 && StringRef("DUO").contains(name.front()) &&
        argument[1] != '-') { // -DNAME, -O3
      add(argument);
      continue;
    }
    Kind kind = kindOf(name);
    bool takesNext = spelling == argument && i + 1 < arguments.size() &&
                     (kind == Kind::WithValue || kind == Kind::Ptxas);
    StringRef next = takesNext ? StringRef(arguments[++i]) : value;
    // Verbose output does not affect the code.
    if (kind == Kind::Other ||
        (kind == Kind::Ptxas &&
         (next == "-v" || next == "--verbose" || next.starts_with("-warn") ||
          next.starts_with("--warn"))))
      continue;
    add(takesNext ? (Twine(argument) + "=" + next).str() : argument.str());
  }
  return flags;
}

} // namespace warplint
