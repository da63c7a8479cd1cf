#include "findings/element_advice.h"
#include "base/listed.h"
#include "cost/neighbours.h"
#include "cost/terms.h"
#include "cost/tiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace warplint {

bool isWholeElement(const Kernel &kernel, const ShapeCosts &shape,
                    unsigned access) {
  const Waste group = waste(kernel, shape, access);
  return group.sectors > 0 && group.sectors == group.idealSectors;
}

/// Returns true for a text that is too long to be whole: what it ends with is
/// unknown.
static bool isCut(const Access &access) {
  return llvm::StringRef(access.text).ends_with("...");
}

bool isMember(const Access &access) {
  const llvm::StringRef text = access.text;
  if (isCut(access))
    return false;
  const size_t element = text.find_last_of("])");
  const llvm::StringRef end =
      element == llvm::StringRef::npos ? text : text.drop_front(element + 1);
  return end.contains('.') || end.contains("->");
}

bool leadsBack(const ExpressionGraph &graph, ValueId address, int64_t step) {
  Terms terms;
  addTerms(graph, address, 1, terms);
  return llvm::any_of(terms, [&](const auto &term) {
    const Op op = graph.node(withoutResizing(graph, term.first)).op;
    return term.second % step &&
           (op == Op::And || op == Op::Xor || op == Op::RemainderSigned ||
            op == Op::RemainderUnsigned) &&
           dependsOn(graph, term.first, {Op::ThreadIndex, Op::Lane});
  });
}

namespace {

/// Of a member, what stands behind its element: `pos.x` of `p[i].pos.x`.
llvm::StringRef memberPath(llvm::StringRef text) {
  const size_t element = text.find_last_of("])");
  if (element != llvm::StringRef::npos)
    text = text.drop_front(element + 1);
  const size_t from = text.find_first_of(".>");
  return text.drop_front(from + 1);
}

/// Returns true if each active lane is `step` bytes from the one before it in
/// its row of the block. The lanes of a permutation step over no elements.
bool isStepOfAll(const ShapeCosts &shape, unsigned index, int64_t step) {
  const Cost &cost = shape.costs[index];
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (lane % shape.shape.shape.x && cost.active >> lane & 1 &&
        cost.active >> (lane - 1) & 1 &&
        std::abs(int64_t(cost.addresses[lane] - cost.addresses[lane - 1])) !=
            step)
      return false;
  return true;
}

/// The name of the array that an access is to an element of: where the access
/// is to a member, what 'r.count' has in front of 'count' may be one element.
std::string arrayOf(const Kernel &kernel, const Access &access) {
  const std::string array =
      isMember(access) || isCut(access) ? variableOf(kernel, access) : "";
  if (!array.empty())
    return array;
  // Of 'r.count', where nothing says what 'r' is an element of.
  const llvm::StringRef object = access.object;
  return isMember(access) && object == access.text
             ? object.take_front(object.find_first_of(".-")).str()
             : access.object;
}

/// The members of the elements of an access's array that the kernel accesses,
/// in their order in the source.
std::vector<std::string> membersUsed(const Kernel &kernel,
                                     const Access &access) {
  const std::string array = arrayOf(kernel, access);
  std::vector<std::string> members;
  for (const Access &other : kernel.accesses) {
    if (other.space != access.space || !isMember(other) ||
        arrayOf(kernel, other) != array)
      continue;
    const std::string member = memberPath(other.text).str();
    if (!llvm::is_contained(members, member))
      members.push_back(member);
  }
  return members;
}

/// "keep 'x' and 'id' of all elements of 'p' side by side, ...".
std::string memberAdvice(const Kernel &kernel, const Access &access) {
  constexpr size_t fewMembers = 6;
  std::vector<std::string> members = membersUsed(kernel, access);
  const size_t more =
      members.size() > fewMembers ? members.size() - fewMembers + 1 : 0;
  members.resize(members.size() - more);
  for (std::string &member : members)
    member = "'" + member + "'";
  return "keep " + listed(members, more) + " of all elements of '" +
         arrayOf(kernel, access) + "' side by side, " +
         (members.size() > 1 ? "each " : "") + "in an array of its own";
}

/// Returns true for a component of a vector that is meant as one: alone it is
/// written as the flag that comes with the data, `line.w`, and where the kernel
/// moves the whole vector as well, other arrays would make four requests of
/// one.
bool isOfWholeVector(const Kernel &kernel, const Access &access, int64_t step) {
  const llvm::StringRef text = access.text;
  constexpr int64_t vectors[] = {8, 16};
  if (!isMember(access) || !llvm::is_contained(vectors, step) ||
      text.size() < 2 || !llvm::StringRef("xyzw").contains(text.back()) ||
      (text[text.size() - 2] != '.' && text[text.size() - 2] != '>'))
    return false;
  return llvm::none_of(kernel.accesses,
                       [&](const Access &other) {
                         return other.object == access.object &&
                                other.bytes == access.bytes &&
                                isMember(other) &&
                                other.text.back() != text.back();
                       }) &&
         (access.operation == Operation::Store ||
          llvm::any_of(kernel.accesses, [&](const Access &other) {
            return other.object == access.object && other.bytes == step;
          }));
}

} // namespace

std::string elementAdvice(const Kernel &kernel, const ShapeCosts &shape,
                          unsigned index, int64_t step) {
  const Access &access = kernel.accesses[index];
  const std::string object = arrayOf(kernel, access);
  // What threads or devices tell each other by lies as both expect it.
  if (access.isVolatile || isOfWholeVector(kernel, access, step))
    return {};
  // A call that returns what inline assembly loads is no array.
  if (object.empty() || llvm::StringRef(object).contains('(') ||
      step % access.bytes || step <= int64_t(access.bytes) ||
      step > largestElement)
    return {};
  const bool isWhole = isWholeElement(kernel, shape, index);
  if (!isWhole && (!isStepOfAll(shape, index, step) ||
                   leadsBack(kernel.graph, access.address, step)))
    return {};
  // Nobody makes that many arrays.
  constexpr int64_t fewArrays = 16;
  const std::string arrays =
      step / access.bytes > fewArrays
          ? ""
          : llvm::formatv("'{0}' as {1} arrays, one for each of the {1} "
                          "parts of an element of {2} bytes",
                          object, step / access.bytes, step)
                .str();
  constexpr int64_t widestAccess = 16;
  if (isWhole && step <= widestAccess && llvm::isPowerOf2_64(step))
    return llvm::formatv("let each thread {0} its {1} neighbouring elements of "
                         "'{2}' at once, as a vector of {3} bytes",
                         access.operation == Operation::Load ? "load" : "store",
                         step / access.bytes, object, step);
  // Then the array may well be one of single elements, in their order.
  if (isWhole)
    return llvm::formatv("let neighbouring lanes {0} neighbouring elements of "
                         "'{1}', and exchange them through shared memory or by "
                         "shuffles{2}{3}",
                         access.operation == Operation::Load ? "load" : "store",
                         object, arrays.empty() ? "" : "; or keep ", arrays);
  if (isMember(access))
    return memberAdvice(kernel, access);
  return arrays.empty()
             ? ""
             : "keep what neighbouring lanes touch side by side: " + arrays;
}

} // namespace warplint
