// Loads a third-party strategy library and serves it over the platform's text protocol.
#pragma once

#include <string>

namespace fourfall::sandbox {

// Answers requests for moves until their end; returns the exit code of the process.
//
// A request is a line of numbers; an answer is its length in four bytes and its text. The first answer is "ready";
// answers that begin with "! " report an error. The library does not know the two descriptors: its standard input and
// output are /dev/null, its standard error is the caller's.
int serve_library(const std::string& path, int requests_fd, int answers_fd);

}  // namespace fourfall::sandbox
