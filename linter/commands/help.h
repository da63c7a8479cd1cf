// The commands and their options to pages of help, in text and for man(1).
#pragma once
#include "run/options.h"
#include <string>

namespace warplint {

/// The commands, without their options.
std::string helpOverview();

/// The options of one command; the rare ones only if `all`.
std::string helpOf(CommandName command, bool all);

/// `helpOverview`, and all options of all commands.
std::string helpOfAll();

/// Everything, as source text for man(1).
std::string manualPage();

} // namespace warplint
