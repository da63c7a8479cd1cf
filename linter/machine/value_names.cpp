#include "machine/value_names.h"
#include "base/readable_name.h"
#include "ptx/ptx_kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace warplint {
namespace {

/// True for the memory of a function's local variables, which the PTX names as
/// one: "__local_depot0".
bool isLocalDepot(const PtxObject &object) {
  return StringRef(object.symbol).starts_with("__local_depot");
}

/// True if `isFloat` tells that a value is not of a type; false for types that
/// the program names.
bool cannotHold(StringRef type, bool isFloat) {
  for (StringRef name : {"float", "double", "half"})
    if (type.contains(name))
      return !isFloat;
  for (StringRef name :
       {"int", "unsigned", "long", "short", "char", "bool", "size_t"})
    if (type.contains(name))
      return isFloat;
  return false;
}

} // namespace

std::string functionName(const std::string &mangled) {
  return mangled.empty() ? "" : shortKernelName(readableKernelName(mangled));
}

std::string specialName(StringRef name) {
  std::string lower = name.lower();
  StringRef rest = lower;
  rest.consume_front("%");
  rest.consume_front("sr_");
  static const std::pair<StringRef, StringRef> names[] = {
      {"tid", "threadIdx"},
      {"ctaid", "blockIdx"},
      {"ntid", "blockDim"},
      {"nctaid", "gridDim"}};
  auto [first, dimension] = rest.split('.');
  for (auto &[known, source] : names)
    if (first == known)
      return (source + (dimension.empty() ? "" : "." + dimension)).str();
  return rest.str();
}

std::vector<SourceFrame> ValueNames::withoutLibraries(
    const std::vector<SourceFrame> &frames) const {
  std::vector<SourceFrame> users;
  for (const SourceFrame &frame : frames)
    if (!files_.isLibrary(frame.place.file))
      users.push_back(frame);
  return users.empty() ? frames : users;
}

ValueNames::ValueNames(const PtxOrigins &ptx, const std::string &kernel,
                       StatementFiles &files)
    : ptx_(ptx), files_(files), kernel_(kernel) {
  auto entry = ptx.kernel(kernel);
  if (!entry)
    return;
  entry_ = std::move(*entry);
  if (const SourceStatements *source = files.of(entry_.place.file))
    names_[kernel] = source->parametersAt(entry_.place.line);
}

std::vector<SourceFrame> ValueNames::userFrames(unsigned line) const {
  return line ? withoutLibraries(ptx_.framesAt(line))
              : std::vector<SourceFrame>();
}

std::optional<RegisterOwner> ValueNames::writtenAt(unsigned line,
                                                   unsigned word) {
  auto origin = line ? ptx_.writtenAt(line, word) : std::nullopt;
  if (!origin)
    return std::nullopt;
  return named(*origin, ptx_.functionAt(line));
}

std::string ValueNames::parameterName(const std::string &function,
                                      unsigned index) {
  auto found = names_.find(function);
  if (found == names_.end()) {
    std::vector<std::string> names;
    if (auto entry = ptx_.kernel(function))
      if (const SourceStatements *source = files_.of(entry->place.file))
        names = source->parametersAt(entry->place.line);
    found = names_.emplace(function, std::move(names)).first;
  }
  if (index < found->second.size() && !found->second[index].empty())
    return found->second[index];
  return "parameter " + std::to_string(index + 1);
}

std::string ValueNames::objectName(const PtxObject &object,
                                   const std::string &function) {
  if (object.parameter)
    return parameterName(function, *object.parameter);
  return object.symbol.empty() || isLocalDepot(object)
             ? ""
             : readableVariableName(object.symbol);
}

/// The innermost statement that assigns; a value that is returned belongs to
/// the statement that calls.
ValueNames::Named
ValueNames::statementOf(const std::vector<SourceFrame> &frames) {
  Named last;
  for (const auto &[i, frame] : enumerate(frames)) {
    const SourceStatements *source = files_.of(frame.place.file);
    const SourceStatement *statement =
        source ? source->at(frame.place.line, frame.place.column) : nullptr;
    if (!statement)
      continue;
    last = {statement, source, i};
    if (statement->kind != SourceStatement::Return)
      return last;
  }
  return last;
}

void ValueNames::setPlace(RegisterOwner &owner,
                          const std::vector<SourceFrame> &frames, size_t at) {
  if (at >= frames.size())
    return;
  owner.place = frames[at].place;
  for (const SourceFrame &frame : drop_begin(frames, at + 1))
    owner.callSites.insert(owner.callSites.begin(), frame.place);
  // The function that the kernel's own text calls.
  if (frames.size() > 1)
    owner.function = functionName(frames[frames.size() - 2].function);
}

