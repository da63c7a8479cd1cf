#include "machine/option_branches.h"
#include "machine/register_owners.h"
#include "ptx/ptx_kernels.h"
#include "ptx/ptx_text.h"
#include "ptx/value_origins.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <map>
#include <set>

using namespace llvm;

namespace warplint {
namespace {

using ptx::Operand;
using ptx::Statement;

constexpr unsigned leastGuarded =
    24;                              ///< instructions; fewer hold few registers
constexpr size_t mostConditions = 4; ///< of one kernel; each costs two compiles
constexpr size_t longestKey = 200;   ///< of a condition's expression

StringRef firstPart(StringRef opcode) {
  return opcode.take_until([](char c) { return c == '.'; });
}

/// The parts of a value that is the same in all threads.
struct Sources {
  std::set<unsigned> parameters;   ///< by position
  std::set<std::string> constants; ///< variables in constant memory
  bool empty() const { return parameters.empty() && constants.empty(); }
};

/// The value of a predicate where a condition is fixed.
using Known = std::map<StringRef, std::optional<bool>>;

class KernelBranches {
public:
  explicit KernelBranches(const ptx::Function &function) : function_(function) {
    for (const auto &[i, s] : enumerate(function.statements)) {
      if (s.kind == Statement::Label) {
        labels_[s.name] = i;
        continue;
      }
      if (s.kind != Statement::Instruction || s.operands.empty())
        continue;
      const StringRef name = firstPart(s.name);
      if (name == "st" || name == "red" || name == "bra" || name == "call")
        continue;
      note(s.operands.front(), i);
    }
  }

  /// A text for a value that is the same in all threads; empty for another one.
  /// Collects what it is made of.
  std::string uniform(const Operand &operand, Sources &sources,
                      unsigned depth = 0) const {
    constexpr unsigned deepest = 8;
    if (operand.kind == Operand::Integer || operand.kind == Operand::Real)
      return std::to_string(operand.value);
    if (operand.kind != Operand::Name || depth > deepest)
      return "";
    auto found = definitions_.find(operand.name);
    if (found == definitions_.end() || found->second.size() != 1)
      return "";
    const Statement &s = function_.statements[found->second.front()];
    if (!s.guard.empty())
      return "";
    const StringRef name = firstPart(s.name);
    if (name == "ld" && s.operands.size() == 2) {
      const Operand address = addressIn(s);
      for (const auto &[index, parameter] : enumerate(function_.parameters))
        if (parameter.name == address.name) {
          sources.parameters.insert(index);
          return (address.name + "+" + Twine(address.value)).str();
        }
      // The variable itself, at a constant offset.
      if (s.name.starts_with("ld.const") && !address.name.empty() &&
          !address.name.starts_with("%")) {
        sources.constants.insert(address.name.str());
        return (address.name + "+" + Twine(address.value)).str();
      }
      return "";
    }
    if (!is_contained({"mov", "cvt", "and", "or", "xor", "not", "add", "sub",
                       "mul", "shl", "shr", "setp", "selp", "neg", "bfe"},
                      name))
      return "";
    std::string text = s.name.str() + "(";
    for (const Operand &part : drop_begin(s.operands)) {
      const std::string one = uniform(part, sources, depth + 1);
      if (one.empty() || text.size() > longestKey)
        return "";
      text += one + ",";
    }
    return text + ")";
  }

  /// The conditions by their text: the statements that compute each.
  std::map<std::string, std::vector<size_t>> conditions() const {
    std::map<std::string, std::vector<size_t>> found;
    for (const auto &[i, s] : enumerate(function_.statements)) {
      if (s.kind != Statement::Instruction || firstPart(s.name) != "setp" ||
          s.operands.size() != 3 || s.operands[0].kind != Operand::Name ||
          !s.guard.empty())
        continue;
      Sources sources;
      const std::string left = uniform(s.operands[1], sources);
      const std::string right = uniform(s.operands[2], sources);
      if (left.empty() || right.empty() || sources.empty() ||
          definitions_.at(s.operands[0].name).size() != 1)
        continue;
      found[(s.name + "(" + left + "," + right + ")").str()].push_back(i);
    }
    return found;
  }

