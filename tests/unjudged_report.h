// What `check` says of one CUDA source, minor findings too, without nvcc.
#pragma once
#include "input_folder.h"
#include "program.h"
#include <gmock/gmock.h>

namespace warplint {

struct UnjudgedReport : testing::Test {
  InputFolder folder;
  std::string reportOn(const std::string &text) {
    const std::string file = folder.write("a.cu", text);
    return runProgram({"check", "--no-judge", "--no-cache", "--minor", file})
        .out;
  }
};

} // namespace warplint
