#include "model/model.h"
#include "llvm/ADT/Twine.h"

namespace warplint {

const char *spelling(Space space) {
  switch (space) {
  case Space::Global:
    return "global";
  case Space::Shared:
    return "shared";
  case Space::Local:
    return "local";
  case Space::Constant:
    return "constant";
  case Space::Texture:
    return "texture";
  case Space::Parameter:
    return "parameter";
  case Space::Unknown:
    return "unknown";
  }
  return "";
}

const char *spelling(Operation operation) {
  switch (operation) {
  case Operation::Load:
    return "load";
  case Operation::Store:
    return "store";
  case Operation::Atomic:
    return "atomic";
  }
  return "";
}

std::optional<uint64_t> Launched::blocks() const {
  if (!grid[0] || !grid[1] || !grid[2])
    return std::nullopt;
  return *grid[0] * *grid[1] * *grid[2];
}

std::string Shape::text() const {
  return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
}

std::string otherLayout(llvm::StringRef name) {
  for (auto [one, other] : {std::pair("Left", "Right"),
                            {"Right", "Left"},
                            {"left", "right"},
                            {"right", "left"}})
    if (name.ends_with(one))
      return (name.drop_back(llvm::StringRef(one).size()) + other).str();
  return name.str();
}

} // namespace warplint
