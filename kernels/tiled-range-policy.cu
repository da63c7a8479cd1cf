// Kokkos kernels over the elements of Views of two and three indexes, each
// dispatched over tiles beside its twin over one range. To be built with a
// Kokkos that has CUDA; measured with Kokkos 4.6.
#include "twin.h"
#include <Kokkos_Core.hpp>

namespace {

const char *const check = "tiled-range-policy";

using Matrix = Kokkos::View<float **, Kokkos::LayoutLeft, Kokkos::CudaSpace,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
using Volume = Kokkos::View<float ***, Kokkos::LayoutLeft, Kokkos::CudaSpace,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <unsigned rank>
using Tiles = Kokkos::MDRangePolicy<Kokkos::Rank<rank>>;
using Range = Kokkos::RangePolicy<>;

template <class View> struct Operands {
  View z, x, y;
};

void addInTiles(const Operands<Matrix> &m) {
  const Matrix z = m.z, x = m.x, y = m.y;
  const int rows = z.extent(0), columns = z.extent(1);
  Kokkos::parallel_for(
      "add", Tiles<2>({0, 0}, {rows, columns}), // expect: tiled-range-policy
      KOKKOS_LAMBDA(int i, int j) { z(i, j) += 2 * x(i, j) + y(i, j); });
}

void addInWideTiles(const Operands<Matrix> &m) {
  const Matrix z = m.z, x = m.x, y = m.y;
  const int rows = z.extent(0), columns = z.extent(1);
  Kokkos::parallel_for(
      "add",
      Tiles<2>({0, 0}, {rows, columns}, {64, 4}),
      KOKKOS_LAMBDA(int i, int j) { z(i, j) += 2 * x(i, j) + y(i, j); });
}

void addInTiles(const Operands<Volume> &v) {
  const Volume z = v.z, x = v.x, y = v.y;
  const int n = z.extent(0), m = z.extent(1), k = z.extent(2);
  Kokkos::parallel_for(
      "add", Tiles<3>({0, 0, 0}, {n, m, k}), // expect: tiled-range-policy
      KOKKOS_LAMBDA(int i, int j, int l) {
        z(i, j, l) += 2 * x(i, j, l) + y(i, j, l);
      });
}

// All elements in the order in which they lie.
template <class View> void addInOneRange(const Operands<View> &o) {
  float *z = o.z.data();
  const float *x = o.x.data(), *y = o.y.data();
  Kokkos::parallel_for(
      "add", Range(0, o.z.size()),
      KOKKOS_LAMBDA(int k) { z[k] += 2 * x[k] + y[k]; });
}

// The same with both indexes, for bodies that need them.
void addByDivision(const Operands<Matrix> &m) {
  const Matrix z = m.z, x = m.x, y = m.y;
  const int rows = z.extent(0);
  Kokkos::parallel_for(
      "add", Range(0, z.size()), KOKKOS_LAMBDA(int k) {
        const int j = k / rows, i = k - j * rows;
        z(i, j) += 2 * x(i, j) + y(i, j);
      });
}

/// Three arrays of as many numbers, and a result of its own for either twin.
struct Arrays {
  explicit Arrays(std::size_t count)
      : x(twin::randomNumbers<float>(count, 0, 1, 1)),
        y(twin::randomNumbers<float>(count, 0, 1, 2)), slow(count),
        fast(count) {}
  template <class View, class... Extents>
  Operands<View> operands(twin::DeviceArray<float> &z, Extents... extents) {
    return {View(z.get(), extents...), View(x.get(), extents...),
            View(y.get(), extents...)};
  }
  twin::DeviceArray<float> x, y, slow, fast;
};

bool matrices() {
  const int rows = 8192, columns = 8192;
  Arrays a(std::size_t(rows) * columns);
  const auto slow = a.operands<Matrix>(a.slow, rows, columns);
  const auto fast = a.operands<Matrix>(a.fast, rows, columns);
  return twin::compare(
             {check, "matrix",
              "z += 2 x + y on 8192x8192 elements: tiles of 16x2, Kokkos' own "
              "choice -> one range"},
             [&] { addInTiles(slow); }, a.slow, [&] { addInOneRange(fast); },
             a.fast) &&
         twin::compare(
             {check, "matrix-both-indexes",
              "the same: tiles of 16x2 -> one range, and both indexes by a "
              "division"},
             [&] { addInTiles(slow); }, a.slow, [&] { addByDivision(fast); },
             a.fast) &&
         twin::compare({check, "matrix-large-tiles",
                        "the same: tiles of 64x4 -> one range"},
                       [&] { addInWideTiles(slow); }, a.slow,
                       [&] { addInOneRange(fast); }, a.fast);
}

bool volumes() {
  const int n = 384;
  Arrays a(std::size_t(n) * n * n);
  const auto slow = a.operands<Volume>(a.slow, n, n, n);
  const auto fast = a.operands<Volume>(a.fast, n, n, n);
  return twin::compare(
      {check, "volume",
       "the same on 384x384x384 elements: tiles of 16x2x2, Kokkos' own choice "
       "-> one range"},
      [&] { addInTiles(slow); }, a.slow, [&] { addInOneRange(fast); }, a.fast);
}

bool narrow() {
  const int rows = 1 << 25, columns = 3;
  Arrays a(std::size_t(rows) * columns);
  const auto slow = a.operands<Matrix>(a.slow, rows, columns);
  const auto fast = a.operands<Matrix>(a.fast, rows, columns);
  return twin::compare(
      {check, "three-columns",
       "the same on 33554432x3 elements: tiles of 16x2 -> one range"},
      [&] { addInTiles(slow); }, a.slow, [&] { addInOneRange(fast); }, a.fast);
}

} // namespace

int main(int argc, char *argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  return matrices() && volumes() && narrow() ? 0 : 1;
}
