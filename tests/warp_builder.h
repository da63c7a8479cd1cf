// Kernels by hand, and what a warp computes in them.
#pragma once
#include "cost/warp.h"
#include "model_builder.h"

namespace warplint {

struct WarpBuilder : ModelBuilder {
  LaneValues lanes(ValueId value, Shape shape = {32, 1, 1}, unsigned index = 0,
                   Iterations iterations = {}, unsigned trial = 0) {
    Evaluation evaluation(kernel);
    return Warp(evaluation, shape, index, 0, trial).evaluate(value, iterations);
  }
  uint32_t may(ValueId condition, Shape shape = {32, 1, 1},
               unsigned index = 0) {
    Evaluation evaluation(kernel);
    return Warp(evaluation, shape, index, 0, 0).may(condition, Iterations());
  }
};

} // namespace warplint
