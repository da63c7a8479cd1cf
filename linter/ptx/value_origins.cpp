#include "ptx/value_origins.h"
#include "ptx/ptx_text.h"
#include "ptx/register_webs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace warplint {
namespace {

using ptx::Operand;
using ptx::Statement;

bool hasPart(StringRef opcode, StringRef part) {
  SmallVector<StringRef> parts;
  opcode.split(parts, '.');
  return is_contained(parts, part);
}

bool isMemoryAccess(const Statement &s) {
  return is_contained({"ld", "ldu", "st", "atom", "red", "cp", "prefetch",
                       "ldmatrix", "stmatrix", "tex", "suld", "sust"},
                      firstPart(s.name));
}

bool isParameterAccess(const Statement &s) {
  return hasPart(s.name, "param") || hasPart(s.name, "param::entry") ||
         hasPart(s.name, "param::func");
}

/// Integer operations through which an address is made.
bool isAddressArithmetic(const Statement &s) {
  const StringRef name = firstPart(s.name);
  if (!is_contained({"add", "sub",  "mad",  "mul",   "shl",  "shr",
                     "cvt", "and",  "or",   "xor",   "bfe",  "bfi",
                     "min", "max",  "neg",  "selp",  "lea",  "div",
                     "rem", "prmt", "lop3", "mad24", "mul24"},
                    name))
    return false;
  return !hasPart(s.name, "f32") && !hasPart(s.name, "f64") &&
         !hasPart(s.name, "f16") && !hasPart(s.name, "bf16");
}

bool addsPointers(const Statement &s) {
  return is_contained({"add", "sub", "mad", "selp", "or"}, firstPart(s.name));
}

bool is64Bit(const Statement &s) {
  return hasPart(s.name, "u64") || hasPart(s.name, "b64") ||
         hasPart(s.name, "s64");
}

/// The values of one PTX function.
class FunctionValues {
public:
  FunctionValues(const ptx::Module &module, const ptx::Function &function)
      : module_(module), function_(function), frames_(module, function),
        webs_(function) {
    markAddresses();
  }

  /// The index of the statement on a line; none if no instruction is there.
  std::optional<size_t> statementAt(unsigned line) const {
    return webs_.statementAt(line);
  }

  std::vector<SourceFrame> frames(size_t statement) const {
    return frames_.of(statement);
  }

  std::optional<ValueOrigin> written(size_t statement, unsigned word) const {
    const ArrayRef<unsigned> into = webs_.writes(statement);
    if (into.empty())
      return std::nullopt;
    unsigned part = 0;
    for (; part + 1 < into.size(); ++part) {
      const unsigned words = std::max(1u, webs_.bits(into[part]) / 32);
      if (word < words)
        break;
      word -= words;
    }
    return originOf(into[part], statement);
  }

  PtxObject accessed(size_t statement) const {
    const Statement &s = function_.statements[statement];
    if (isMemoryAccess(s))
      for (const Operand &operand : s.operands)
        if (operand.kind == Operand::Address)
          return objectOf(operand, s.scope);
    return {};
  }

  bool countsByOne(const Place &head) const {
    // By column; the compiler adds counters of its own at others.
    std::map<unsigned, int64_t> longest;
    for (size_t i = 0; i < function_.statements.size(); ++i) {
      if (!frames_.placeOf(i) || !addsToItself(i))
        continue;
      const Place &place = *frames_.placeOf(i);
      const Operand &step = function_.statements[i].operands.back();
      if (place.line != head.line || place.file != head.file ||
          step.kind != Operand::Integer)
        continue;
      int64_t &most = longest[place.column];
      most = std::max(most, std::abs(step.value));
    }
    return any_of(longest, [](const auto &one) { return one.second == 1; });
  }

private:
  bool isAddressed(size_t statement, unsigned web) const {
    return any_of(webs_.addressed(statement),
                  [&](unsigned number) { return webs_.webOf(number) == web; });
  }

  /// Finds the values that are used for addresses alone.
  void markAddresses() {
    onlyAddress_.assign(webs_.size(), true);
    for (unsigned number = 0; number < webs_.registers(); ++number)
      if (webs_.isFloat(number) || webs_.bits(number) < 16)
        onlyAddress_[webs_.webOf(number)] = false;
    for (unsigned web = 0; web < webs_.size(); ++web)
      if (webs_.uses(web).empty())
        onlyAddress_[web] = false;
    for (bool changes = true; changes;) {
      changes = false;
      for (unsigned web = 0; web < webs_.size(); ++web) {
        if (!onlyAddress_[web])
          continue;
        for (size_t use : webs_.uses(web))
          if (!servesAddress(use, web)) {
            onlyAddress_[web] = false;
            changes = true;
            break;
          }
      }
    }
  }

