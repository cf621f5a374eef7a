// The exception of the engines.
#pragma once

#include <stdexcept>

namespace fourfall {

// A request that the engine cannot fulfil, such as to search a finished game or two games at the same time.
struct EngineError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

}  // namespace fourfall
