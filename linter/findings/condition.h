// The conditions that a finding's confirmation rests on: a block shape that was
// assumed, or sizes that no launch gives.
#pragma once
#include "cost/choices.h"
#include "cost/costs_again.h"
#include "findings/check.h"
#include <map>

namespace warplint {

/// Finds the conditions of findings in one kernel. It inspects the kernel again
/// with other blocks and sizes, and remembers what each check finds then.
class Conditions {
public:
  explicit Conditions(const CostedKernel &source)
      : source_(source), choices_(choicesOf(source.kernel.graph)) {}

  /// "'ld' is above 8", "'ld' is above 1 (8 sectors at 2, 32 from 8 on)", "'ld'
  /// is even", "'mode' is not 0", "'t' selects this address", "blocks are
  /// 256x1x1", "n = 4096" of a program's default, or several of them; empty if
  /// it holds always.
  std::string of(const Finding &finding, unsigned subject, const Check &check);

private:
  /// Arguments by position that are set to a value, another block, or a run in
  /// which no launch passes what only another way to it knows.
  struct Supposed {
    std::map<uint64_t, uint64_t> arguments;
    std::optional<Shape> block = {};
    bool isOpen = false;
    auto operator<=>(const Supposed &) const = default;
  };
  struct Size {
    std::string name;
    std::optional<uint64_t> position; ///< of the argument that it is
    ValueId value = 0;
    unsigned bits = 0; ///< 0: a floating-point number
    /// A flag or a float is no size: it selects one of several addresses.
    bool isSelector() const { return bits < 16; }
  };

  const CostedKernel &costedAt(const Supposed &supposed);
  bool finds(const Finding &finding, const Check &check,
             const Supposed &supposed);
  CostedKernel costedFor(const Supposed &supposed);
  std::vector<Size> sizesOf(const Access &access) const;
  std::string ofOption(const Finding &finding, const Size &option,
                       const Check &check);
  std::string ofBlock(const Finding &finding, const Check &check);
  std::string ofDefaults(const Finding &finding, const Check &check);
  std::string rangeAbove(uint64_t gone, uint64_t position, unsigned subject,
                         const Check &check);
  std::string ofSizes(const Finding &finding, unsigned subject,
                      const Check &check);
  bool isArgumentKnown(uint64_t position) const;

  const CostedKernel &source_;
  const Choices choices_;
  std::map<size_t, CostsAgain> again_; ///< by shape
  std::map<Supposed, CostedKernel> costed_;
  std::map<std::pair<Supposed, const Check *>, std::vector<Finding>> found_;
};

} // namespace warplint
