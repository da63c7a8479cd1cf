// A folder that a test fills and that goes with it.
#pragma once
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <filesystem>
#include <string>

namespace warplint {

class InputFolder {
public:
  InputFolder() {
    llvm::SmallString<128> made;
    llvm::sys::fs::createUniqueDirectory("warplint-test", made);
    llvm::SmallString<128> real;
    llvm::sys::fs::real_path(made, real);
    path = real.str().str();
    // Stops searches for files above the folder.
    llvm::sys::fs::create_directory(path + "/.git");
  }
  // LLVM's own leaves a folder with a pipe in it.
  ~InputFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  std::string operator/(llvm::StringRef name) const {
    return path + "/" + name.str();
  }

  std::string write(llvm::StringRef name, llvm::StringRef text = "") const {
    std::string file = *this / name;
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(file));
    std::error_code error;
    llvm::raw_fd_ostream(file, error) << text;
    return file;
  }

  std::string writeProgram(llvm::StringRef name, llvm::StringRef text) const {
    std::string file = write(name, text);
    llvm::sys::fs::setPermissions(file, llvm::sys::fs::all_all);
    return file;
  }

  std::string path;
};

/// Sets an environment variable for as long as it lives; null takes it away.
class Environment {
public:
  Environment(const char *name, const char *value) : name_(name) {
    if (const char *old = std::getenv(name))
      old_ = old, had_ = true;
    value ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Environment() { had_ ? setenv(name_, old_.c_str(), 1) : unsetenv(name_); }

private:
  const char *name_;
  std::string old_;
  bool had_ = false;
};

} // namespace warplint
