// A finding with something in each of its fields.
#pragma once
#include "findings/finding.h"

namespace warplint {

inline Finding gather() {
  return {"dynamic-local-array",
          Level::Likely,
          {"/src/gather.cu", 21, 31},
          {{"/src/main.cu", 7, 3}},
          "index of 'count' varies",
          {"lane 0 reads a[0]"},
          "unroll",
          {{"gather<4>",
            "_Z6gatherILi4EEvPi",
            "sm_90",
            {Verdict::Confirmed, "64 local loads"}}},
          "count",
          0};
}

} // namespace warplint
