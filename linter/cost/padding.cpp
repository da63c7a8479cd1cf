#include "cost/padding.h"
#include "cost/kernel_time.h"
#include "cost/reached.h"
#include "cost/vector_width.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <map>
#include <set>
#include <tuple>

namespace warplint {

namespace {

constexpr unsigned mostElements = 16;
constexpr uint64_t mostStaticShared = 48 * 1024;

/// An access to the array: its first request, and how often it runs.
struct Use {
  const Cost *cost;
  unsigned bytes;
  unsigned joined; ///< bytes of the instruction that executes it and neighbours
  double times;
};

/// An array of rows in shared memory, and its uses.
struct RowArray {
  const Object *object;
  uint64_t rowBytes, elementBytes;
  std::vector<Use> uses;
};

/// Returns true if the active lanes are as far apart as lanes that go along rows
/// or down a column: by one step, or by another one at the end of each. Those of
/// a permutation, such as a reversal of bits, are apart by many.
bool goAlongRows(const Cost &cost) {
  std::set<uint64_t> steps;
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (cost.active >> lane & cost.active >> (lane - 1) & 1)
      steps.insert(cost.addresses[lane] - cost.addresses[lane - 1]);
  return steps.size() <= 2;
}

/// Bytes of the rows that a kernel makes of an array of one extent, as in
/// `s[threadIdx.x * 128 + k]`: neighbouring lanes of the access are that far
/// apart, and the array is made of such rows. 0 if it does not.
uint64_t rowsByIndex(const Object &object, const Access &access,
                     const Cost &cost) {
  constexpr uint64_t shortestRow = 64;
  if (cost.basis != Basis::Exact || !(cost.active & 1) ||
      !(cost.active >> 1 & 1) || !goAlongRows(cost))
    return 0;
  const uint64_t step = cost.addresses[1] - cost.addresses[0];
  return step >= shortestRow && step <= object.bytes / 2 &&
                 object.bytes % step == 0 && step % access.bytes == 0
             ? step
             : 0;
}

/// The object that a request leads to; null if there is none.
const Object *objectOf(const AddressRanges &ranges, const Cost &cost) {
  return cost.active ? ranges.at(cost.addresses[llvm::countr_zero(cost.active)])
                     : nullptr;
}

/// Returns true if unknown sizes lead out of the array, as those of a matrix
/// that the kernel makes of its elements: its rows are not the array's.
bool leaves(const Object &object, const Cost &cost) {
  for (unsigned lane = 0; cost.isOpen() && lane < warpSize; ++lane)
    if (const int64_t offset = offsetInObject(cost.addresses[lane]);
        (cost.active >> lane & 1) &&
        (offset < 0 || offset >= int64_t(object.bytes)))
      return true;
  return false;
}

/// The array behind `access`, without its uses.
std::optional<RowArray> rowsOf(const CostedKernel &costed,
                               const ShapeCosts &shape,
                               const AddressRanges &ranges, unsigned access) {
  const Object *object = objectOf(ranges, shape.costs[access]);
  const Access &conflicting = costed.kernel.accesses[access];
  if (!object || object->space != Space::Shared || !conflicting.bytes)
    return std::nullopt;
  RowArray array{object, object->rowBytes, object->elementBytes, {}};
  if (array.rowBytes && leaves(*object, shape.costs[access]))
    return std::nullopt;
  if (!array.rowBytes) {
    array.rowBytes = rowsByIndex(*object, conflicting, shape.costs[access]);
    array.elementBytes = conflicting.bytes;
  }
  return array.rowBytes ? std::optional(array) : std::nullopt;
}

/// Returns false if there is one that is not followed.
bool addUses(const CostedKernel &costed, const ShapeCosts &shape,
             const AddressRanges &ranges, RowArray &array) {
  Frequencies &frequencies = timeOf(costed, shape).frequencies();
  for (unsigned i = 0; i < shape.costs.size(); ++i) {
    const Access &use = costed.kernel.accesses[i];
    const Cost &cost = shape.costs[i];
    if (use.space != Space::Shared || cost.isKeptOut)
      continue;
    if (cost.basis == Basis::Unknown || !cost.active)
      return false; // it may be of this array
    if (objectOf(ranges, cost) != array.object)
      continue;
    if (!use.bytes)
      return false;
    array.uses.push_back(
        {&cost, use.bytes,
         std::max(use.bytes, vectorBytes(costed.kernel, shape.shape.shape, i)),
         frequencies.of(use.loops, use.guard).perWarp});
  }
  return true;
}

unsigned waysWith(const RowArray &array, const Use &use,
                  uint64_t paddingBytes) {
  // Rows that are not aligned to it end the joined instruction.
  const unsigned bytes = paddingBytes % use.joined ? use.bytes : use.joined;
  std::array<uint64_t, warpSize> addresses = use.cost->addresses;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (use.cost->active >> lane & 1) {
      addresses[lane] += uint64_t(offsetInObject(addresses[lane])) /
                         array.rowBytes * paddingBytes;
      addresses[lane] -= addresses[lane] % bytes;
    }
  return conflictWays(addresses, use.cost->active, bytes);
}

double wavefrontsWith(const RowArray &array, uint64_t paddingBytes) {
  double sum = 0;
  for (const Use &use : array.uses)
    sum += use.times * waysWith(array, use, paddingBytes);
  return sum;
}

bool isWorseForOne(const RowArray &array, uint64_t paddingBytes) {
  return llvm::any_of(array.uses, [&](const Use &use) {
    return waysWith(array, use, paddingBytes) > waysWith(array, use, 0);
  });
}

/// Returns true if each access stays aligned to its width.
bool keepsAligned(const RowArray &array, uint64_t paddingBytes) {
  return llvm::none_of(
      array.uses, [&](const Use &use) { return paddingBytes % use.bytes; });
}

bool keepsJoined(const RowArray &array, uint64_t paddingBytes) {
  return llvm::none_of(
      array.uses, [&](const Use &use) { return paddingBytes % use.joined; });
}

uint64_t staticShared(const Kernel &kernel) {
  uint64_t bytes = 0;
  for (const Object &object : kernel.objects)
    if (object.space == Space::Shared)
      bytes += object.bytes;
  return bytes;
}

/// `forEach`: no access may take more wavefronts than without padding.
std::optional<Padding> bestPadding(const CostedKernel &costed,
                                   const RowArray &array, bool forEach) {
  const Object &object = *array.object;
  const uint64_t rows = object.bytes / array.rowBytes;
  Padding best;
  best.before = best.after = wavefrontsWith(array, 0);
  for (unsigned elements = 1; elements <= mostElements; ++elements) {
    const uint64_t bytes = elements * array.elementBytes;
    if (staticShared(costed.kernel) + rows * bytes > mostStaticShared)
      break;
    if (!keepsAligned(array, bytes) || (forEach && isWorseForOne(array, bytes)))
      continue;
    const double after = wavefrontsWith(array, bytes);
    const bool isFewer = after < best.after * 0.99;
    // With equal wavefronts, fewer instructions are cheaper.
    const bool isJoined =
        after <= best.after * 1.01 && best.elements &&
        keepsJoined(array, bytes) &&
        !keepsJoined(array, best.elements * array.elementBytes);
    if (isFewer || isJoined) {
      best.after = after;
      best.elements = elements;
    }
  }
  if (best.after > best.before * 0.9)
    return std::nullopt;
  best.extent = array.rowBytes / array.elementBytes + best.elements;
  best.isByIndex = !object.rowBytes;
  return best;
}

} // namespace

/// The paddings of the arrays of one shape, which their accesses share.
class Paddings {
public:
  explicit Paddings(const Kernel &kernel) : ranges_(kernel) {}

