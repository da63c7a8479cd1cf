#include "machine/register_report.h"

namespace warplint {

const char *spelling(RegisterKind kind) {
  switch (kind) {
  case RegisterKind::Variable:
    return "variable";
  case RegisterKind::Counter:
    return "loop counter";
  case RegisterKind::Parameter:
    return "parameter";
  case RegisterKind::Load:
    return "loaded value";
  case RegisterKind::Address:
    return "address";
  case RegisterKind::Index:
    return "index";
  case RegisterKind::Special:
    return "thread index";
  case RegisterKind::Result:
    return "result of a call";
  case RegisterKind::Intermediate:
    return "intermediate value";
  case RegisterKind::Constant:
    return "constant";
  case RegisterKind::Stack:
    return "stack pointer";
  case RegisterKind::Unnamed:
    break;
  }
  return "unnamed";
}

unsigned RegisterReport::named() const {
  unsigned count = 0;
  for (const RegisterOwner &owner : owners)
    if (owner.kind != RegisterKind::Unnamed && !owner.name.empty())
      count += owner.registers;
  return count;
}

} // namespace warplint
