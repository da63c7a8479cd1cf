#include "findings/useless_allow.h"

namespace warplint {

const Check &uselessAllow() {
  static const Check check{
      .info =
          {
              .id = "useless-allow",
              .summary = "a comment that is to take a finding away takes none",
              .why = R"(
A comment 'warplint: allow(...)' that has no reason or names no check hides
nothing. One whose finding is gone hides the next one that comes, which nobody
has looked at.)",
              .slow = "",
              .fast = "",
              .cures = R"(
- Take it away where it hides nothing any more.
- Say why, behind the brackets: the reason is for whoever reads the code next.)",
              .whenNot = R"(
It hides a finding only where the source is compiled in another way: iteration this
check off in .warplint.yaml.)",
              .level = Level::Opinion,
              .since = "next",
              .ncu = "",
          },
      .inspect = nullptr,
      .judge = nullptr};
  return check;
}

} // namespace warplint