  std::optional<Padding> of(const CostedKernel &costed, const ShapeCosts &shape,
                            unsigned access) {
    std::optional<RowArray> array = rowsOf(costed, shape, ranges_, access);
    if (!array)
      return std::nullopt;
    const auto [known, isNew] = known_.try_emplace(
        {array->object, array->rowBytes, array->elementBytes});
    if (isNew && addUses(costed, shape, ranges_, *array)) {
      known->second = bestPadding(costed, *array, /*forEach=*/true);
      if (!known->second)
        known->second = bestPadding(costed, *array, /*forEach=*/false);
    }
    std::optional<Padding> own = known->second;
    if (own)
      own->ways = waysLeft(costed, shape, *array, *own, access);
    return own;
  }

private:
  /// Accesses that the compiler joins have them together.
  static double waysLeft(const CostedKernel &costed, const ShapeCosts &shape,
                         const RowArray &array, const Padding &padding,
                         unsigned access) {
    const Cost &cost = shape.costs[access];
    const unsigned bytes = costed.kernel.accesses[access].bytes;
    const Use use = {
        &cost, bytes,
        std::max(bytes, vectorBytes(costed.kernel, shape.shape.shape, access)),
        1};
    const double left =
        double(waysWith(array, use, padding.elements * array.elementBytes)) /
        waysWith(array, use, 0);
    return std::max(1.0, cost.ways * std::min(1.0, left));
  }

  const AddressRanges ranges_;
  std::map<std::tuple<const Object *, uint64_t, uint64_t>,
           std::optional<Padding>>
      known_; ///< by array, and the bytes of its rows and elements
};

std::optional<Padding> bestPadding(const CostedKernel &costed,
                                   const ShapeCosts &shape, unsigned access) {
  if (!shape.paddings)
    shape.paddings = std::make_shared<Paddings>(costed.kernel);
  return shape.paddings->of(costed, shape, access);
}

const std::string &rowsArrayOf(const Kernel &kernel, const Access &access) {
  if (const auto id = onlyObject(kernel, access.address))
    if (const Object &array = kernel.objects[*id];
        array.rowBytes && !array.name.empty())
      return array.name;
  return access.object;
}

} // namespace warplint
