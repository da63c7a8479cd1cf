// Sources that no build compiles to commands that say that CUDA is there, as
// the build of a project with other back ends does: -DUSE_CUDA.
#pragma once
#include "input/command.h"
#include "run/graph_of_thread.h"
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace warplint {

/// Thread-safe.
class MacrosOfBareSources {
public:
  /// `graphs` must outlive this object.
  explicit MacrosOfBareSources(GraphOfThread &graphs) : graphs_(graphs) {}

  /// Adds '-D' for each macro by which a bare CUDA source, or a header of its
  /// project, asks whether CUDA is there, that no file which it includes
  /// defines and no flag names; so for Kokkos in a C++ source. Changes no other
  /// command. Returns true if it added any.
  bool addTo(Command &command);

  /// Adds one line on what was defined.
  void addNote(std::vector<std::string> &notes) const;

private:
  GraphOfThread &graphs_;
  std::mutex mutex_;                        ///< of what follows
  std::map<std::string, unsigned> defined_; ///< number of sources, by macro
};

} // namespace warplint
