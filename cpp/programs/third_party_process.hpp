// Turns the calling process into the third-party process: new session, closed descriptors, sandbox, start of the code.
#pragma once

#include <string>

#include "programs/host_options.hpp"
#include "programs/sandbox.hpp"

namespace fourfall::sandbox {

// Writes one line. Errors are ignored: the reader may have exited.
void write_line(int descriptor, std::string text);

// Puts the calling process into the sandbox and runs the third-party code in it. An error before the code runs is
// written to `report_fd` as one line; if `report_fd` is closed without a line, the code has started.
[[noreturn]] void run_third_party_code(const HostOptions& options, const ProcessSetup& setup, int report_fd);

}  // namespace fourfall::sandbox
