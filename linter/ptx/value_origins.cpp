#include "ptx/value_origins.h"
#include "ptx/ptx_text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;

namespace warplint {
namespace {

using ptx::Operand;
using ptx::Statement;

StringRef firstPart(StringRef opcode) {
  return opcode.take_until([](char c) { return c == '.'; });
}

bool hasPart(StringRef opcode, StringRef part) {
  SmallVector<StringRef> parts;
  opcode.split(parts, '.');
  return is_contained(parts, part);
}

bool writesRegister(const Statement &s) {
  const StringRef name = firstPart(s.name);
  if (name == "call")
    return false; // its result is loaded by ld.param
  return !is_contained({"st",
                        "red",
                        "bra",
                        "brx",
                        "ret",
                        "exit",
                        "bar",
                        "barrier",
                        "membar",
                        "fence",
                        "cp",
                        "prefetch",
                        "prefetchu",
                        "trap",
                        "discard",
                        "applypriority",
                        "stmatrix",
                        "sust",
                        "sured",
                        "nanosleep",
                        "brkpt",
                        "pmevent",
                        "griddepcontrol",
                        "setmaxnreg",
                        "wgmma"},
                       name);
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

struct Chain {
  SourceFrame frame;
  int caller = -1;
  unsigned depth = 0;
};

/// The values of one PTX function.
class FunctionValues {
public:
  FunctionValues(const ptx::Module &module, const ptx::Function &function)
      : module_(module), function_(function) {
    readChains();
    readOperands();
    joinCopies();
    collect();
    markAddresses();
  }

  /// The index of the statement on a line; none if no instruction is there.
  std::optional<size_t> statementAt(unsigned line) const {
    auto found = byLine_.find(line);
    if (found == byLine_.end())
      return std::nullopt;
    return found->second;
  }

  std::optional<ValueOrigin> written(size_t statement, unsigned word) const {
    const std::vector<unsigned> &into = writes_[statement];
    if (into.empty())
      return std::nullopt;
    unsigned part = 0;
    for (; part + 1 < into.size(); ++part) {
      const unsigned words = std::max(1u, bits_[into[part]] / 32);
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

  std::vector<SourceFrame> frames(size_t statement) const {
    std::vector<SourceFrame> result;
    for (int at = chain_[statement]; at >= 0; at = chains_[at].caller)
      if (chains_[at].frame.place.line)
        result.push_back(chains_[at].frame);
    return result;
  }

  bool countsByOne(const Place &head) const {
    // By column; the compiler adds counters of its own at others.
    std::map<unsigned, int64_t> longest;
    for (size_t i = 0; i < writes_.size(); ++i) {
      if (chain_[i] < 0 || !addsToItself(i))
        continue;
      const Place &place = chains_[chain_[i]].frame.place;
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
  static constexpr unsigned deepestChain = 128;

  void readChains() {
    std::map<std::tuple<unsigned, unsigned, unsigned>, int> seen;
    std::map<std::tuple<unsigned, unsigned, unsigned, std::string, int>, int>
        known;
    auto intern = [&](unsigned file, unsigned line, unsigned column,
                      std::string function, int caller) {
      auto [place, isNew] = known.try_emplace(
          std::tuple(file, line, column, function, caller), chains_.size());
      if (isNew) {
        auto path = module_.files.find(file);
        Chain &chain = chains_.emplace_back();
        chain.frame.place = {path == module_.files.end() ? "" : path->second,
                             line, column};
        chain.frame.function = std::move(function);
        chain.caller = caller;
        chain.depth = caller < 0 ? 0 : chains_[caller].depth + 1;
      }
      return place->second;
    };
    int current = -1;
    chain_.resize(function_.statements.size(), -1);
    for (const auto &[i, s] : enumerate(function_.statements)) {
      chain_[i] = current;
      if (s.kind != Statement::Loc)
        continue;
      const ptx::Location &l = function_.locations[s.location];
      int caller = -1;
      std::string name;
      if (l.isInlined) {
        StringRef text = module_.debugString(l.function, l.offset);
        name = (text.empty() ? l.function : text).str();
        auto found = seen.find({l.atFile, l.atLine, l.atColumn});
        caller =
            found != seen.end() && chains_[found->second].depth < deepestChain
                ? found->second
                : intern(l.atFile, l.atLine, l.atColumn, "", -1);
        // A repeated `.loc` of one place is not another call.
        const SourceFrame &at = chains_[caller].frame;
        if (at.place.line == l.line && at.place.column == l.column &&
            at.function == name)
          caller = chains_[caller].caller;
      }
      current = intern(l.file, l.line, l.column, std::move(name), caller);
      seen[{l.file, l.line, l.column}] = current;
    }
  }

  /// The number of a register; none for symbols, labels and special registers.
  std::optional<unsigned> numberOf(StringRef name, unsigned scope) {
    int owner = int(scope);
    const ptx::Type *type = nullptr;
    for (; owner >= 0; owner = function_.scopes[owner].parent) {
      const ptx::Scope &in = function_.scopes[owner];
      if (auto found = in.registers.find(name); found != in.registers.end())
        type = &found->second;
      else if (auto range = in.ranges.find(name.rtrim("0123456789"));
               range != in.ranges.end() &&
               range->getKey().size() != name.size())
        type = &range->second.first;
      if (type)
        break;
    }
    if (!type)
      return std::nullopt;
    auto [place, isNew] = numbers_.try_emplace(
        name.str() + "#" + std::to_string(owner), unsigned(bits_.size()));
    if (isNew) {
      bits_.push_back(type->kind == ptx::Type::Pred ? 0
                                                    : type->bits * type->lanes);
      isFloat_.push_back(type->isFloat());
    }
    return place->second;
  }

  void addRegisters(const Operand &operand, unsigned scope,
                    std::vector<unsigned> &into) {
    if (operand.kind == Operand::Name || operand.kind == Operand::Address)
      if (auto number = numberOf(operand.name, scope))
        into.push_back(*number);
    for (const Operand &part : operand.parts)
      addRegisters(part, scope, into);
  }

  void readOperands() {
    const size_t count = function_.statements.size();
    writes_.resize(count);
    reads_.resize(count);
    addressed_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const Statement &s = function_.statements[i];
      if (s.kind != Statement::Instruction)
        continue;
      byLine_.try_emplace(s.line, i);
      const bool writes = writesRegister(s);
      for (const auto &[at, operand] : enumerate(s.operands)) {
        if (at == 0 && writes && operand.kind != Operand::Address)
          addRegisters(operand, s.scope, writes_[i]);
        else if (operand.kind == Operand::Address)
          addRegisters(operand, s.scope, addressed_[i]);
        else
          addRegisters(operand, s.scope, reads_[i]);
      }
      erase_if(writes_[i], [&](unsigned r) { return bits_[r] == 0; });
    }
  }

  /// The register that a copy reads; none for another statement.
  std::optional<unsigned> copied(size_t i) const {
    const Statement &s = function_.statements[i];
    const StringRef name = firstPart(s.name);
    if ((name == "mov" || name == "cvta") && writes_[i].size() == 1 &&
        reads_[i].size() == 1 && s.operands.size() == 2 &&
        bits_[writes_[i][0]] == bits_[reads_[i][0]])
      return reads_[i][0];
    return std::nullopt;
  }

  void joinCopies() {
    webs_.grow(bits_.size());
    for (size_t i = 0; i < writes_.size(); ++i)
      if (auto from = copied(i))
        webs_.join(writes_[i][0], *from);
    webs_.compress();
  }

  unsigned webOf(unsigned number) const { return webs_[number]; }

  void collect() {
    definitions_.resize(webs_.getNumClasses());
    uses_.resize(definitions_.size());
    isCopied_.resize(definitions_.size());
    for (size_t i = 0; i < writes_.size(); ++i) {
      if (auto from = copied(i)) {
        // cvta changes no bits: the pointer stays the parameter.
        if (firstPart(function_.statements[i].name) == "mov")
          isCopied_[webOf(*from)] = true;
        continue;
      }
      for (unsigned number : writes_[i])
        definitions_[webOf(number)].push_back(i);
      for (const std::vector<unsigned> *list : {&reads_[i], &addressed_[i]})
        for (unsigned number : *list)
          uses_[webOf(number)].push_back(i);
    }
  }

  bool isAddressed(size_t statement, unsigned web) const {
    return any_of(addressed_[statement],
                  [&](unsigned number) { return webOf(number) == web; });
  }

  /// Finds the values that are used for addresses alone.
  void markAddresses() {
    onlyAddress_.assign(definitions_.size(), true);
    for (unsigned number = 0; number < bits_.size(); ++number)
      if (isFloat_[number] || bits_[number] < 16)
        onlyAddress_[webOf(number)] = false;
    for (unsigned web = 0; web < uses_.size(); ++web)
      if (uses_[web].empty())
        onlyAddress_[web] = false;
    for (bool changes = true; changes;) {
      changes = false;
      for (unsigned web = 0; web < uses_.size(); ++web) {
        if (!onlyAddress_[web])
          continue;
        for (size_t use : uses_[web])
          if (!servesAddress(use, web)) {
            onlyAddress_[web] = false;
            changes = true;
            break;
          }
      }
    }
  }

  bool servesAddress(size_t use, unsigned web) const {
    const bool isRead = any_of(
        reads_[use], [&](unsigned number) { return webOf(number) == web; });
    if (isAddressed(use, web))
      return !isRead;
    return isAddressArithmetic(function_.statements[use]) &&
           !writes_[use].empty() && all_of(writes_[use], [&](unsigned number) {
             return onlyAddress_[webOf(number)];
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
    auto number =
        const_cast<FunctionValues *>(this)->numberOf(operand.name, scope);
    return number ? pointee(webOf(*number), 0) : PtxObject();
  }

  /// The object that a pointer points into: the parameter or variable that it
  /// is made of, or what it was loaded from.
  PtxObject pointee(unsigned web, unsigned depth) const {
    constexpr unsigned deepest = 64;
    if (depth > deepest)
      return {};
    for (size_t i : definitions_[web]) {
      const Statement &s = function_.statements[i];
      const StringRef name = firstPart(s.name);
      if (name == "ld" || name == "ldu")
        for (const Operand &operand : s.operands)
          if (operand.kind == Operand::Address) {
            // A pointer to global memory has 64 bits; others are sizes.
            if (PtxObject found = parameter(operand); found.isKnown())
              return is64Bit(s) ? found : PtxObject();
            if (!isParameterAccess(s) && !addressed_[i].empty() &&
                webOf(addressed_[i][0]) != web)
              return pointee(webOf(addressed_[i][0]), depth + 1);
          }
      if (name == "mov" || name == "cvta")
        for (const Operand &operand : drop_begin(s.operands))
          if (PtxObject found = symbol(operand.name); found.isKnown())
            return found;
      if (!addsPointers(s))
        continue;
      for (unsigned number : reads_[i])
        if (webOf(number) != web && bits_[number] >= 32)
          if (PtxObject found = pointee(webOf(number), depth + 1);
              found.isKnown())
            return found;
    }
    return {};
  }

  bool isFinal(unsigned web) const {
    if (isCopied_[web] || definitions_[web].size() > 1)
      return true;
    if (definitions_[web].empty())
      return false;
    const size_t definition = definitions_[web].front();
    const int own = chain_[definition];
    if (none_of(uses_[web], [&](size_t use) { return chain_[use] != own; }))
      return false;
    // The compiler may make addresses of an index at once.
    if (!isMemoryAccess(function_.statements[definition]) &&
        !isFloat_[writes_[definition].front()])
      return true;
    return none_of(uses_[web], [&](size_t use) {
      return chain_[use] == own && computes(use);
    });
  }

  /// The statement goes on with what it reads: the compiler shares a part of
  /// two statements that are the same.
  bool computes(size_t use) const {
    return !writes_[use].empty() &&
           !is_contained({"cvt", "mov", "cvta"},
                         firstPart(function_.statements[use].name));
  }

  /// The loop adds to the value itself.
  bool isInduction(unsigned web) const {
    return any_of(definitions_[web], [&](size_t i) {
      return addsToItself(i) && webOf(writes_[i][0]) == web;
    });
  }

  bool addsToItself(size_t i) const {
    const StringRef name = firstPart(function_.statements[i].name);
    return (name == "add" || name == "sub") && writes_[i].size() == 1 &&
           reads_[i].size() == 1 && webOf(reads_[i][0]) == webOf(writes_[i][0]);
  }

  /// The first use of a value with a place, and in another statement than
  /// `chain`; through values that have no place themselves.
  std::optional<size_t> firstUse(unsigned web, int chain) const {
    constexpr size_t mostValues = 32;
    SmallVector<unsigned> values = {web};
    for (size_t at = 0; at < values.size(); ++at)
      for (size_t use : uses_[values[at]]) {
        if (chain_[use] != chain && !frames(use).empty())
          return use;
        for (unsigned number : writes_[use])
          if (values.size() < mostValues &&
              !is_contained(values, webOf(number)))
            values.push_back(webOf(number));
      }
    return std::nullopt;
  }

  /// The definition that says most: around a loop, not the initial value. One
  /// of the register itself goes before those of registers that copies join:
  /// the last step of `if (x > most) most = x;` may copy `x`.
  size_t mainDefinition(unsigned web, unsigned number, size_t otherwise) const {
    const auto saysMuch = [&](size_t i) {
      return !reads_[i].empty() || !addressed_[i].empty() ||
             isMemoryAccess(function_.statements[i]);
    };
    for (size_t i : definitions_[web])
      if (saysMuch(i) && is_contained(writes_[i], number))
        return i;
    for (size_t i : definitions_[web])
      if (saysMuch(i))
        return i;
    return definitions_[web].empty() ? otherwise : definitions_[web].front();
  }

  ValueOrigin originOf(unsigned number, size_t statement) const {
    const unsigned web = webOf(number);
    // The statement itself, unless it copies a value or sets a constant.
    const bool isOwn = is_contained(definitions_[web], statement) &&
                       !reads_[statement].empty();
    const size_t main =
        isOwn ? statement : mainDefinition(web, number, statement);
    ValueOrigin origin;
    origin.bits = bits_[number];
    origin.isFloat = isFloat_[number];
    origin.isFinal = isFinal(web);
    origin.isInduction = isInduction(web);
    origin.isSelected =
        is_contained({"selp", "slct", "min", "max"},
                     firstPart(function_.statements[main].name));
    origin.frames = frames(main);
    if (auto use = firstUse(web, chain_[main])) {
      origin.usedIn = frames(*use);
      origin.isConvertedThere =
          firstPart(function_.statements[*use].name) == "cvt" &&
          is_contained(uses_[web], *use);
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
    } else if (name == "mov" && reads_[main].empty()) {
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
      else if (!origin.isFinal || usedWithin(web, chain_[main]))
        origin.kind = ValueOrigin::Index;
    }
  }

  bool isUsedAsAddress(unsigned web) const {
    return any_of(uses_[web],
                  [&](size_t use) { return isAddressed(use, web); });
  }

  /// True if an access of the same statement uses the value for its address.
  bool usedWithin(unsigned web, int chain, unsigned depth = 0) const {
    constexpr unsigned deepest = 8;
    if (depth > deepest)
      return false;
    return any_of(uses_[web], [&](size_t use) {
      if (isAddressed(use, web))
        return chain_[use] == chain;
      return any_of(writes_[use], [&](unsigned number) {
        return webOf(number) != web &&
               usedWithin(webOf(number), chain, depth + 1);
      });
    });
  }

  const ptx::Module &module_;
  const ptx::Function &function_;
  std::vector<Chain> chains_;
  std::vector<int> chain_; ///< by statement, into `chains_`
  std::map<std::string, unsigned> numbers_;
  std::vector<unsigned> bits_; ///< by register; 0: a predicate
  std::vector<bool> isFloat_;
  std::vector<std::vector<unsigned>> writes_, reads_, addressed_;
  DenseMap<unsigned, size_t> byLine_;
  IntEqClasses webs_; ///< the registers that copies join
  // By web; without copies:
  std::vector<std::vector<size_t>> definitions_, uses_;
  std::vector<bool> isCopied_, onlyAddress_;
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
