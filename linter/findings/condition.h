// The conditions that a finding's confirmation rests on: a block shape that was
// assumed, or sizes that no launch gives.
#pragma once
#include "cost/costs_again.h"
#include "findings/check.h"
#include <map>

namespace warplint {

/// Finds the conditions of findings in one kernel. It inspects the kernel again
/// with other blocks and sizes, and remembers what each check finds then.
class Conditions {
public:
  explicit Conditions(const CostedKernel &source) : source_(source) {}

  /// "'ld' is above 8", "'ld' is even", "blocks are 256x1x1", or several of
  /// them; empty if it holds always.
  std::string of(const Finding &finding, unsigned subject, const Check &check);

private:
  /// Arguments by position that are set to a value, or another block.
  struct Supposed {
    std::map<uint64_t, uint64_t> arguments;
    std::optional<Shape> block = {};
    auto operator<=>(const Supposed &) const = default;
  };
  struct Size {
    std::string name;
    std::optional<uint64_t> position; ///< of the argument that it is
  };

  bool finds(const Finding &finding, const Check &check,
             const Supposed &supposed);
  CostedKernel costedFor(const Supposed &supposed);
  std::vector<Size> sizesOf(const Access &access) const;
  std::string ofBlock(const Finding &finding, const Check &check);
  std::string ofSizes(const Finding &finding, unsigned subject,
                      const Check &check);
  bool isArgumentKnown(uint64_t position) const;

  const CostedKernel &source_;
  std::map<size_t, CostsAgain> again_; ///< by shape
  std::map<Supposed, CostedKernel> costed_;
  std::map<std::pair<Supposed, const Check *>, std::vector<Finding>> found_;
};

} // namespace warplint
