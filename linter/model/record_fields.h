// Lists the fields of the kernel model for records (cache/record.h).
#pragma once
#include "base/record_fields.h"
#include "model/outline.h"

namespace warplint {

// clang-format off
WARPLINT_FIELDS(Place, file, line, column)
WARPLINT_FIELDS(Shape, x, y, z)
WARPLINT_FIELDS(SizedGrid, grid, arguments)
WARPLINT_FIELDS(Launched, grid, arguments, place, sized, fitsAtOnce, ends)
WARPLINT_FIELDS(Tile, sizes, isGiven, elements, place)
WARPLINT_FIELDS(KernelShape, shape, source, place, launches, sharedMemory, tile, grids)
WARPLINT_FIELDS(Object, name, space, bytes, allocated, rowBytes, elementBytes)
WARPLINT_FIELDS(Index, text, value)
WARPLINT_FIELDS(LayoutSpelling, places, other)
WARPLINT_FIELDS(ArrayLayout, name, indexes, contiguous, spelling)
WARPLINT_FIELDS(Access, space, operation, bytes, address, alignment, guard, loops, region, barrierInterval, place, lastLine, callSites, text, object, need, isVolatile, isAsync, inLibrary, ofVector, ofOperator, noUserCode, resultUsed, isSum, storesSame, isNativeAtomic, isCombined, standsAlone, isRestrict, isReadOnly, storedLoads, storesElection, ofFragment, array, layout)
WARPLINT_FIELDS(CapturedVariable, declared, mayBeConst)
WARPLINT_FIELDS(Loop, place, callSites, parent, enters, continues, testsFirst, tripCount, mayWrap, unroll, unrollCount, bound, hasBound, boundText, boundCaptured, inLibrary, hasBarrier, hasFence, accumulators, hasChain)
WARPLINT_FIELDS(Barrier, guard, loops, place, callSites, inLibrary, othersReturn)
WARPLINT_FIELDS(Side, taken, work, hasAccess)
WARPLINT_FIELDS(Branch, guard, sides, loops, parent, place, callSites, inLibrary)
WARPLINT_FIELDS(Arithmetic, guard, loops, instructions, doubles, special, logic, products, operations)
WARPLINT_FIELDS(Input, source, invariantLoops, hasValue, index, part, constant,
                value)
WARPLINT_FIELDS(Written, place, callSites, text, operands, function, inLibrary, isCast)
WARPLINT_FIELDS(Computation, kind, type, from, lanes, isSigned, isApproximate, isRounded, isFused, isLeft, isStored, firstInput, inputCount, under, at)
WARPLINT_FIELDS(Array, name, place, bytes, type, passedTo, inLibrary, passedAt)
WARPLINT_FIELDS(HostCall, kind, name, what, place, calledAt, loop)
WARPLINT_FIELDS(LaunchBounds, maxThreads, minBlocks)
WARPLINT_FIELDS(Node, op, bits, pointer, first, count, number)
// clang-format on

/// Leaves out the hash index, which serves only to add nodes.
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

// clang-format off
WARPLINT_FIELDS(Kernel, name, mangled, place, bounds, isDispatched, shapes, graph, objects, accesses, loops, arrays, branches, barriers, arithmetic, operations, inputs, written, hostCalls, hasOwnMemory, notFollowed, isCompiled)
WARPLINT_FIELDS(OwnMemory, argument, bytes)
WARPLINT_FIELDS(FromCaller, function, parameters, arguments, isWhole)
WARPLINT_FIELDS(Launch, kernel, place, grid, block, arguments, sizesKnown, sharedMemory, byPolicy, tile, hostCalls, ownMemory, fromCaller, sized, fitsAtOnce, ends)
WARPLINT_FIELDS(KernelTemplate, name, place)
WARPLINT_FIELDS(KernelOutline, name, mangled, place, lines, notFollowed)
// clang-format on

} // namespace warplint
