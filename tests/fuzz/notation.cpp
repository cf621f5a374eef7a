// libFuzzer target: reads the notation of a position; an accepted position is written and read without a change.
#include "game/notation.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "game/errors.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace fourfall;
    try {
        const Board board = parse_board({reinterpret_cast<const char*>(data), size});
        const std::string text = notation(board);
        if (notation(parse_board(text)) != text || draw(board).empty()) std::abort();
    } catch (const NotationError&) {
    }
    return 0;
}
