// The identity of the running process, by which a copy made by fork() is told from its parent.
#pragma once

namespace fourfall {

// Returns the number of this process. Systems without fork() return 0: there a process keeps its threads for ever.
int get_process_id();

}  // namespace fourfall
