// The block shapes of kernels: from their launches, or assumed.
#pragma once
#include "model/model.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace warplint {

/// Sets the block shapes of each kernel: those of its launches, else the one
/// that `given` returns, else its launch bounds (the most that a launch may
/// have), else `assumedBlock`.
void settleShapes(
    std::vector<Kernel> &kernels, llvm::ArrayRef<Launch> launches,
    llvm::function_ref<std::optional<KernelShape>(const Kernel &)> given);

inline void settleShapes(std::vector<Kernel> &kernels,
                         llvm::ArrayRef<Launch> launches,
                         const std::optional<Shape> &given) {
  settleShapes(kernels, launches, [&](const Kernel &) {
    return given ? std::optional(KernelShape{*given, ShapeSource::Option, {}})
                 : std::nullopt;
  });
}

} // namespace warplint
