#include "findings/worse_kernel.h"

namespace warplint {

const Check &worseKernel() {
  static const Check check{
      .info =
          {
              .id = "worse-kernel",
              .summary = "a kernel that takes more than at the commit that it "
                         "is compared with",
              .why = R"(
'check --diff REV' compiles the sources that changed as they were at REV, too, and
compares each kernel with itself. One that spills more, has a larger stack frame, is
predicted to take over 5 % more cycles a warp ('warplint cost'), or lets fewer warps
into an SM is slower for all its launches, and nobody sees it in a review: an
innocent line moves a register count over a limit. Registers alone are no reason
while as many warps fit into an SM.)",
              .slow = "",
              .fast = "",
              .cures = R"(
- The notes list what changed: accesses with more sectors or bank conflicts,
  instructions by pipe, spills with their lines.
- 'warplint resources --explain' says what holds the registers.)",
              .whenNot = R"(
The kernel does more work now, on purpose. A kernel that is new is reported only if
it spills. Renaming a kernel, and moving lines, changes nothing.)",
              .level = Level::Likely,
              .since = "next",
              .ncu = "",
          },
      .inspect = nullptr,
      .judge = nullptr};
  return check;
}

} // namespace warplint
