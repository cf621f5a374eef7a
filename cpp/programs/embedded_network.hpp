// Reads the network of an exported program: its weights file, embedded in the source in base 64.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <vector>

#include "search/network/network.hpp"

namespace fourfall {

inline std::vector<std::uint8_t> decode_base64(std::string_view text) {
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    constexpr std::uint8_t kInvalid = 64;
    std::array<std::uint8_t, 256> digits;
    digits.fill(kInvalid);
    for (std::uint8_t i = 0; i < kDigits.size(); ++i) digits[static_cast<unsigned char>(kDigits[i])] = i;

    std::vector<std::uint8_t> data;
    data.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    int count = 0;
    for (const char letter : text.substr(0, text.find('='))) {
        const std::uint8_t digit = digits[static_cast<unsigned char>(letter)];
        if (digit == kInvalid) throw network::WeightsError("the weights in this program: not in base 64");
        bits = bits << 6 | digit;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        data.push_back(static_cast<std::uint8_t>(bits >> count));
    }
    return data;
}

// Returns null if the weights are damaged, after a message on standard error; the program then plays without a network.
inline std::shared_ptr<const network::Network> read_embedded_network(std::string_view text,
                                                                     const char* instruction_set = "") {
    try {
        return std::make_shared<network::Network>(
            network::read_weights(decode_base64(text), "the weights in this program"), instruction_set);
    } catch (const network::WeightsError& error) {
        std::fprintf(stderr, "fourfall: %s; playing without a network, as fourfall-classic\n", error.what());
        return nullptr;
    }
}

}  // namespace fourfall