  bool servesAddress(size_t use, unsigned web) const {
    const bool isRead = any_of(webs_.reads(use), [&](unsigned number) {
      return webs_.webOf(number) == web;
    });
    if (isAddressed(use, web))
      return !isRead;
    return isAddressArithmetic(function_.statements[use]) &&
           !webs_.writes(use).empty() &&
           all_of(webs_.writes(use), [&](unsigned number) {
             return onlyAddress_[webs_.webOf(number)];
           });
  }

  PtxObject parameter(const Operand &operand) const {
    for (const auto &[index, variable] : enumerate(function_.parameters))
      if (variable.name == operand.name)
        return {unsigned(index), unsigned(operand.value), ""};
    return {};
  }

  PtxObject symbol(StringRef name) const {
    auto isIt = [&](const ptx::Variable &variable) {
      return variable.name == name;
    };
    if (any_of(module_.variables, isIt) || any_of(function_.variables, isIt))
      return {std::nullopt, 0, name.str()};
    return {};
  }

  PtxObject objectOf(const Operand &operand, unsigned scope) const {
    if (PtxObject found = parameter(operand); found.isKnown())
      return found;
    if (PtxObject found = symbol(operand.name); found.isKnown())
      return found;
    auto number = webs_.numberOf(operand.name, scope);
    return number ? pointee(webs_.webOf(*number), 0) : PtxObject();
  }

  /// The object that a pointer points into: the parameter or variable that it
  /// is made of, or what it was loaded from.
  PtxObject pointee(unsigned web, unsigned depth) const {
    constexpr unsigned deepest = 64;
    if (depth > deepest)
      return {};
    for (size_t i : webs_.definitions(web)) {
      const Statement &s = function_.statements[i];
      const StringRef name = firstPart(s.name);
      if (name == "ld" || name == "ldu")
        for (const Operand &operand : s.operands)
          if (operand.kind == Operand::Address) {
            // A pointer to global memory has 64 bits; others are sizes.
            if (PtxObject found = parameter(operand); found.isKnown())
              return is64Bit(s) ? found : PtxObject();
            if (!isParameterAccess(s) && !webs_.addressed(i).empty() &&
                webs_.webOf(webs_.addressed(i)[0]) != web)
              return pointee(webs_.webOf(webs_.addressed(i)[0]), depth + 1);
          }
      if (name == "mov" || name == "cvta")
        for (const Operand &operand : drop_begin(s.operands))
          if (PtxObject found = symbol(operand.name); found.isKnown())
            return found;
      if (!addsPointers(s))
        continue;
      for (unsigned number : webs_.reads(i))
        if (webs_.webOf(number) != web && webs_.bits(number) >= 32)
          if (PtxObject found = pointee(webs_.webOf(number), depth + 1);
              found.isKnown())
            return found;
    }
    return {};
  }

  bool isFinal(unsigned web) const {
    if (webs_.isCopied(web) || webs_.definitions(web).size() > 1)
      return true;
    if (webs_.definitions(web).empty())
      return false;
    const size_t definition = webs_.definitions(web).front();
    const int own = frames_.chainOf(definition);
    if (none_of(webs_.uses(web),
                [&](size_t use) { return frames_.chainOf(use) != own; }))
      return false;
    // The compiler may make addresses of an index at once.
    if (!isMemoryAccess(function_.statements[definition]) &&
        !webs_.isFloat(webs_.writes(definition).front()))
      return true;
    return none_of(webs_.uses(web), [&](size_t use) {
      return frames_.chainOf(use) == own && computes(use);
    });
  }

  /// The statement goes on with what it reads: the compiler shares a part of
  /// two statements that are the same.
  bool computes(size_t use) const {
    return !webs_.writes(use).empty() &&
           !is_contained({"cvt", "mov", "cvta"},
                         firstPart(function_.statements[use].name));
  }

  /// The loop adds to the value itself.
  bool isInduction(unsigned web) const {
    return any_of(webs_.definitions(web), [&](size_t i) {
      return addsToItself(i) && webs_.webOf(webs_.writes(i)[0]) == web;
    });
  }