RegisterOwner ValueNames::named(const ValueOrigin &origin,
                                const std::string &function) {
  RegisterOwner owner;
  owner.bits = origin.bits;
  owner.isFloat = origin.isFloat;
  std::vector<SourceFrame> frames = withoutLibraries(origin.frames);
  Named named = statementOf(frames);
  bool isFinal = origin.isFinal;
  if (!named.statement && !origin.usedIn.empty()) {
    frames = withoutLibraries(origin.usedIn);
    named = statementOf(frames);
    isFinal = origin.isConvertedThere;
  }
  setPlace(owner, frames, named.frame);
  owner.name = objectName(origin.object, function);
  switch (origin.kind) {
  case ValueOrigin::Parameter:
    owner.kind = RegisterKind::Parameter;
    return owner;
  case ValueOrigin::Special:
    owner.kind = RegisterKind::Special;
    owner.name = specialName(origin.special);
    // `int i = threadIdx.x`
    if (!isFinal || !named.statement)
      return owner;
    break;
  case ValueOrigin::Address:
    owner.kind = RegisterKind::Address;
    if (owner.name.empty() && named.statement)
      owner.name = "`" + named.statement->text + "`";
    return owner;
  case ValueOrigin::Load:
    owner.kind = RegisterKind::Load;
    if (!isFinal) {
      if (owner.name.empty() && named.statement)
        owner.name = "`" + named.statement->text + "`";
      return owner;
    }
    break;
  default:
    break;
  }
  if (!named.statement)
    return owner;
  fromStatement(owner, origin, named, isFinal);
  return owner;
}

/// `isFinal`: the value is what the statement assigns.
void ValueNames::fromStatement(RegisterOwner &owner, const ValueOrigin &origin,
                               const Named &named, bool isFinal) {
  const SourceStatement &statement = *named.statement;
  const unsigned line = named.source->lineOf(statement);
  const bool isLoad = owner.kind == RegisterKind::Load;
  if (statement.kind == SourceStatement::Loop && origin.isInduction &&
      !origin.isFloat && !statement.names.empty()) {
    owner.kind = RegisterKind::Counter;
    owner.name = statement.names.front();
    return;
  }
  const bool assigns =
      statement.kind == SourceStatement::Assignment && !statement.names.empty();
  const StringRef type = statement.type;
  const bool isOtherType = !origin.isFloat && !isLoad &&
                           (type.contains("float") || type.contains("double"));
  if (origin.kind == ValueOrigin::Index || (assigns && isOtherType)) {
    owner.kind = RegisterKind::Index;
    owner.name = "`" + statement.text + "`";
    return;
  }
  if (origin.kind == ValueOrigin::Constant) {
    owner.kind = RegisterKind::Constant;
    owner.name = "";
  }
  // `if (x > most) most = x;` is one instruction, with the place of the `if`.
  if (!assigns && origin.isSelected) {
    std::vector<std::string> names = named.source->assignedUnder(statement);
    // `if (x > most) { most = x; index = i; }` is two.
    if (names.size() > 1)
      erase_if(names, [&](const std::string &name) {
        return cannotHold(named.source->typeOf(name, line), origin.isFloat);
      });
    if (names.size() == 1) {
      owner.kind = RegisterKind::Variable;
      owner.name =
          names.front() + named.source->extentsOf(names.front(), line);
      return;
    }
  }
  if (!assigns) {
    if (owner.kind == RegisterKind::Unnamed)
      owner.kind = RegisterKind::Intermediate;
    if (owner.name.empty())
      owner.name = "`" + statement.text + "`";
    return;
  }
  const std::string &name = statement.names.front();
  owner.name = name + named.source->extentsOf(name, line);
  owner.kind = isFinal ? RegisterKind::Variable : RegisterKind::Intermediate;
}

std::optional<RegisterOwner> ValueNames::elementAt(unsigned line) {
  if (!isLocalDepot(ptx_.accessedAt(line)) || ptx_.writtenAt(line))
    return std::nullopt;
  const std::vector<SourceFrame> frames = userFrames(line);
  const Named named = statementOf(frames);
  if (!named.statement || named.statement->names.empty() ||
      named.statement->kind != SourceStatement::Assignment)
    return std::nullopt;
  RegisterOwner owner;
  setPlace(owner, frames, named.frame);
  const std::string &name = named.statement->names.front();
  owner.kind = RegisterKind::Variable;
  owner.name = name + named.source->extentsOf(
                          name, named.source->lineOf(*named.statement));
  return owner;
}

RegisterOwner ValueNames::ofStatement(unsigned line, bool isAddress) {
  RegisterOwner owner;
  const std::vector<SourceFrame> frames = userFrames(line);
  const Named named = statementOf(frames);
  setPlace(owner, frames, named.frame);
  const PtxObject object = ptx_.accessedAt(line);
  if (object.isKnown() && !isLocalDepot(object) && isAddress) {
    owner.kind = RegisterKind::Address;
    owner.name = objectName(object, ptx_.functionAt(line));
    return owner;
  }
  if (!named.statement)
    return owner;
  owner.kind = RegisterKind::Intermediate;
  owner.name = named.statement->names.empty()
                   ? "`" + named.statement->text + "`"
                   : named.statement->names.front();
  return owner;
}

std::optional<RegisterOwner> ValueNames::parameterAt(unsigned offset) {
  for (const auto &[index, parameter] : enumerate(entry_.parameters))
    if (offset >= parameter.offset &&
        offset < parameter.offset + parameter.bytes) {
      RegisterOwner owner;
      owner.kind = RegisterKind::Parameter;
      owner.name = parameterName(kernel_, index);
      owner.place = entry_.place;
      return owner;
    }
  return std::nullopt;
}

} // namespace warplint
