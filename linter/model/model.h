// The model of a GPU source that checks inspect. Plain values; no Clang, no
// LLVM IR.
#pragma once
#include "model/computation.h"
#include "model/expression.h"
#include "model/place.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

enum class Space {
  Global,
  Shared,
  Local,
  Constant,
  Parameter,
  Texture, ///< or a surface: only the hardware knows the layout
  Unknown
};
enum class Operation { Load, Store, Atomic };

const char *spelling(Space space);         ///< "global", ...
const char *spelling(Operation operation); ///< "load", "store", "atomic"

/// The block's dimensions in threads.
struct Shape {
  unsigned x = 1, y = 1, z = 1;
  auto operator<=>(const Shape &) const = default;
  uint64_t threads() const { return uint64_t(x) * y * z; }
  /// At least one; the last may have fewer lanes.
  uint64_t warps() const {
    return threads() ? (threads() + warpSize - 1) / warpSize : 1;
  }
  std::string text() const; ///< "32x8x1"
};

/// The source of a kernel's block shape. Policy: a Kokkos policy, which fixes
/// the order of the threads and leaves their number to the library.
enum class ShapeSource { Launch, Policy, LaunchBounds, Option, Assumed };

/// The grid of a launch, such as `(n + 255) / 256`, where each size that only
/// the run knows is `size`. How often a loop over the grid goes round hardly
/// depends on the size.
struct SizedGrid {
  static constexpr uint64_t size = 1 << 22; ///< elements
  std::array<uint64_t, 3> grid = {};        ///< blocks along x, y and z
  /// By position; known are those that depend on a size of the grid's.
  std::vector<std::optional<uint64_t>> arguments;
  bool operator==(const SizedGrid &) const = default;
};

/// The constants of a launch: blocks along x, y and z, and arguments by
/// position. If a size is unknown, so is the grid: a probe value of the size
/// would not match a known grid.
struct Launched {
  std::array<std::optional<uint64_t>, 3> grid;
  std::vector<std::optional<uint64_t>> arguments;
  Place place = {}; ///< the first such launch; says nothing about what it is
  std::optional<SizedGrid> sized = {}; ///< of the first such launch, too
  bool fitsAtOnce = false; ///< a cooperative launch: the SMs hold all blocks
  /// The entries of `arguments`, in order, that stand for others: an end of
  /// what the host's conditions leave of a size, one of many values, what a
  /// variable has that other code may change. Counts use them; they shut no
  /// code out.
  std::vector<uint64_t> ends = {};
  /// Blocks in the grid, if known.
  std::optional<uint64_t> blocks() const;
  bool operator==(const Launched &other) const {
    return grid == other.grid && arguments == other.arguments &&
           ends == other.ends;
  }
};

/// The tile of indexes that a library's multi-dimensional policy maps to a
/// block.
struct Tile {
  std::vector<uint64_t> sizes; ///< by index
  bool isGiven = false;        ///< by the source; else by the library
  /// Elements of the whole range, the fewest of several launches; none if only
  /// the run knows.
  std::optional<uint64_t> elements;
  Place place; ///< the policy; empty if none was seen
  bool operator==(const Tile &) const = default;
};

struct KernelShape {
  Shape shape;
  ShapeSource source = ShapeSource::Assumed;
  Place place;                         ///< the launch; empty otherwise
  std::vector<Launched> launches = {}; ///< the distinct ones with this shape
  /// Dynamic shared memory in bytes, the maximum over launches with this shape;
  /// none if it is not constant in each launch, or there is no launch.
  std::optional<uint64_t> sharedMemory = {};
  std::optional<Tile> tile = {}; ///< that the block executes
  /// Blocks in the grids of its launches, distinct and in order, whatever else
  /// of a launch is unknown; empty if one of them is unknown.
  std::vector<uint64_t> grids = {};
};

/// An object in memory: an argument's target, a variable, an array.
struct Object {
  std::string name; ///< as the source names it
  Space space = Space::Unknown;
  uint64_t bytes = 0; ///< 0: unknown
  /// Of the memory that an argument leads to, the most that any launch passes;
  /// 0 if a launch may pass other memory.
  uint64_t allocated = 0;
  /// For an array with two or more extents: bytes of a row, the last extent,
  /// and of an element. 0 for other objects.
  uint64_t rowBytes = 0, elementBytes = 0;
};

/// One index of `a(i, j)`.
struct Index {
  std::string text; ///< "i"
  ValueId value = 0;
};

