#include "kept/records.h"
#include "compiled/compiled.h"
#include "reading.h"
#include "shard.h"
#include <cereal/archives/binary.hpp>
#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>

namespace warplint {

/// All fields of a struct. A field that is left out here does not compile.
#define WARPLINT_FIELDS(type, ...)                                             \
  template <typename Archive> void serialize(Archive &archive, type &all) {    \
    auto &[__VA_ARGS__] = all;                                                 \
    archive(__VA_ARGS__);                                                      \
  }

// clang-format off
WARPLINT_FIELDS(Place, file, line, column)
WARPLINT_FIELDS(Shape, x, y, z)
WARPLINT_FIELDS(Launched, grid, arguments)
WARPLINT_FIELDS(Tile, sizes, isGiven, elements, place)
WARPLINT_FIELDS(KernelShape, shape, source, place, launches, sharedMemory, tile)
WARPLINT_FIELDS(Object, name, space, bytes)
WARPLINT_FIELDS(Index, text, value)
WARPLINT_FIELDS(ArrayLayout, name, indexes, contiguous)
WARPLINT_FIELDS(Access, space, operation, bytes, address, guard, loops, line, phase, place, callSites, text, object, need, isVolatile, isAsync, inLibrary, noUserCode, resultUsed, isSum, storesSame, isNativeAtomic, isCombined, array, layout)
WARPLINT_FIELDS(CapturedVariable, declared, mayBeConst)
WARPLINT_FIELDS(Loop, place, callSites, parent, enters, continues, tripCount, unroll, unrollCount, bound, hasBound, boundText, boundCaptured, inLibrary, hasBarrier, hasFence)
WARPLINT_FIELDS(Side, taken, work, hasAccess)
WARPLINT_FIELDS(Branch, guard, sides, loops, parent, place, callSites, inLibrary)
WARPLINT_FIELDS(Array, name, place, bytes, type, passedTo, inLibrary, passedAt)
WARPLINT_FIELDS(LaunchBounds, maxThreads, minBlocks)
WARPLINT_FIELDS(Node, op, bits, pointer, first, count, number)
WARPLINT_FIELDS(Kernel, name, mangled, place, bounds, isDispatched, shapes, graph, objects, accesses, loops, arrays, branches, notFollowed, isCompiled)
WARPLINT_FIELDS(Launch, kernel, place, grid, block, arguments, sizesKnown, sharedMemory, byPolicy, tile)
WARPLINT_FIELDS(KernelOutline, name, mangled, place, lines, notFollowed)
WARPLINT_FIELDS(Coverage::Example, place, text)
WARPLINT_FIELDS(Coverage::Reason, count, first)
WARPLINT_FIELDS(Coverage, expressions, withAccess, without, unexplained, withoutExpression)
WARPLINT_FIELDS(ParseError, file, line, column, text)
WARPLINT_FIELDS(DroppedKernel, name, place, error)
WARPLINT_FIELDS(SourceModel, kernels, coverage, launches, errors, notRead, systemFiles, userFiles, addressed, asked, libraries)
WARPLINT_FIELDS(Reading, model, whyNot, key)
WARPLINT_FIELDS(Outline, kernels, launches, errors, notRead, userFiles, addressed)
WARPLINT_FIELDS(LastReading, system, own, libraries, key, outline)
WARPLINT_FIELDS(Judgement, verdict, evidence)
WARPLINT_FIELDS(FindingKernel, name, mangled, architecture, judgement, subject, place)
WARPLINT_FIELDS(Finding, check, level, place, callSites, message, notes, fix, kernels, about, weight)
WARPLINT_FIELDS(CompileOutcome, whyNot, isWhole, byChance)
WARPLINT_FIELDS(Linted, findings, compile)
WARPLINT_FIELDS(SourceOutcome, source, hasToolkit, whyNot, outline, errorPlace, notes, linted, isCrashed, enabled, reported, uselessLevel)
WARPLINT_FIELDS(Outcomes, sources, notes, areAll)
WARPLINT_FIELDS(Figure, place, space, operation, accessed, words, isKnown, value, ideal, kernels)
WARPLINT_FIELDS(SpillLine, file, line, instructions)
WARPLINT_FIELDS(LaunchOccupancy, block, percent, limit)
WARPLINT_FIELDS(ResourceRow, kernel, signature, mangled, architecture, source, place, toolkit, flags, registers, stack, spillStores, spillLoads, arrays, spills, other, shared, barriers, occupancy, launches, spillLines)
WARPLINT_FIELDS(MissingReport, source, why)
WARPLINT_FIELDS(ResourceReport, warplint, rows, missing, notes)
WARPLINT_FIELDS(Surroundings, figures, resources)
WARPLINT_FIELDS(ShardReport, program, index, count, total, places, outcomes, around)
WARPLINT_FIELDS(CalleeUsage, name, stackFrame, spillStores, spillLoads)
WARPLINT_FIELDS(Usage, kernel, architecture, registers, stackFrame, spillStores, spillLoads, sharedMemory, barriers, callees)
WARPLINT_FIELDS(LocalInstruction, isStore, file, line, bytes, frameOffset, isMarkedSpill, function)
WARPLINT_FIELDS(SharedInstruction, isStore, bytes, file, line)
WARPLINT_FIELDS(LaunchLimits, maxThreads, minBlocks, maxRegisters, commandRegisters)
WARPLINT_FIELDS(LocalPiece, offset, bytes, used, isDynamic, isStored, isParameter, passedTo, places)
WARPLINT_FIELDS(LocalMemory, function, isKernel, bytes, alignment, pieces, calls, callsThroughPointers, hasAlloca, allocas, pointerCalls)
WARPLINT_FIELDS(CompiledKernel, usage, locals, shared, limits, withoutLimits, memory)
WARPLINT_FIELDS(CompiledUnit, architecture, kernels, functions, reportIsCutOff, ptx, ptxFile, whyNot, endedByChance)
// clang-format on
#undef WARPLINT_FIELDS

/// The nodes are all there is to a graph: its index is for who adds some.
struct GraphRecord {
  template <typename Archive>
  static void fields(Archive &archive, ExpressionGraph &graph) {
    archive(graph.nodes_, graph.operands_, graph.texts_);
  }
};

template <typename Archive>
void serialize(Archive &archive, ExpressionGraph &graph) {
  GraphRecord::fields(archive, graph);
}

template <typename T> std::string toRecord(const T &value) {
  std::ostringstream out;
  {
    cereal::BinaryOutputArchive archive(out);
    archive(value);
  }
  return out.str();
}

template <typename T> std::optional<T> fromRecord(llvm::StringRef bytes) {
  std::istringstream in(bytes.str());
  // Cereal's word for what is cut off; a size of nonsense asks for too much.
  try {
    cereal::BinaryInputArchive archive(in);
    T value;
    archive(value);
    return value;
  } catch (const std::exception &) {
    return std::nullopt;
  }
}

#define WARPLINT_RECORD(...)                                                   \
  template std::string toRecord(const __VA_ARGS__ &);                          \
  template std::optional<__VA_ARGS__> fromRecord(llvm::StringRef)

WARPLINT_RECORD(Reading);
WARPLINT_RECORD(SourceModel);
WARPLINT_RECORD(LastReading);
WARPLINT_RECORD(Linted);
WARPLINT_RECORD(CompiledUnit);
WARPLINT_RECORD(ShardReport);
WARPLINT_RECORD(std::vector<Launch>);
WARPLINT_RECORD(std::vector<std::string>);
#undef WARPLINT_RECORD

} // namespace warplint