  /// The address of a load; where a register holds that of a parameter or of
  /// constant memory, by name.
  Operand addressIn(const Statement &load) const {
    Operand address = load.operands[1];
    for (unsigned step = 0; step < 3 && address.name.starts_with("%"); ++step) {
      auto found = definitions_.find(address.name);
      if (found == definitions_.end() || found->second.size() != 1)
        break;
      const Statement &s = function_.statements[found->second.front()];
      const StringRef name = firstPart(s.name);
      if (!s.guard.empty() || (name != "mov" && name != "cvta") ||
          s.operands.size() != 2 || s.operands[1].kind != Operand::Name)
        break;
      address.name = s.operands[1].name;
    }
    return address;
  }

  Sources sourcesOf(size_t statement) const {
    Sources sources;
    for (const Operand &operand :
         drop_begin(function_.statements[statement].operands))
      uniform(operand, sources);
    return sources;
  }

  /// The branches and selections that a predicate decides.
  std::vector<size_t> usersOf(StringRef predicate) const {
    std::vector<size_t> users;
    for (const auto &[i, s] : enumerate(function_.statements))
      if (s.kind == Statement::Instruction &&
          (s.guard == predicate ||
           any_of(s.operands, [&](const Operand &operand) {
             return firstPart(s.name) == "selp" && operand.name == predicate;
           })))
        users.push_back(i);
    return users;
  }

  /// The statements that may run where these conditions have a value.
  BitVector reached(ArrayRef<size_t> conditions, bool value) const {
    Known known;
    for (size_t condition : conditions)
      known[function_.statements[condition].operands[0].name] = value;
    const size_t count = function_.statements.size();
    BitVector seen(count + 1);
    std::vector<size_t> open = {0};
    auto go = [&](size_t to) {
      if (to < count && !seen[to]) {
        seen.set(to);
        open.push_back(to);
      }
    };
    if (count)
      seen.set(0);
    while (!open.empty() && count) {
      const size_t at = open.back();
      open.pop_back();
      const Statement &s = function_.statements[at];
      const StringRef name =
          s.kind == Statement::Instruction ? firstPart(s.name) : "";
      const std::optional<bool> guard = valueOfGuard(s, known);
      const bool mayRun = guard.value_or(true), mustRun = guard.value_or(false);
      if (name == "bra" && mayRun && !s.operands.empty())
        if (auto label = labels_.find(s.operands[0].name);
            label != labels_.end())
          go(label->second);
      if (name == "brx")
        return BitVector(count + 1, true); // its targets are not followed
      const bool leaves =
          name == "bra" || name == "ret" || name == "exit" || name == "trap";
      if (!leaves || !mustRun)
        go(at + 1);
    }
    return seen;
  }

  /// True if instructions that write memory others see may run.
  bool works(const BitVector &reached) const {
    for (const auto &[i, s] : enumerate(function_.statements))
      if (reached[i] && s.kind == Statement::Instruction &&
          ((firstPart(s.name) == "st" && !s.name.contains("local") &&
            !s.name.contains("shared") && !s.name.contains("param")) ||
           is_contained({"atom", "red", "call", "sust"}, firstPart(s.name))))
        return true;
    return false;
  }

private:
  void note(const Operand &operand, size_t statement) {
    if (operand.kind == Operand::Name)
      definitions_[operand.name].push_back(statement);
    for (const Operand &part : operand.parts)
      note(part, statement);
  }

  /// True if the statement runs; none if that is not known. Without a guard it
  /// does.
  std::optional<bool> valueOfGuard(const Statement &s, Known &known) const {
    if (s.guard.empty())
      return true;
    const std::optional<bool> value = valueOf(s.guard, known, 0);
    return value && s.guardNegated ? std::optional<bool>(!*value) : value;
  }

