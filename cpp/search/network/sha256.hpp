// SHA-256 (FIPS 180-4), the checksum of a weights file.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace fourfall::network {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::span<const std::uint8_t> data);

}  // namespace fourfall::network
