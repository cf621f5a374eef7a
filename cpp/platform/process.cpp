// Asks the system for the number of the process.
#include "platform/process.hpp"

#if !defined(_WIN32) && !defined(__wasm__)
#include <unistd.h>
#endif

namespace fourfall {

int get_process_id() {
#if defined(_WIN32) || defined(__wasm__)
    return 0;
#else
    return ::getpid();
#endif
}

}  // namespace fourfall