  std::optional<bool> valueOf(StringRef predicate, Known &known,
                              unsigned depth) const {
    constexpr unsigned deepest = 16;
    if (auto found = known.find(predicate); found != known.end())
      return found->second;
    auto defined = definitions_.find(predicate);
    if (depth > deepest || defined == definitions_.end() ||
        defined->second.size() != 1)
      return std::nullopt;
    const Statement &s = function_.statements[defined->second.front()];
    const StringRef name = firstPart(s.name);
    std::optional<bool> result;
    auto operand = [&](size_t i) -> std::optional<bool> {
      if (i >= s.operands.size() || s.operands[i].kind != Operand::Name)
        return std::nullopt;
      const auto value = valueOf(s.operands[i].name, known, depth + 1);
      return value && s.operands[i].negated ? std::optional<bool>(!*value)
                                            : value;
    };
    if (s.name.ends_with(".pred")) {
      const auto a = operand(1), b = operand(2);
      if (name == "not" && a)
        result = !*a;
      else if (name == "mov")
        result = a;
      else if (name == "and" && ((a && !*a) || (b && !*b)))
        result = false;
      else if (name == "or" && ((a && *a) || (b && *b)))
        result = true;
      else if ((name == "and" || name == "or") && a && b)
        result = name == "and" ? *a && *b : *a || *b;
    }
    known[predicate] = result;
    return result;
  }

