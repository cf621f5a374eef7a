// Sets of cells in the order of arrays (row by row from the top), and their expansion into arrays of zeros and ones.
//
// Eight cells are one byte of the set. A table maps the byte to eight array elements, so that a plane is written with
// one load and one store for every eight cells.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "game/bits.hpp"

namespace fourfall {

template <class Value>
using OctetTable = std::array<std::array<Value, 8>, 256>;

template <class Value>
constexpr OctetTable<Value> make_octet_table() {
    OctetTable<Value> table{};
    for (unsigned bits = 0; bits < 256; ++bits)
        for (unsigned i = 0; i < 8; ++i) table[bits][i] = static_cast<Value>((bits >> i) & 1U);
    return table;
}

template <class Value>
alignas(64) inline constexpr OctetTable<Value> kOctets = make_octet_table<Value>();

// Writes the first `count` bits of a set as zeros and ones and up to seven elements more, which the caller overwrites.
template <class Value, int kWords>
void write_cells_and_more(Bits<kWords> cells, int count, Value* out) {
    for (int word = 0; 64 * word < count; ++word) {
        std::uint64_t rest = cells.word[static_cast<std::size_t>(word)];
        const int end = count - 64 * word < 64 ? count - 64 * word : 64;
        for (int i = 0; i < end; i += 8, rest >>= 8, out += 8)
            std::memcpy(out, kOctets<Value>[rest & 0xffU].data(), 8 * sizeof(Value));
    }
}

// Writes exactly the first `count` >= 8 bits of a set as zeros and ones; the last eight elements at once.
template <class Value, int kWords>
void write_cells(Bits<kWords> cells, int count, Value* out) {
    const int last = count - 8;
    write_cells_and_more(cells, last - last % 8, out);
    const auto begin = static_cast<unsigned>(last - last % 8);
    for (unsigned at : {begin, static_cast<unsigned>(last)}) {
        std::uint64_t octet = cells.word[at / 64] >> (at % 64);
        if constexpr (kWords > 1)
            if (at % 64 > 56) octet |= cells.word[at / 64 + 1] << (64 - at % 64);
        std::memcpy(out + at, kOctets<Value>[octet & 0xffU].data(), 8 * sizeof(Value));
    }
}

}  // namespace fourfall