/// Where the source writes the layout of an array, or may write it: the first
/// template argument of its type, and of those of all arrays that have to have
/// the same layout. All of one file.
struct LayoutSpelling {
  std::vector<Place> places; ///< sorted, at least one
  std::string other;         ///< "Kokkos::LayoutLeft"; empty: not written there
};

/// The layout in the type of a library's array: a View, an mdspan.
struct ArrayLayout {
  std::string name; ///< "LayoutRight"
  std::vector<Index> indexes;
  unsigned contiguous = 0; ///< the index with stride 1
  /// None if it is not seen which array this is.
  std::optional<LayoutSpelling> spelling = {};
};

/// "LayoutLeft" for "LayoutRight", "layout_right" for "layout_left"; others as
/// they are.
std::string otherLayout(llvm::StringRef name);

/// How often the compiled code executes a load or a store.
enum class Need {
  EachTime,
  Once, ///< before or behind its innermost loop; a register keeps the value
  Never ///< a register has the value, or another store overwrites it
};

/// One load, store or atomic in a kernel's source.
struct Access {
  Space space = Space::Unknown; ///< by its type or base
  Operation operation = Operation::Load;
  unsigned bytes = 0;  ///< per lane; 0: a memcpy or memset, whose instructions
                       ///< the compiler chooses
  ValueId address = 0; ///< in bytes, from the base of its object
  /// Its address is a multiple of so many bytes, as its type says; 0: not said.
  unsigned alignment = 0;
  ValueId guard = 0;   ///< the condition under which a thread executes it
  std::vector<LoopId> loops; ///< around it, outermost first
  unsigned region = 0; ///< control-equivalent region: its accesses are executed
                       ///< together
  unsigned barrierInterval = 0; ///< number of barriers before it
  Place place;
  /// Of inline assembly that goes on below its first line; else 0. nvcc's line
  /// table has the line of its last input.
  unsigned lastLine = 0;
  std::vector<Place> callSites; ///< outermost first; empty: not inlined
  std::string text;             ///< "a.cols[r * ld + c]"; empty if it has none
  std::string object;           ///< "a.cols"; empty if it has none
  Need need = Need::EachTime;   ///< by LLVM's optimiser, not by the PTX
  bool isVolatile = false;
  bool isAsync = false;    ///< cp.async
  bool inLibrary = false;  ///< in library code; `a(i, j)` and `p[i]` count as
                           ///< the user's
  /// `a(i)` of a library's array with one index. Its stride, if it has one, is
  /// the choice of whoever passes the array, and mostly 1.
  bool ofVector = false;
  /// `a[i]` by an operator of a class, with one index.
  bool ofOperator = false;
  bool noUserCode = false; ///< in library code that no call in the user's code
                           ///< reaches, such as Kokkos' around the body
  bool storesSame = false; ///< a store of a value that is invariant in its
                           ///< innermost loop; without a loop, of a constant
  bool resultUsed = false; ///< of an atomic
  bool isSum = false;      ///< an atomic that adds
  /// An atomic that shared memory has an instruction for: 32-bit integers. The
  /// others are compare-and-swap loops there.
  bool isNativeAtomic = false;
  /// An atomic that ptxas combines across the lanes of a warp that update one
  /// address: 32-bit integers whose old value is unused, and constants (read
  /// from the machine code of CUDA 13.0 for sm_90).
  bool isCombined = false;
  /// An atomic whose updates one update cannot stand for: a compare-and-swap,
  /// and a counter that wraps around.
  bool standsAlone = false;
  /// Through a pointer that is declared '__restrict__', as a kernel's argument
  /// or as that of an inlined function.
  bool isRestrict = false;
  bool isReadOnly =
      false; ///< a load of what nobody writes: __ldg, ld.global.nc
  /// For a store: the loads of the same iteration whose values it stores, as
  /// they are or computed with; indexes into Kernel::accesses.
  std::vector<unsigned> storedLoads;
  /// A store of whether the old value of an atomic equals something: in shared
  /// memory, it tells a block that it is the last one, which does what is left.
  bool storesElection = false;
  /// A load or store of what a tensor core takes or gives: its instruction fixes
  /// which lane has which elements.
  bool ofFragment = false;
  std::optional<unsigned> array; ///< index into Kernel::arrays
  /// The layout of the subscripted multi-dimensional array, if its type has
  /// one.
  std::optional<ArrayLayout> layout;
};

