#include "findings/wording.h"
#include "cost/loaded_data.h"
#include "cost/loop_bound.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace warplint {

std::string atLines(const std::set<Place> &places, const Place &seenFrom) {
  if (places.empty())
    return "";
  std::set<unsigned> lines;
  bool isElsewhere = false;
  for (const Place &place : places)
    if (llvm::sys::path::filename(place.file) ==
        llvm::sys::path::filename(seenFrom.file))
      lines.insert(place.line);
    else
      isElsewhere = true;
  if (lines.empty())
    return "at " + lineOf(*places.begin(), seenFrom) +
           (places.size() == 1
                ? ""
                : " and " + counted(places.size() - 1, "other line"));
  return (lines.size() == 1 ? "at line " : "at lines ") +
         std::to_string(*lines.begin()) +
         (lines.size() == 1 ? "" : " to " + std::to_string(*lines.rbegin())) +
         (isElsewhere ? ", and in other files" : "");
}

std::string everyIteration(const Kernel &kernel, const Access &access,
                           LoopId loop) {
  const std::string line = atLine(kernel.loops[loop].place, access.place);
  return isSelectedByData(kernel, access, loop)
             ? "those iterations of the loop" + line +
                   " that loaded data select"
             : "every iteration of the loop" + line;
}

std::string shapeNote(const KernelShape &shape, const Place &place) {
  std::string blocks = "blocks of " + shape.shape.text();
  switch (shape.source) {
  case ShapeSource::Launch:
    return "for " + blocks + ", launched at " + lineOf(shape.place, place);
  case ShapeSource::Policy:
    return "for " + blocks + ", as Kokkos launches " +
           (shape.place.file.empty()
                ? "this policy"
                : "the policy of " + lineOf(shape.place, place)) +
           " on CUDA";
  case ShapeSource::LaunchBounds:
    return "for " + blocks + ", the most that the launch bounds allow";
  case ShapeSource::Option:
    return "for " + blocks + ", as " +
           (shape.place.file.empty() ? "--block" : lineOf(shape.place, place)) +
           " says";
  case ShapeSource::Assumed:
    break;
  }
  return "assuming " + blocks +
         ": no launch of this code with a known shape was seen";
}

std::string templateName(const Kernel &kernel) {
  return kernel.name.substr(0, kernel.name.find('<'));
}

const std::string &shown(const Access &access) {
  return access.text.empty() ? access.object : access.text;
}

std::string othersNote(const Kernel &kernel,
                       llvm::ArrayRef<unsigned> accesses) {
  constexpr size_t few = 4;
  std::vector<std::string> names;
  for (unsigned i : accesses)
    if (!llvm::is_contained(names, shown(kernel.accesses[i])))
      names.push_back(shown(kernel.accesses[i]));
  if (names.size() < 2)
    return "";
  std::string text = "the same goes for ";
  for (size_t i = 1; i < std::min(few + 1, names.size()); ++i)
    text += (i > 1 ? ", '" : "'") + names[i] + "'";
  if (names.size() > few + 1)
    text += llvm::formatv(" and {0} more", names.size() - few - 1);
  return text;
}

/// What has to be constant for the bound to be so; nothing for what is read
/// from memory, such as a member of an argument.
static std::vector<std::string> constantsOf(const Kernel &kernel,
                                            ValueId bound) {
  const ExpressionGraph &graph = kernel.graph;
  std::vector<std::string> found;
  const bool isWhole = graph.walk(bound, [&](ValueId value) {
    const Node &node = graph.node(value);
    if (node.op == Op::Base || node.op == Op::Loaded)
      return ExpressionGraph::Walk::Stop;
    if (node.op != Op::Parameter && node.op != Op::BlockSize)
      return ExpressionGraph::Walk::Into;
    const std::string name = node.op == Op::BlockSize
                                 ? "the size of the block"
                                 : "'" + graph.text(value) + "'";
    if (!llvm::is_contained(found, name))
      found.push_back(name);
    return ExpressionGraph::Walk::Past;
  });
  llvm::sort(found);
  return isWhole ? found : std::vector<std::string>();
}

std::string boundCure(const Kernel &kernel, const Loop &loop) {
  const llvm::StringRef bound = loop.boundText;
  // The bound is a constant already, so something else is unknown.
  if (bound.empty() ||
      (loop.hasBound && kernel.graph.node(loop.bound).op == Op::Constant))
    return "";
  const std::string quoted = "'" + loop.boundText + "'";
  const auto &captured = loop.boundCaptured;
  const std::string line =
      captured ? std::to_string(captured->declared.line) : "";
  if (captured && captured->mayBeConst)
    return "declare " + quoted + " 'const' at line " + line;
  // Data or the thread decide, or nobody knows what does: no template argument
  // could be it.
  if (loop.hasBound ? !isOfArguments(kernel, loop.bound) : !captured)
    return "";
  const char *where =
      kernel.isDispatched ? "the function that dispatches" : "the kernel";
  // The View's type may contain the extent.
  if (kernel.isDispatched && bound.contains(".extent"))
    return "put " + quoted +
           " into the View's type, as 3 is in 'float *[3]', "
           "or make it a template parameter of " +
           where;
  // "n", "shape.columns".
  const bool isName = llvm::all_of(
      bound, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  // A local variable, or a helper's parameter, is made of the kernel's own.
  if (!captured && loop.hasBound)
    if (const auto constants = constantsOf(kernel, loop.bound);
        !constants.empty())
      return "make " + listed(constants) +
             (constants.size() == 1 ? " a template parameter of "
                                    : " template parameters of ") +
             where;
  if (!isName)
    return "let " + quoted + " be made of template parameters of " + where;
  return "make " + quoted +
         (captured ? " (captured from line " + line + ")" : "") +
         " a template parameter of " + where;
}

std::string boundCure(const Kernel &kernel, LoopId loop) {
  return dividesAmongThreads(kernel, loop)
             ? ""
             : boundCure(kernel, kernel.loops[loop]);
}

std::string quotedNames(llvm::ArrayRef<std::string> names) {
  std::vector<std::string> quoted;
  for (const std::string &name : names)
    quoted.push_back("'" + name + "'");
  return listed(quoted);
}

} // namespace warplint
