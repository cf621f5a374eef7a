// Parses and writes the position notation, and draws boards as text.
#include "game/notation.hpp"

#include <algorithm>
#include <optional>

#include "game/errors.hpp"

namespace fourfall {
namespace {

// The first character of the text in quotation marks.
std::string quote_first(std::string_view text) {
    const auto character = static_cast<unsigned char>(text.front());
    // Characters outside ASCII have several bytes.
    std::size_t length = 1;
    while (character >= 0xc0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
        ++length;
    if (character < 0x20 || character == 0x7f) return "control character " + std::to_string(character);
    return "'" + std::string(text.substr(0, length)) + "'";
}

// Reads the text from left to right; errors name the position of the next character.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    bool at_end() const { return at_ == text_.size(); }
    bool accept(char wanted) {
        if (at_end() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    void expect(char wanted, const char* after) {
        if (!accept(wanted)) fail("expected '" + std::string(1, wanted) + "' after " + after);
    }
    // One or two digits without a leading zero, from low to high.
    int read_number(const std::string& what, int low, int high) {
        const std::size_t start = at_;
        int value = 0;
        while (!at_end() && text_[at_] >= '0' && text_[at_] <= '9' && at_ - start < 2)
            value = 10 * value + text_[at_++] - '0';
        if (at_ == start) fail("expected " + what);
        const bool leading_zero = at_ - start == 2 && text_[start] == '0';
        if (leading_zero || value < low || value > high) {
            at_ = start;
            fail(what + " is " + std::to_string(low) + ".." + std::to_string(high) +
                 (leading_zero ? ", without a leading zero" : ""));
        }
        return value;
    }
    int read_column(int cols) {
        const std::size_t col = kColumnNames.find(text_[at_]);
        if (col >= static_cast<std::size_t>(cols))
            fail("not a column; the columns are 1.." + std::string(1, kColumnNames[cols - 1]));
        ++at_;
        return static_cast<int>(col);
    }
    [[noreturn]] void fail(const std::string& reason) const {
        if (at_end()) throw NotationError("the text ends too early at character " + character_number() + ": " + reason);
        throw NotationError("character " + character_number() + " " + quote_first(text_.substr(at_)) + ": " + reason);
    }
    // Fails with the position of the character that was read last.
    [[noreturn]] void fail_at_previous(const std::string& reason) {
        --at_;
        fail(reason);
    }

private:
    std::string character_number() const { return std::to_string(at_ + 1); }

    std::string_view text_;
    std::size_t at_ = 0;
};

Geometry parse_geometry(Reader& reader) {
    const int rows = reader.read_number("the number of rows", kMinSide, kMaxSide);
    reader.expect('x', "the number of rows");
    const int cols = reader.read_number("the number of columns", kMinSide, kMaxSide);
    std::optional<Cell> hole;
    if (reader.accept('@')) {
        const int row = reader.read_number("the hole's row", 0, rows - 1);
        reader.expect(',', "the hole's row");
        hole = Cell{row, reader.read_number("the hole's column", 0, cols - 1)};
    }
    if (!reader.at_end() && !reader.accept(':'))
        reader.fail(hole ? "expected ':' or the end" : "expected '@', ':' or the end");
    return Geometry(rows, cols, hole);
}

}  // namespace

Board parse_board(std::string_view text) {
    Reader reader(text);
    Board board(parse_geometry(reader));
    while (!reader.at_end()) {
        const int col = reader.read_column(board.geometry().cols());
        if (board.is_legal(col)) {
            board.push(col);
            continue;
        }
        const std::string ply = "ply " + std::to_string(board.ply() + 1) + " ";
        if (board.is_over()) reader.fail_at_previous(ply + "follows the end of the game");
        reader.fail_at_previous(ply + "goes into a full column");
    }
    return board;
}

std::string notation(const Board& board) {
    std::string text = board.geometry().notation();
    if (board.ply() > 0) text += ':';
    for (const int col : board.moves()) text += kColumnNames[col];
    return text;
}

std::string draw(const Board& board) {
    const Geometry& geometry = board.geometry();
    const auto outcome = board.outcome();
    const auto mark = [&](Cell cell) {
        if (outcome && std::ranges::find(outcome->cells, cell) != outcome->cells.end()) return '*';
        return board.ply() > 0 && board.last_cell() == cell ? '>' : ' ';
    };
    const auto symbol = [&](Cell cell) {
        if (const auto stone = board.stone_at(cell)) return "XO"[*stone];
        return geometry.hole() == cell ? '#' : '.';
    };
    std::string text = "   ";
    for (int col = 0; col < geometry.cols(); ++col) text += {' ', kColumnNames[col]};
    for (int row = 0; row < geometry.rows(); ++row) {
        text += (row < 10 ? "\n " : "\n") + std::to_string(row) + " ";
        for (int col = 0; col < geometry.cols(); ++col) text += {mark({row, col}), symbol({row, col})};
    }
    return text;
}

}  // namespace fourfall