/// A variable that is not const and that a lambda captures.
struct CapturedVariable {
  Place declared;
  /// Its initial value is a constant and nothing changes it: if it were const,
  /// the lambda would use the constant and capture nothing.
  bool mayBeConst = false;
};

enum class Unroll { Unsaid, Full, Count, Disabled };

struct Loop {
  Place place;
  std::vector<Place> callSites;
  std::optional<LoopId> parent;
  ValueId enters = 0;    ///< condition: the first iteration begins
  ValueId continues = 0; ///< condition: another iteration follows this one
  /// Its condition stands before the body: the last iteration executes no more
  /// than that.
  bool testsFirst = false;
  std::optional<uint64_t> tripCount; ///< if known at compile time
  /// Its counter may wrap around before the loop ends, as that of `i += step`
  /// with an unsigned step: nvcc cannot compute the number of iterations before
  /// the first one, and makes no copies of them.
  bool mayWrap = false;
  Unroll unroll = Unroll::Unsaid;
  unsigned unrollCount = 0;
  ValueId bound = 0; ///< the value that the exit condition compares with
  bool hasBound = false;
  std::string boundText; ///< as in the source: "n - 1"; may be empty
  std::optional<CapturedVariable> boundCaptured; ///< if the bound is one
  bool inLibrary = false;  ///< and no call in the user's code reaches it
  bool hasBarrier = false; ///< __syncthreads and the like
  bool hasFence = false;   ///< __threadfence and the like
  /// Sums, products, minima and maxima that each iteration continues with what
  /// it loads.
  unsigned accumulators = 0;
  /// An iteration goes on with what the one before has computed, and not as a
  /// counter or a sum does: a state, a position along a path.
  bool hasChain = false;
};

/// A barrier at which all threads of a block wait for each other:
/// __syncthreads, with or without a vote, and cooperative groups' block.sync().
/// Named barriers of some of the threads are none.
struct Barrier {
  ValueId guard = 0;         ///< the condition under which a thread reaches it
  std::vector<LoopId> loops; ///< around it, outermost first
  Place place;
  std::vector<Place> callSites; ///< outermost first; empty: not inlined
  bool inLibrary = false;       ///< and no call in the user's code reaches it
  /// Threads that do not reach it only return: no barrier, call or access to
  /// memory follows for them.
  bool othersReturn = false;
};

/// One side of a branch.
struct Side {
  ValueId taken = 0; ///< the condition under which a thread takes it
  /// Instructions up to where the sides reconverge. A division, an access to
  /// memory and each iteration of a loop count as several.
  double work = 0;
  bool hasAccess = false;
};

/// An `if`, a `?:`, a `switch`; no loop condition and no exit from a loop.
struct Branch {
  ValueId guard = 0; ///< the condition under which a thread reaches it
  std::vector<Side> sides;
  std::vector<LoopId> loops;      ///< around it, outermost first
  std::optional<unsigned> parent; ///< the innermost branch around it
  Place place;
  std::vector<Place> callSites;
  bool inLibrary = false;
};

/// Instructions that a thread executes when it reaches the code under one
/// condition in one nest of loops; accesses are among them.
struct Arithmetic {
  ValueId guard = 0;         ///< the condition under which a thread executes it
  std::vector<LoopId> loops; ///< around it, outermost first
  double instructions = 0;   ///< all of them
  double doubles = 0;        ///< of these on the FP64 pipe
  double special = 0;        ///< of these on the XU: reciprocals, conversions
  double logic = 0;          ///< of these on the ALU alone: logic, comparisons
  double products = 0;       ///< passes of the integer multiplier
  /// For floating-point numbers: a sum, a product, a quotient, a root or a
  /// function counts one, a fused multiply-add two.
  double operations = 0;
};

/// A per-thread array that remains memory once constant indexes are resolved.
struct Array {
  std::string name;
  Place place; ///< of its declaration
  uint64_t bytes = 0;
  std::string type;       ///< "float[16]"
  std::string passedTo;   ///< a function that is not inlined and takes its
                          ///< address; empty if there is none
  bool inLibrary = false; ///< declared in a library
  Place passedAt;         ///< the call, if it is in the user's files
};

struct LaunchBounds {
  unsigned maxThreads = 0, minBlocks = 0;
};

/// The request that a call of the host makes to the device.
enum class HostCallKind { Allocation, Free, Synchronisation, Copy };

