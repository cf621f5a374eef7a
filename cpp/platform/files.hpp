// Reads files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fourfall {

// Returns the first `max_bytes` bytes of a file, or nullopt with the reason in errno. The path is UTF-8 on Windows, and
// passed to the system as it is elsewhere.
std::optional<std::vector<std::uint8_t>> read_file(const std::string& path, std::size_t max_bytes);

}  // namespace fourfall
