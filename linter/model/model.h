// What a check may know of a GPU source. Plain values; no Clang, no LLVM IR.
#pragma once
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
  Texture, ///< or a surface: laid out as only the hardware knows
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
  std::string text() const; ///< "32x8x1"
};

/// Where a kernel's block shape comes from; Policy: from a Kokkos policy, which
/// settles the order of the threads and leaves their number to the library.
enum class ShapeSource { Launch, Policy, LaunchBounds, Option, Assumed };

/// What a launch gives a kernel, as far as it is constant: blocks along x, y
/// and z, and arguments by their position. The grid is left open as well if a
/// size is: a size that is made up would not fit it.
struct Launched {
  std::array<std::optional<uint64_t>, 3> grid;
  std::vector<std::optional<uint64_t>> arguments;
  /// Of the whole grid, if it is known.
  std::optional<uint64_t> blocks() const;
  bool operator==(const Launched &) const = default;
};

/// What a library's policy over several indexes makes a block of.
struct Tile {
  std::vector<uint64_t> sizes; ///< by index
  bool isGiven = false;        ///< in the source; else the library's choice
  /// Elements of the whole range, the fewest of several launches; none if they
  /// are known at run time only.
  std::optional<uint64_t> elements;
  Place place; ///< the policy; empty: none was seen
  bool operator==(const Tile &) const = default;
};

struct KernelShape {
  Shape shape;
  ShapeSource source = ShapeSource::Assumed;
  Place place;                         ///< the launch; empty otherwise
  std::vector<Launched> launches = {}; ///< with this shape, that differ
  /// Dynamic shared memory in bytes: the most that a launch with this shape
  /// asks for; none if there is a launch whose is not constant, or no launch.
  std::optional<uint64_t> sharedMemory = {};
  std::optional<Tile> tile = {}; ///< if the block is one
};

/// Something that has an address: an argument's target, a variable, an array.
struct Object {
  std::string name; ///< as the source names it
  Space space = Space::Unknown;
  uint64_t bytes = 0; ///< 0: not known
};

/// One index of `a(i, j)`.
struct Index {
  std::string text; ///< "i"
  ValueId value = 0;
};

/// What an array class of a library says of itself: a View, an mdspan.
struct ArrayLayout {
  std::string name; ///< "LayoutRight"
  std::vector<Index> indexes;
  unsigned contiguous = 0; ///< the index whose neighbours lie side by side
};

/// How often the compiler has to make the request that a load is.
enum class Need {
  EachTime,
  Once, ///< before its innermost loop; the value then stays in a register
  Never ///< the value is in a register from another load or store
};

/// One load, store or atomic in a kernel's source.
struct Access {
  Space space = Space::Unknown; ///< as far as its type or base says
  Operation operation = Operation::Load;
  unsigned bytes = 0;  ///< moved by one lane; 0: a memcpy or memset, which the
                       ///< compiler makes of instructions of its own
  ValueId address = 0; ///< in bytes, from the base of its object
  ValueId guard = 0;   ///< the condition under which a thread gets there
  std::vector<LoopId> loops; ///< around it, outermost first
  unsigned region = 0; ///< control-equivalent region: accesses of one number
                       ///< are executed together
  unsigned barrierInterval = 0; ///< barriers in the code before it
  Place place;
  std::vector<Place> callSites; ///< outermost first; empty: not inlined
  std::string text;             ///< "a.cols[r * ld + c]"; empty if it has none
  std::string object;           ///< "a.cols"; empty if it has none
  Need need = Need::EachTime;   ///< as LLVM's optimiser sees it, not the judge
  bool isVolatile = false;
  bool isAsync = false;    ///< cp.async
  bool inLibrary = false;  ///< inside of what a call of a library does; what
                           ///< `a(i, j)` and `p[i]` do is the user's
  bool noUserCode = false; ///< nor does any call to it stand in the user's
                           ///< code: what Kokkos does around the body
  bool storesSame = false; ///< a store of what its innermost loop does not
                           ///< make (a constant, an argument); of a constant,
                           ///< if there is no loop
  bool resultUsed = false; ///< of an atomic
  bool isSum = false;      ///< an atomic that adds
  /// An atomic of the kind that shared memory does by itself: integers of 32
  /// bits. Others are loops of compare-and-swap there.
  bool isNativeAtomic = false;
  /// An atomic that ptxas makes once for all lanes of a warp if they update one
  /// address: integers of 32 bits whose old value nobody asks for, and
  /// constants (read from the machine code of CUDA 13.0 for sm_90).
  bool isCombined = false;
  std::optional<unsigned> array; ///< index into Kernel::arrays
  /// Of the array of several dimensions that is subscripted, if it has one.
  std::optional<ArrayLayout> layout;
};

