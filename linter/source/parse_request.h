// What a source is parsed from. Values of the caller's, which outlive the
// parse.
#pragma once
#include "cache/store.h"
#include "input/buffers.h"
#include "input/command.h"
#include "input/toolkit.h"
#include "input/translate.h"
#include <optional>
#include <string>

namespace warplint {

struct ParseRequest {
  const Command &command;
  const Translation &translation;        ///< of the command's flags
  const std::optional<Toolkit> &toolkit; ///< nothing: our stand-in headers
  const std::string &resourceDir;        ///< the folder of Clang's own headers
  const Store &kept;      ///< where precompiled headers and preambles are
  const Buffers &buffers; ///< replace files on disk
};

} // namespace warplint