/// A call of the host for which each iteration of a loop around a launch waits.
struct HostCall {
  HostCallKind kind = HostCallKind::Allocation;
  std::string name; ///< "cudaMalloc"
  std::string what; ///< that it allocates, frees or copies to; may be empty
  Place place;
  Place calledAt; ///< in the loop; empty if the call itself stands there
  Place loop;
  bool operator==(const HostCall &) const = default;
};

struct Kernel {
  std::string name;    ///< "ns::gather<float, 4>"
  std::string mangled; ///< as Clang spells it
  Place place;
  std::optional<LaunchBounds> bounds;
  /// The body of a library's dispatch, such as Kokkos::parallel_for. Its inputs
  /// are captured variables and members, not arguments.
  bool isDispatched = false;
  std::vector<KernelShape> shapes; ///< at least one
  ExpressionGraph graph;
  std::vector<Object> objects;  ///< by ObjectId
  std::vector<Access> accesses; ///< in the order of the code
  std::vector<Loop> loops;      ///< by LoopId; a loop comes after its parent
  std::vector<Array> arrays;
  std::vector<Branch> branches;        ///< a branch comes after its parent
  std::vector<Barrier> barriers;       ///< in the order of the code
  std::vector<Arithmetic> arithmetic;  ///< by condition and loops
  std::vector<Computation> operations; ///< in the order of the code
  std::vector<Input> inputs;           ///< of the operations
  std::vector<Written> written;        ///< places of the operations
  /// The calls in the loops around its launches.
  std::vector<HostCall> hostCalls;
  /// Every launch is seen, and each access to global memory goes through an
  /// argument for which each launch passes an allocation that no other argument
  /// leads to. The same of all instances of a template.
  bool hasOwnMemory = false;
  std::vector<std::string> notFollowed; ///< "recursion in 'f'", ...
  /// Read from PTX: the compiler has unrolled and moved code already.
  bool isCompiled = false;

  llvm::ArrayRef<Input> inputsOf(const Computation &computation) const {
    return llvm::ArrayRef(inputs).slice(computation.firstInput,
                                        computation.inputCount);
  }
  const Written &writtenOf(const Computation &computation) const {
    return written[computation.at];
  }
  /// The loops around a computation, outermost first.
  const std::vector<LoopId> &loopsOf(const Computation &computation) const {
    return arithmetic[computation.under].loops;
  }
  /// The loop behind those around it, outermost first.
  std::vector<LoopId> nestOf(LoopId loop) const {
    std::vector<LoopId> nest;
    for (std::optional<LoopId> at = loop; at; at = loops[*at].parent)
      nest.insert(nest.begin(), *at);
    return nest;
  }
};

/// A pointer argument that leads to an allocation of its own.
struct OwnMemory {
  unsigned argument = 0; ///< its position
  uint64_t bytes = 0;    ///< 0: unknown
};

/// The arguments of a launch that are parameters of a function of the host
/// which nothing in the source calls, or which a header declares, so that other
/// sources may call it, too.
struct FromCaller {
  std::string function; ///< its name without scopes
  unsigned parameters = 0;
  /// The parameter that each argument of the launch is; none: it is none.
  std::vector<std::optional<unsigned>> arguments;
  bool isWhole = true; ///< no other argument that may be a size is open
  bool operator==(const FromCaller &) const = default;
};

/// A launch in the source, with its constants.
struct Launch {
  std::string kernel; ///< mangled
  Place place;
  std::array<std::optional<uint64_t>, 3> grid, block;
  std::vector<std::optional<uint64_t>> arguments = {}; ///< whole numbers only
  bool sizesKnown = false; ///< every argument that may be a size is known
  std::optional<uint64_t> sharedMemory = {}; ///< dynamic, in bytes
  bool byPolicy = false;                     ///< a Kokkos dispatch
  std::optional<Tile> tile = {};             ///< that a block executes
  std::vector<HostCall> hostCalls = {};      ///< of the loop around it
  /// The pointer arguments that lead to allocations of their own; none where
  /// code that is not seen may launch the kernel.
  std::vector<OwnMemory> ownMemory = {};
  std::optional<FromCaller> fromCaller = {};
  std::optional<SizedGrid> sized = {}; ///< only of an unknown grid
  bool fitsAtOnce = false; ///< a cooperative launch: the SMs hold all blocks
  std::vector<uint64_t> ends = {}; ///< as those of Launched
};

} // namespace warplint
