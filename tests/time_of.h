// The time of a kernel that a test's text has.
#pragma once
#include "cost/kernel_time.h"
#include "read_text.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

namespace warplint {

struct TimeOf : testing::Test {
  SourceModel model;
  std::optional<CostedKernel> kernel;

  const KernelTime &read(const std::string &text) {
    model = readText(text);
    kernel.emplace(costed(model.kernels.at(0)));
    return timeOf(*kernel, kernel->shapes[0]);
  }
  /// The first load of the source whose object is 'a'.
  unsigned loadOfA() {
    const std::vector<Access> &all = kernel->kernel.accesses;
    return llvm::find_if(all,
                         [](const Access &one) {
                           return one.object == "a" &&
                                  one.operation == Operation::Load;
                         }) -
           all.begin();
  }
  /// The share that coalescing saves of the first access of this kind.
  double coalescing(const KernelTime &time, Operation operation) {
    const std::vector<Access> &all = kernel->kernel.accesses;
    const unsigned access = llvm::find_if(all,
                                          [&](const Access &one) {
                                            return one.operation == operation;
                                          }) -
                            all.begin();
    Demand saved = time.of(access);
    saved -= time.coalesced(access);
    return time.share(saved);
  }
};

} // namespace warplint
