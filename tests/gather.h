// A finding with something in each of its fields.
#pragma once
#include "findings/finding.h"

namespace warplint {

inline Finding gather() {
  Finding finding;
  finding.check = "dynamic-local-array";
  finding.place = {"/src/gather.cu", 21, 31};
  finding.callSites = {{"/src/main.cu", 7, 3}};
  finding.message = "index of 'count' varies";
  finding.notes = {"lane 0 reads a[0]"};
  finding.fix = "unroll";
  finding.kernels = {{"gather<4>",
                      "_Z6gatherILi4EEvPi",
                      "sm_90",
                      {Verdict::Confirmed, "64 local loads"}}};
  finding.about = "count";
  return finding;
}

} // namespace warplint
