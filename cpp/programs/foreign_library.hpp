// Owns playing with a strategy library: loads it, asks it for moves, and answers for it in the platform's protocol.
#pragma once

#include <string>

namespace fourfall::jail {

// Serves until the questions end; returns the process's exit code. Questions and answers go over descriptors that the
// library does not know; whatever it prints is swallowed, but for its errors.
int serve_library(const std::string& path, int questions, int answers);

}  // namespace fourfall::jail
