// Callback that long loops call periodically so that they can be interrupted.
#pragma once

#include <functional>

namespace fourfall {

// Called every few milliseconds. An exception thrown by the callback ends the loop.
using Poll = std::function<void()>;

}  // namespace fourfall
