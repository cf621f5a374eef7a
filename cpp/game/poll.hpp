// Owns the courtesy of long loops: they ask now and then whether to go on.
#pragma once

#include <functional>

namespace fourfall {

// Called every few milliseconds; whoever wants to interrupt the loop throws from here.
using Poll = std::function<void()>;

}  // namespace fourfall