  bool addsToItself(size_t i) const {
    const StringRef name = firstPart(function_.statements[i].name);
    return (name == "add" || name == "sub") && webs_.writes(i).size() == 1 &&
           webs_.reads(i).size() == 1 &&
           webs_.webOf(webs_.reads(i)[0]) == webs_.webOf(webs_.writes(i)[0]);
  }

  /// The first use of a value with a place, and in another statement than
  /// `chain`; through values that have no place themselves.
  std::optional<size_t> firstUse(unsigned web, int chain) const {
    constexpr size_t mostValues = 32;
    SmallVector<unsigned> values = {web};
    for (size_t at = 0; at < values.size(); ++at)
      for (size_t use : webs_.uses(values[at])) {
        if (frames_.chainOf(use) != chain && !frames_.of(use).empty())
          return use;
        for (unsigned number : webs_.writes(use))
          if (values.size() < mostValues &&
              !is_contained(values, webs_.webOf(number)))
            values.push_back(webs_.webOf(number));
      }
    return std::nullopt;
  }

  /// The definition that says most: around a loop, not the initial value. One
  /// of the register itself goes before those of registers that copies join:
  /// the last step of `if (x > most) most = x;` may copy `x`.
  size_t mainDefinition(unsigned web, unsigned number, size_t otherwise) const {
    const auto saysMuch = [&](size_t i) {
      return !webs_.reads(i).empty() || !webs_.addressed(i).empty() ||
             isMemoryAccess(function_.statements[i]);
    };
    for (size_t i : webs_.definitions(web))
      if (saysMuch(i) && is_contained(webs_.writes(i), number))
        return i;
    for (size_t i : webs_.definitions(web))
      if (saysMuch(i))
        return i;
    return webs_.definitions(web).empty() ? otherwise
                                          : webs_.definitions(web).front();
  }

  ValueOrigin originOf(unsigned number, size_t statement) const {
    const unsigned web = webs_.webOf(number);
    // The statement itself, unless it copies a value or sets a constant.
    const bool isOwn = is_contained(webs_.definitions(web), statement) &&
                       !webs_.reads(statement).empty();
    const size_t main =
        isOwn ? statement : mainDefinition(web, number, statement);
    ValueOrigin origin;
    origin.bits = webs_.bits(number);
    origin.isFloat = webs_.isFloat(number);
    origin.isFinal = isFinal(web);
    origin.isInduction = isInduction(web);
    origin.isSelected =
        is_contained({"selp", "slct", "min", "max"},
                     firstPart(function_.statements[main].name));
    origin.frames = frames_.of(main);
    if (auto use = firstUse(web, frames_.chainOf(main))) {
      origin.usedIn = frames_.of(*use);
      origin.isConvertedThere =
          firstPart(function_.statements[*use].name) == "cvt" &&
          is_contained(webs_.uses(web), *use);
    }
    classify(web, main, origin);
    return origin;
  }

  void classify(unsigned web, size_t main, ValueOrigin &origin) const {
    const Statement &s = function_.statements[main];
    const StringRef name = firstPart(s.name);
    origin.kind = ValueOrigin::Computed;
    if (name == "ld" || name == "ldu" || name == "ldmatrix") {
      origin.kind = ValueOrigin::Load;
      origin.object = accessed(main);
      if (isParameterAccess(s))
        origin.kind = origin.object.parameter ? ValueOrigin::Parameter
                                              : ValueOrigin::Result;
    } else if (name == "mov" && webs_.reads(main).empty()) {
      origin.kind = ValueOrigin::Constant;
      for (const Operand &operand : drop_begin(s.operands)) {
        if (operand.kind != Operand::Name)
          continue;
        if (operand.name.starts_with("%")) {
          origin.kind = ValueOrigin::Special;
          origin.special = operand.name.str();
        } else if (origin.object = symbol(operand.name);
                   origin.object.isKnown()) {
          origin.kind = ValueOrigin::Address;
        }
      }
    } else if (onlyAddress_[web]) {
      origin.object = pointee(web, 0);
      if (origin.object.isKnown() || isUsedAsAddress(web))
        origin.kind = ValueOrigin::Address;
      else if (!origin.isFinal || usedWithin(web, frames_.chainOf(main)))
        origin.kind = ValueOrigin::Index;
    }
  }

