// The engine as a program of the online platform: the text protocol and the older JSON protocol.
//
// The first byte decides: the JSON protocol begins with a length of four digits that is less than 1000, the text
// protocol with the number of rows, which does not begin with 0.
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

// The input does not follow the protocol.
struct MessageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A game on the platform: its board and the player.
struct PlatformGame {
    int rows = 0, cols = 0;
    Cell hole{-1, -1};
    ArrayPlayer player;

    PlatformGame(int row_count, int col_count, Cell hole_cell) : rows(row_count), cols(col_count), hole(hole_cell) {
        if (rows < kMinSide || rows > kMaxSide || cols < kMinSide || cols > kMaxSide)
            throw MessageError("a board has 4 to 12 rows and columns, not " + std::to_string(rows) + " rows and " +
                               std::to_string(cols) + " columns");
    }
    Cell choose_move(Cell last, const std::vector<int>& top, const std::vector<int>& board, Clock::Time start) {
        if (top.size() != static_cast<std::size_t>(cols) || board.size() != static_cast<std::size_t>(rows * cols))
            throw MessageError("the arrays do not have the size of the board");
        return player.choose_move({rows, cols, top.data(), board.data(), last, hole}, start);
    }
};

void send(const std::string& text) {
    const auto size = static_cast<unsigned>(text.size());
    for (const int shift : {24, 16, 8, 0}) std::putchar(static_cast<int>(size >> shift & 0xff));
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

// Reads a number; nothing at the end of the input.
std::optional<int> try_read_number() {
    int value = 0;
    const int found = std::scanf("%d", &value);
    if (found == EOF) return std::nullopt;
    if (found != 1) throw MessageError("expected a number");
    return value;
}

int read_number() {
    if (const auto value = try_read_number()) return *value;
    throw MessageError("the input ended inside a message");
}

std::vector<int> read_numbers(int count) {
    std::vector<int> values;
    for (int i = 0; i < count; ++i) values.push_back(read_number());
    return values;
}

void play_text_protocol() {
    const auto rows = try_read_number();
    if (!rows) return;
    const std::vector<int> rest = read_numbers(3);
    PlatformGame game(*rows, rest[0], {rest[1], rest[2]});
    while (const auto last_x = try_read_number()) {
        const auto start = std::chrono::steady_clock::now();
        const int last_y = read_number();
        const std::vector<int> top = read_numbers(game.cols), board = read_numbers(game.rows * game.cols);
        const Cell cell = game.choose_move({*last_x, last_y}, top, board, start);
        send(std::to_string(cell.row) + " " + std::to_string(cell.col));
    }
}

// Reads a JSON message; nothing at the end of the input.
std::optional<std::string> try_read_message() {
    std::array<char, 5> digits{};
    const std::size_t found = std::fread(digits.data(), 1, 4, stdin);
    if (found == 0) return std::nullopt;
    for (std::size_t i = 0; i < 4; ++i)
        if (std::isdigit(static_cast<unsigned char>(digits[i])) == 0)
            throw MessageError("a message must begin with its length in four digits");
    std::string text(std::stoul(digits.data()), ' ');
    if (std::fread(text.data(), 1, text.size(), stdin) != text.size())
        throw MessageError("the input ended inside a message");
    return text;
}

// The number or the list of numbers with this key.
std::vector<int> find_values(const std::string& text, const std::string& key) {
    std::size_t at = text.find('"' + key + '"');
    if (at == std::string::npos) throw MessageError("a message has no key " + key);
    at = text.find_first_not_of(" \t\r\n:", at + key.size() + 2);
    const bool is_list = at != std::string::npos && text[at] == '[';
    std::vector<int> found;
    const char* next = text.c_str() + (at == std::string::npos ? text.size() : at + (is_list ? 1 : 0));
    do {
        char* end = nullptr;
        found.push_back(static_cast<int>(std::strtol(next, &end, 10)));
        if (end == next) throw MessageError("the value of " + key + " is not a number");
        for (next = end; *next == ',' || std::isspace(static_cast<unsigned char>(*next)) != 0;) ++next;
    } while (is_list && *next != ']');
    return found;
}

void play_json_protocol() {
    std::optional<PlatformGame> game;
    const auto value = [](const std::string& text, const char* key) { return find_values(text, key).front(); };
    while (const auto message = try_read_message()) {
        const auto start = std::chrono::steady_clock::now();
        const std::string& text = *message;
        const int type = value(text, "type");
        if (type == 2) return;
        if (type == 0) {
            const int rows = value(text, "row"), cols = value(text, "col");
            game.emplace(rows, cols, Cell{value(text, "nox"), value(text, "noy")});
        }
        if (type != 1) continue;
        if (!game) throw MessageError("a move is requested before the start of the game");
        const Cell last{value(text, "lastx"), value(text, "lasty")};
        const Cell cell = game->choose_move(last, find_values(text, "top"), find_values(text, "board"), start);
        send("{\"X\":" + std::to_string(cell.row) + ",\"Y\":" + std::to_string(cell.col) + "}\n");
    }
}

}  // namespace
}  // namespace fourfall

int main() {
    try {
        const int first = std::getchar();
        std::ungetc(first, stdin);
        first == '0' ? fourfall::play_json_protocol() : fourfall::play_text_protocol();
    } catch (const fourfall::MessageError& error) {
        std::fprintf(stderr, "fourfall: standard input: %s\n", error.what());
        return 1;
    }
}
