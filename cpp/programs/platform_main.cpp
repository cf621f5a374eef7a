// Owns our engine as a program of the online platform, in the newer text protocol and in the older one with JSON.
//
// The first byte tells them apart: the older one begins with the four digits of a length that is less than 1000, the
// newer one with a number of rows, which does not begin with 0.
#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "programs/player.hpp"

namespace fourfall {
namespace {

// What came in is not the protocol.
struct ProtocolError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A game as the platform tells of it.
struct Game {
    int rows = 0, cols = 0;
    Cell hole{-1, -1};
    Player player;

    Game(int row_count, int col_count, Cell no_cell) : rows(row_count), cols(col_count), hole(no_cell) {
        if (rows < kMinSide || rows > kMaxSide || cols < kMinSide || cols > kMaxSide)
            throw ProtocolError("a board of " + std::to_string(rows) + " rows and " + std::to_string(cols) +
                                " columns");
    }
    Cell answer(Cell last, const std::vector<int>& top, const std::vector<int>& board, Clock::Time asked) {
        if (top.size() != static_cast<std::size_t>(cols) || board.size() != static_cast<std::size_t>(rows * cols))
            throw ProtocolError("arrays that do not have the size of the board");
        return player.answer({rows, cols, top.data(), board.data(), last, hole}, asked);
    }
};

void send(const std::string& text) {
    const auto size = static_cast<unsigned>(text.size());
    for (const int shift : {24, 16, 8, 0}) std::putchar(static_cast<int>(size >> shift & 0xff));
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

// The next number; nothing at the end of the input.
std::optional<int> next_number() {
    int value = 0;
    const int found = std::scanf("%d", &value);
    if (found == EOF) return std::nullopt;
    if (found != 1) throw ProtocolError("something that is no number");
    return value;
}

int number() {
    if (const auto value = next_number()) return *value;
    throw ProtocolError("the input ended within a message");
}

std::vector<int> numbers(int count) {
    std::vector<int> values;
    for (int i = 0; i < count; ++i) values.push_back(number());
    return values;
}

void play_newer() {
    const auto rows = next_number();
    if (!rows) return;
    const std::vector<int> rest = numbers(3);
    Game game(*rows, rest[0], {rest[1], rest[2]});
    while (const auto last_x = next_number()) {
        const auto asked = std::chrono::steady_clock::now();
        const int last_y = number();
        const std::vector<int> top = numbers(game.cols), board = numbers(game.rows * game.cols);
        const Cell cell = game.answer({*last_x, last_y}, top, board, asked);
        send(std::to_string(cell.row) + " " + std::to_string(cell.col));
    }
}

// The next message; nothing at the end of the input.
std::optional<std::string> next_message() {
    std::array<char, 5> digits{};
    const std::size_t found = std::fread(digits.data(), 1, 4, stdin);
    if (found == 0) return std::nullopt;
    for (std::size_t i = 0; i < 4; ++i)
        if (std::isdigit(static_cast<unsigned char>(digits[i])) == 0)
            throw ProtocolError("a length of four digits is missing");
    std::string text(std::stoul(digits.data()), ' ');
    if (std::fread(text.data(), 1, text.size(), stdin) != text.size())
        throw ProtocolError("the input ended within a message");
    return text;
}

// The number or the list of numbers that belongs to a key.
std::vector<int> values(const std::string& text, const std::string& key) {
    std::size_t at = text.find('"' + key + '"');
    if (at == std::string::npos) throw ProtocolError("there is no " + key + " in a message");
    at = text.find_first_not_of(" \t\r\n:", at + key.size() + 2);
    const bool is_list = at != std::string::npos && text[at] == '[';
    std::vector<int> found;
    const char* next = text.c_str() + (at == std::string::npos ? text.size() : at + (is_list ? 1 : 0));
    do {
        char* end = nullptr;
        found.push_back(static_cast<int>(std::strtol(next, &end, 10)));
        if (end == next) throw ProtocolError("the " + key + " of a message is no number");
        for (next = end; *next == ',' || std::isspace(static_cast<unsigned char>(*next)) != 0;) ++next;
    } while (is_list && *next != ']');
    return found;
}

void play_older() {
    std::optional<Game> game;
    const auto value = [](const std::string& text, const char* key) { return values(text, key).front(); };
    while (const auto message = next_message()) {
        const auto asked = std::chrono::steady_clock::now();
        const std::string& text = *message;
        const int type = value(text, "type");
        if (type == 2) return;
        if (type == 0) {
            const int rows = value(text, "row"), cols = value(text, "col");
            game.emplace(rows, cols, Cell{value(text, "nox"), value(text, "noy")});
        }
        if (type != 1) continue;
        if (!game) throw ProtocolError("a question before the game has begun");
        const Cell last{value(text, "lastx"), value(text, "lasty")};
        const Cell cell = game->answer(last, values(text, "top"), values(text, "board"), asked);
        send("{\"X\":" + std::to_string(cell.row) + ",\"Y\":" + std::to_string(cell.col) + "}\n");
    }
}

}  // namespace
}  // namespace fourfall

int main() {
    try {
        const int first = std::getchar();
        std::ungetc(first, stdin);
        first == '0' ? fourfall::play_older() : fourfall::play_newer();
    } catch (const fourfall::ProtocolError& error) {
        std::fprintf(stderr, "fourfall: standard input: %s\n", error.what());
        return 1;
    }
}
