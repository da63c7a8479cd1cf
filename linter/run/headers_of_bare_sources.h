// Sources that no build compiles to commands with the folders of their project
// that hold the headers which no flag leads to.
#pragma once
#include "input/command.h"
#include "input/toolkit.h"
#include "input/files_of_projects.h"
#include "run/graph_of_thread.h"
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace warplint {

/// Thread-safe.
class HeadersOfBareSources {
public:
  /// `graphs` and `files` must outlive this object. Headers that a build
  /// generates are written below `folder`, and none if that is empty.
  HeadersOfBareSources(GraphOfThread &graphs, FilesOfProjects &files,
                       std::string folder = "")
      : graphs_(graphs), files_(files), folder_(std::move(folder)) {}

  /// Adds '-I' for each header that a bare command's source includes outside of
  /// conditions, that neither its flags nor the system has, and that the
  /// project has in the folder that FilesOfProjects::nearestWith gives. If the
  /// project has the template of a header instead, adds one that is configured
  /// with nothing switched on; so of one that CMake writes for the visibility
  /// of a library, and of one that a build copies into a folder of the name
  /// that it is included from. A header that the system has as well is the
  /// project's if the project generates it, or another one that the system has.
  /// Changes no other command.
  void addTo(Command &command, const std::optional<Toolkit> &toolkit);

  /// Adds one line on what was found.
  void addNote(std::vector<std::string> &notes) const;

private:
  std::vector<std::pair<std::string, std::string>>
  templatesOf(llvm::StringRef header, const Command &command);
  std::string configuredTemplate(llvm::StringRef header,
                                 const Command &command);
  bool isOwnOfProject(llvm::StringRef header, const Command &command,
                      const std::optional<Toolkit> &toolkit);
  std::string folderOfGenerated(llvm::StringRef header, const Command &command,
                                llvm::StringRef other);
  std::string folderOfExports(llvm::StringRef header, const Command &command);
  std::string folderOfInclude(llvm::StringRef header,
                              llvm::StringRef file) const;
  std::string folderThatHidesNothing(llvm::StringRef header,
                                     const std::string &folder) const;
  std::string folderOfOriginal(llvm::StringRef header, const Command &command);
  void addNoteOfGenerated(std::vector<std::string> &notes) const;

  GraphOfThread &graphs_;
  FilesOfProjects &files_;
  const std::string folder_;                     ///< of generated headers
  std::mutex mutex_;                             ///< of what follows
  std::map<std::string, std::string> found_;     ///< first header, by folder
  std::map<std::string, std::string> generated_; ///< header, by its origin
  /// Folders of headers for the visibility of a library, by the project and
  /// the header: all CMake files are read for each.
  std::map<std::pair<std::string, std::string>, std::string> exports_;
  /// `configure_file(from made)` in a CMake file of `folder`.
  struct Configured {
    std::string folder, from, made;
  };
  std::map<std::string, std::vector<Configured>> configured_; ///< by project
};

} // namespace warplint
