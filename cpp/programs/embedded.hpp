// Owns the network that travels in a program: its weights file, written in base 64.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <vector>

#include "search/network/network.hpp"

namespace fourfall {

inline std::vector<std::uint8_t> from_base64(std::string_view text) {
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::uint8_t kNone = 64;
    std::array<std::uint8_t, 256> worth;
    worth.fill(kNone);
    for (std::uint8_t i = 0; i < kDigits.size(); ++i) worth[static_cast<unsigned char>(kDigits[i])] = i;

    std::vector<std::uint8_t> data;
    data.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char letter : text.substr(0, text.find('='))) {
        const std::uint8_t digit = worth[static_cast<unsigned char>(letter)];
        if (digit == kNone) throw network::WeightsError("the weights in this program: not in base 64");
        bits = bits << 6 | digit;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        data.push_back(static_cast<std::uint8_t>(bits >> count));
    }
    return data;
}

// None where the weights are damaged, and a line on standard error says so: the program plays on without them.
inline std::shared_ptr<const network::Network> embedded_network(std::string_view text) {
    try {
        return std::make_shared<network::Network>(
            network::read_weights(from_base64(text), "the weights in this program"));
    } catch (const network::WeightsError& error) {
        std::fprintf(stderr, "fourfall: %s; playing without a network, as fourfall-classic\n", error.what());
        return nullptr;
    }
}

}  // namespace fourfall
