#include "findings/selection_edit.h"
#include "cost/compile_time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace warplint {

namespace {

bool isData(NotKnown::Cause cause) {
  return cause == NotKnown::Cause::Memory ||
         cause == NotKnown::Cause::Argument || cause == NotKnown::Cause::Other;
}

/// 8 for "float[8]"; none for more than one extent.
std::optional<uint64_t> elementsOf(llvm::StringRef type) {
  uint64_t elements = 0;
  type = type.drop_until([](char c) { return c == '['; });
  if (!type.consume_front("[") || type.consumeInteger(10, elements) ||
      type != "]")
    return std::nullopt;
  return elements;
}

} // namespace

std::optional<Fix> selectionFor(const Kernel &kernel, unsigned index) {
  const Array &array = kernel.arrays[index];
  constexpr uint64_t mostElements = 16;
  const std::optional<uint64_t> elements = elementsOf(array.type);
  if (!array.passedTo.empty() || !elements || *elements > mostElements)
    return std::nullopt;
  std::vector<std::string> texts;
  for (const Access &access : kernel.accesses) {
    if (access.array != index)
      continue;
    const std::optional<NotKnown> why = whyNotKnown(kernel, access.address);
    if (!why)
      continue;
    if (why->loop || !isData(why->cause) || !access.callSites.empty() ||
        access.text.empty() || access.place.file != array.place.file)
      return std::nullopt;
    if (!llvm::is_contained(texts, access.text))
      texts.push_back(access.text);
  }
  return Fix{.change = Change::SelectElement,
             .at = array.place,
             .name = llvm::join(texts, "; "),
             .number = *elements};
}

} // namespace warplint