  const ptx::Function &function_;
  std::map<StringRef, std::vector<size_t>> definitions_;
  std::map<StringRef, size_t> labels_;
};

unsigned instructionsIn(const ptx::Function &function,
                        const BitVector &reached) {
  unsigned count = 0;
  for (const auto &[i, s] : enumerate(function.statements))
    count += reached[i] && s.kind == Statement::Instruction;
  return count;
}

/// `if`, `switch` or a conditional expression: code that chooses. The compiler
/// gives conditions that it makes itself, such as that of a loop's first
/// iteration, the place of another statement.
bool chooses(const SourceStatement &statement) {
  const StringRef text = statement.text;
  return text.starts_with("if") || text.starts_with("switch") ||
         text.contains('?');
}

/// The variable of the source behind a name of the PTX: "useTable" of
/// "_ZN5model8useTableE".
std::string variableOf(StringRef symbol) {
  const std::string whole = demangle(symbol.str());
  const size_t scope = StringRef(whole).rfind("::");
  return scope == StringRef::npos ? whole : whole.substr(scope + 2);
}

bool isWord(char c) { return isAlnum(c) || c == '_'; }

/// The only variable that a condition names, such as `scheme` in
/// "if (scheme > 1)": what a lambda or a structure carries has no name of its
/// own in the PTX. The statement itself if there are several.
std::string onlyVariable(StringRef text) {
  std::string found;
  StringRef rest = text;
  if (rest.consume_front("if") || rest.consume_front("switch"))
    rest = rest.ltrim();
  while (!rest.empty()) {
    const StringRef word =
        rest.take_while([](char c) { return isWord(c) || c == '.'; });
    rest = rest.drop_front(std::max<size_t>(1, word.size()));
    if (word.empty() || isDigit(word[0]) ||
        is_contained({"true", "false", "nullptr", "NULL", "constexpr"}, word))
      continue;
    if (rest.ltrim().starts_with("(") || rest.starts_with("::") ||
        (!found.empty() && found != word))
      return text.str();
    found = word.str();
  }
  return found.empty() ? text.str() : found;
}

/// The option as the statement spells it: "refine", "options.exact": the only
/// source of a condition, or the first of several. By what the statement names
/// where that has another name there.
std::string nameOf(const Sources &sources,
                   const std::vector<std::string> &names,
                   const SourceStatement &statement) {
  const StringRef text = statement.text;
  std::string name;
  if (!sources.parameters.empty()) {
    const unsigned parameter = *sources.parameters.begin();
    if (parameter < names.size())
      name = names[parameter];
  } else if (!sources.constants.empty()) {
    name = variableOf(*sources.constants.begin());
  }
  if (name.empty())
    return onlyVariable(text);
  for (size_t at = text.find(name); at != StringRef::npos;
       at = text.find(name, at + 1)) {
    const StringRef rest = text.substr(at + name.size());
    if ((at && isWord(text[at - 1])) || (!rest.empty() && isWord(rest[0])))
      continue;
    const StringRef members =
        rest.take_while([&](char c) { return isWord(c) || c == '.'; });
    return name + members.rtrim('.').str();
  }
  return onlyVariable(text);
}

} // namespace

Expected<std::vector<OptionCondition>>
optionConditions(StringRef ptx, StringRef kernel, StatementFiles &files) {
  auto module = ptx::parsePtx(ptx);
  if (!module)
    return module.takeError();
  auto origins = PtxOrigins::read(ptx);
  if (!origins)
    return origins.takeError();
  std::vector<OptionCondition> found;
  for (const ptx::Function &function : module->functions) {
    if (function.name != kernel || !function.isDefined)
      continue;
    std::vector<std::string> names;
    if (auto entry = (*origins)->kernel(kernel))
      if (const SourceStatements *source = files.of(entry->place.file))
        names = source->parametersAt(entry->place.line);
    const KernelBranches branches(function);
    for (const auto &[text, statements] : branches.conditions()) {
      std::vector<SourceFrame> frames;
      const SourceStatement *statement = nullptr;
      auto isChoice = [&](size_t at) {
        frames = (*origins)->framesAt(function.statements[at].line);
        erase_if(frames, [&](const SourceFrame &frame) {
          return files.isLibrary(frame.place.file);
        });
        const SourceStatements *source =
            frames.empty() ? nullptr : files.of(frames.front().place.file);
        statement = source ? source->at(frames.front().place.line,
                                        frames.front().place.column)
                           : nullptr;
        return statement && chooses(*statement);
      };
      // A comparison that the compiler has moved out of a loop has no place of
      // its own; its branches have one.
      const size_t first = statements.front();
      if (!isChoice(first) &&
          none_of(branches.usersOf(function.statements[first].operands[0].name),
                  isChoice))
        continue;
      const Place &place = frames.front().place;
      const BitVector taken = branches.reached(statements, true);
      const BitVector notTaken = branches.reached(statements, false);
      OptionCondition condition;
      const unsigned one = instructionsIn(function, taken);
      const unsigned other = instructionsIn(function, notTaken);
      condition.guarded = one > other ? one - other : other - one;
      if (condition.guarded < leastGuarded)
        continue;
      condition.branch.place = place;
      for (const SourceFrame &frame : drop_begin(frames))
        condition.branch.callSites.insert(condition.branch.callSites.begin(),
                                          frame.place);
      condition.branch.parameter =
          nameOf(branches.sourcesOf(first), names, *statement);
      condition.branch.worksTaken = branches.works(taken);
      condition.branch.worksNotTaken = branches.works(notTaken);
      for (size_t at : statements)
        condition.lines.push_back(function.statements[at].line);
      found.push_back(std::move(condition));
    }
  }
  stable_sort(found, [](const OptionCondition &a, const OptionCondition &b) {
    return a.guarded > b.guarded;
  });
  if (found.size() > mostConditions)
    found.resize(mostConditions);
  return found;
}

std::string withCondition(StringRef ptx, const OptionCondition &condition,
                          bool value) {
  const std::set<unsigned> lines(condition.lines.begin(),
                                 condition.lines.end());
  std::string text;
  for (unsigned number = 1; !ptx.empty(); ++number) {
    StringRef line;
    std::tie(line, ptx) = ptx.split('\n');
    const size_t opcode = lines.count(number) ? line.find("setp") : line.npos;
    const StringRef operands =
        opcode == line.npos ? "" : line.substr(line.find('%', opcode));
    const StringRef predicate =
        operands.take_until([](char c) { return c == ',' || c == '|'; }).trim();
    const size_t end = opcode == line.npos ? line.npos : line.find(';', opcode);
    if (predicate.empty() || end == line.npos)
      text += line;
    else
      text += (line.take_front(opcode) + "mov.pred " + predicate + ", " +
               (value ? "-1" : "0") + line.substr(end))
                  .str();
    text += '\n';
  }
  return text;
}

} // namespace warplint
