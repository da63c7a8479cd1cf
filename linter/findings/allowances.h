// Reads comments that suppress findings, each with its reason:
//
//   a[i * n] = 0; // warplint: allow(strided-global-access) runs once
//   // warplint: allow(strided-global-access, shared-bank-conflict) runs once
//   a[i * n] = s[i * 32];
//   /* warplint: allow(register-spill) measured: worth it */
//   __global__ void kernel(...)
//   // warplint: allow-file(uniform-global-load) generated
//
// A comment behind code applies to its line; one on its own line applies to the
// next statement or, in the head of a kernel, to the whole kernel.
#pragma once
#include "input/source_text.h"
#include "model/outline.h"
#include <string>
#include <vector>

namespace warplint {

/// One id in such a comment.
struct Allowance {
  Place place; ///< of the word "warplint"
  std::string check;
  std::string reason;
  bool ofFile = false;
  unsigned first = 0, last = 0; ///< the lines that it applies to
  size_t begin = 0;             ///< the comment's first byte
  size_t means = 0;             ///< the first byte of code that it applies to
  std::string wrong;            ///< the error: a misspelt word, no ')'
};

/// Every allowance in the text of `file`.
std::vector<Allowance> readAllowances(const std::string &file,
                                      const SourceText &text);

/// Returns true if it stands in the head of a kernel of its file, or before it.
bool isOfKernel(const Allowance &allowance, const SourceText &text,
                const KernelOutline &kernel);

} // namespace warplint
