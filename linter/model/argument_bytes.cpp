#include "model/argument_bytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace warplint {

ArgumentBytes::ArgumentBytes(llvm::ArrayRef<uint64_t> structures) {
  uint64_t next = structures.size() * bytesPerEntry;
  for (uint64_t bytes : structures) {
    starts_.push_back(next);
    next += llvm::alignTo(bytes, bytesPerEntry);
  }
}

std::optional<uint64_t> argumentByte(const ExpressionGraph &graph,
                                     ValueId loaded) {
  const Node &node = graph.node(loaded);
  if (node.op != Op::Loaded || node.count < 2)
    return std::nullopt;
  return graph.node(graph.operand(loaded, 1)).number;
}

std::optional<uint64_t> argumentBits(const Launched &launch, uint64_t byte,
                                     unsigned bits) {
  auto entry = [&](uint64_t position) {
    return position < launch.arguments.size() ? launch.arguments[position]
                                              : std::nullopt;
  };
  const unsigned skipped = byte % bytesPerEntry * 8;
  const auto low = entry(byte / bytesPerEntry);
  if (!low || skipped + bits > 64)
    return std::nullopt;
  uint64_t both = uint32_t(*low);
  if (skipped + bits > 32) {
    const auto high = entry(byte / bytesPerEntry + 1);
    if (!high)
      return std::nullopt;
    both |= *high << 32;
  }
  both >>= skipped;
  return bits < 64 ? both & llvm::maskTrailingOnes<uint64_t>(bits) : both;
}

bool isOfEnd(const Launched &launch, const ExpressionGraph &graph,
             ValueId value) {
  const Node &node = graph.node(value);
  if (launch.ends.empty())
    return false;
  if (node.op == Op::Parameter && node.count)
    return llvm::is_contained(launch.ends,
                              graph.node(graph.operand(value, 0)).number);
  const auto byte = argumentByte(graph, value);
  return byte && llvm::any_of(launch.ends, [&](uint64_t entry) {
           return entry >= *byte / bytesPerEntry &&
                  entry * bytesPerEntry <
                      *byte + llvm::divideCeil(node.bits, 8);
         });
}

bool restsOnEnd(const Launched &launched, const ExpressionGraph &graph,
                ValueId value) {
  using Walk = ExpressionGraph::Walk;
  return !launched.ends.empty() && !graph.walk(value, [&](ValueId id) {
    return isOfEnd(launched, graph, id) ? Walk::Stop : Walk::Into;
  });
}

std::optional<uint64_t> argumentEntry(const ExpressionGraph &graph,
                                      ValueId value) {
  constexpr uint64_t most = 1 << 14; // what CUDA passes has 32 KB
  const Node &node = graph.node(value);
  std::optional<uint64_t> entry;
  if (node.op == Op::Parameter && node.count)
    entry = graph.node(graph.operand(value, 0)).number;
  else if (const auto byte = argumentByte(graph, value);
           byte && *byte % bytesPerEntry == 0 && node.bits == 8 * bytesPerEntry)
    entry = *byte / bytesPerEntry;
  return entry && *entry < most ? entry : std::nullopt;
}

} // namespace warplint