  bool isUsedAsAddress(unsigned web) const {
    return any_of(webs_.uses(web),
                  [&](size_t use) { return isAddressed(use, web); });
  }

  /// True if an access of the same statement uses the value for its address.
  bool usedWithin(unsigned web, int chain, unsigned depth = 0) const {
    constexpr unsigned deepest = 8;
    if (depth > deepest)
      return false;
    return any_of(webs_.uses(web), [&](size_t use) {
      if (isAddressed(use, web))
        return frames_.chainOf(use) == chain;
      return any_of(webs_.writes(use), [&](unsigned number) {
        return webs_.webOf(number) != web &&
               usedWithin(webs_.webOf(number), chain, depth + 1);
      });
    });
  }

  const ptx::Module &module_;
  const ptx::Function &function_;
  const InlineFrames frames_;
  const RegisterWebs webs_;
  std::vector<bool> onlyAddress_; ///< by web
};

} // namespace

struct PtxOrigins::Data {
  std::string text;
  ptx::Module module;
  mutable std::map<const ptx::Function *, std::unique_ptr<FunctionValues>> read;

  const ptx::Function *functionAt(unsigned line) const {
    const ptx::Function *found = nullptr;
    for (const ptx::Function &function : module.functions)
      if (function.isDefined && function.line <= line)
        found = &function;
    return found;
  }

  const FunctionValues *valuesAt(unsigned line) const {
    const ptx::Function *function = functionAt(line);
    if (!function)
      return nullptr;
    std::unique_ptr<FunctionValues> &values = read[function];
    if (!values)
      values = std::make_unique<FunctionValues>(module, *function);
    return values.get();
  }
};

PtxOrigins::PtxOrigins(std::unique_ptr<Data> data) : data_(std::move(data)) {}
PtxOrigins::~PtxOrigins() = default;

Expected<std::unique_ptr<PtxOrigins>> PtxOrigins::read(StringRef text) {
  auto data = std::make_unique<Data>();
  data->text = text.str();
  auto module = ptx::parsePtx(data->text);
  if (!module)
    return module.takeError();
  data->module = std::move(*module);
  return std::unique_ptr<PtxOrigins>(new PtxOrigins(std::move(data)));
}

std::optional<ValueOrigin> PtxOrigins::writtenAt(unsigned line,
                                                 unsigned word) const {
  const FunctionValues *values = data_->valuesAt(line);
  if (!values)
    return std::nullopt;
  auto statement = values->statementAt(line);
  return statement ? values->written(*statement, word) : std::nullopt;
}

PtxObject PtxOrigins::accessedAt(unsigned line) const {
  const FunctionValues *values = data_->valuesAt(line);
  auto statement = values ? values->statementAt(line) : std::nullopt;
  return statement ? values->accessed(*statement) : PtxObject();
}

std::vector<SourceFrame> PtxOrigins::framesAt(unsigned line) const {
  const FunctionValues *values = data_->valuesAt(line);
  auto statement = values ? values->statementAt(line) : std::nullopt;
  return statement ? values->frames(*statement) : std::vector<SourceFrame>();
}

bool PtxOrigins::countsByOne(StringRef function, const Place &head) const {
  for (const ptx::Function &one : data_->module.functions)
    if (one.isDefined && one.name == function)
      return data_->valuesAt(one.line)->countsByOne(head);
  return false;
}

std::string PtxOrigins::functionAt(unsigned line) const {
  const ptx::Function *function = data_->functionAt(line);
  return function ? function->name.str() : "";
}

std::optional<PtxOrigins::Kernel> PtxOrigins::kernel(StringRef mangled) const {
  for (const ptx::Function &function : data_->module.functions) {
    if (!function.isDefined || function.name != mangled)
      continue;
    Kernel kernel;
    unsigned end = 0;
    for (const ptx::Variable &variable : function.parameters) {
      const unsigned align = std::max<unsigned>(
          {1u, variable.align, variable.isArray ? 1u : variable.type.bits / 8});
      end = alignTo(end, align);
      kernel.parameters.push_back({end, unsigned(variable.bytes())});
      end += variable.bytes();
    }
    if (!function.locations.empty()) {
      const ptx::Location &l = function.locations.front();
      auto path = data_->module.files.find(l.file);
      kernel.place = {path == data_->module.files.end() ? "" : path->second,
                      l.line, l.column};
    }
    return kernel;
  }
  return std::nullopt;
}

} // namespace warplint
