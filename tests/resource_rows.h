// Rows of resources, and the comparison of two reports of them.
#pragma once
#include "report/resources/resource_changes.h"

namespace warplint {

inline ResourceRow row(std::string signature, std::string source = "a.cu") {
  ResourceRow row;
  row.kernel = row.signature = std::move(signature);
  row.architecture = "sm_90";
  row.source = std::move(source);
  row.toolkit = "13.0.88";
  row.registers = 32;
  row.stack = row.spillStores = row.spillLoads = row.shared = 0;
  return row;
}

inline ResourceRow with(ResourceRow row, unsigned registers,
                        unsigned spill = 0) {
  row.registers = registers;
  row.spillStores = row.spillLoads = spill;
  row.stack = spill;
  return row;
}

inline ResourceComparison compare(std::vector<ResourceRow> before,
                                  std::vector<ResourceRow> after) {
  ResourceReport old, now;
  old.rows = std::move(before);
  now.rows = std::move(after);
  return compareResources(old, now, [](const ResourceRow &) { return true; });
}

} // namespace warplint
