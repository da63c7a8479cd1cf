// PTX to the statements of the source that its own came from, by `.loc`, with
// the calls that inlined them.
#pragma once
#include "model/place.h"
#include "ptx/ptx_text.h"
#include <string>
#include <vector>

namespace warplint {

/// A statement of the source, and the function that contains it.
struct SourceFrame {
  Place place;
  std::string function; ///< mangled; empty for the PTX function itself
  bool operator==(const SourceFrame &) const = default;
};

/// Those of one PTX function. `statement`: an index of its statements.
class InlineFrames {
public:
  InlineFrames(const ptx::Module &module, const ptx::Function &function);

  /// The same number for the statements of PTX that are of one statement of the
  /// source, inlined by the same calls; negative before the first `.loc`.
  int chainOf(size_t statement) const { return chain_[statement]; }

  /// The statement, then the calls that inlined it, outermost last. Empty if
  /// the PTX does not say.
  std::vector<SourceFrame> of(size_t statement) const;

  /// The place of the statement itself; null if the PTX does not say.
  const Place *placeOf(size_t statement) const {
    return chain_[statement] < 0 ? nullptr
                                 : &chains_[chain_[statement]].frame.place;
  }

private:
  struct Chain {
    SourceFrame frame;
    int caller = -1; ///< into `chains_`
    unsigned depth = 0;
  };

  std::vector<Chain> chains_;
  std::vector<int> chain_; ///< by statement, into `chains_`
};

} // namespace warplint