/// A variable that a lambda captured and that is not const.
struct CapturedVariable {
  Place declared;
  /// Its first value is a constant and nothing changes it: were it const, there
  /// would be nothing to capture.
  bool mayBeConst = false;
};

enum class Unroll { Unsaid, Full, Count, Disabled };

struct Loop {
  Place place;
  std::vector<Place> callSites;
  std::optional<LoopId> parent;
  ValueId enters = 0;    ///< condition: the first iteration is begun
  ValueId continues = 0; ///< condition: after this iteration comes another
  std::optional<uint64_t> tripCount; ///< if known at compile time
  Unroll unroll = Unroll::Unsaid;
  unsigned unrollCount = 0;
  ValueId bound = 0; ///< what the exit condition compares with
  bool hasBound = false;
  std::string boundText; ///< as in the source: "n - 1"; may be empty
  std::optional<CapturedVariable> boundCaptured; ///< if it is one
  bool inLibrary = false;  ///< nor does any call to it stand in the user's code
  bool hasBarrier = false; ///< __syncthreads and the like
  bool hasFence = false;   ///< __threadfence and the like
};

/// One way to go at a branch.
struct Side {
  ValueId taken = 0; ///< the condition under which a thread goes there
  /// Instructions on it until all ways meet again, with several for a division
  /// or an access to memory and for each iteration of a loop.
  double work = 0;
  bool hasAccess = false;
};

/// An `if`, a `?:`, a `switch`: not the condition of a loop, and no way out of
/// one.
struct Branch {
  ValueId guard = 0; ///< the condition under which a thread gets there
  std::vector<Side> sides;
  std::vector<LoopId> loops;      ///< around it, outermost first
  std::optional<unsigned> parent; ///< the innermost branch that it is a side of
  Place place;
  std::vector<Place> callSites;
  bool inLibrary = false;
};

/// A per-thread array that is still memory when nothing but constant indexes
/// has been resolved.
struct Array {
  std::string name;
  Place place; ///< of its declaration
  uint64_t bytes = 0;
  std::string type;       ///< "float[16]"
  std::string passedTo;   ///< a function that is not inlined and gets its
                          ///< address; empty if there is none
  bool inLibrary = false; ///< declared in a library
  Place passedAt;         ///< the call, as far as it is in the user's files
};

struct LaunchBounds {
  unsigned maxThreads = 0, minBlocks = 0;
};

struct Kernel {
  std::string name;    ///< "ns::gather<float, 4>"
  std::string mangled; ///< as Clang spells it
  Place place;
  std::optional<LaunchBounds> bounds;
  /// The body of a library's dispatch, such as Kokkos::parallel_for: what it
  /// takes are captured variables and members, no arguments.
  bool isDispatched = false;
  std::vector<KernelShape> shapes; ///< at least one
  ExpressionGraph graph;
  std::vector<Object> objects;  ///< by ObjectId
  std::vector<Access> accesses; ///< in the order of the code
  std::vector<Loop> loops;      ///< by LoopId; a loop comes after its parent
  std::vector<Array> arrays;
  std::vector<Branch> branches;         ///< a branch comes after its parent
  std::vector<std::string> notFollowed; ///< "recursion in 'f'", ...
  /// Read from PTX: what the compiler unrolls, moves and keeps is done.
  bool isCompiled = false;
};

/// A launch in the source, with what is constant of it.
struct Launch {
  std::string kernel; ///< mangled
  Place place;
  std::array<std::optional<uint64_t>, 3> grid, block;
  std::vector<std::optional<uint64_t>> arguments = {}; ///< whole numbers only
  bool sizesKnown = false; ///< no argument that may be a size is left open
  std::optional<uint64_t> sharedMemory = {}; ///< dynamic, in bytes
  bool byPolicy = false;                     ///< a Kokkos dispatch
  std::optional<Tile> tile = {};             ///< if its block is one
};

} // namespace warplint
