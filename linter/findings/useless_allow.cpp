#include "findings/useless_allow.h"

namespace warplint {

const Check &uselessAllow() {
  static const Check check{
      .info =
          {
              .id = "useless-allow",
              .summary =
                  "a comment that should suppress a finding suppresses none",
              .why = R"(
A comment 'warplint: allow(...)' that has no reason or names no check
suppresses nothing. One whose finding is gone would suppress the next finding
there, which nobody has reviewed.)",
              .slow = "",
              .fast = "",
              .cures = R"(
- Remove it if it suppresses nothing any more.
- Give the reason after the brackets, for the next reader of the code.)",
              .whenNot = R"(
It suppresses a finding only if the source is compiled in another way: turn this
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
