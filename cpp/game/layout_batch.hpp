// The boards of a batch in one layout: moves, new games, and the arrays. Included by board_batch.cpp only.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "game/board_batch.hpp"
#include "game/cell_sets.hpp"
#include "game/dispatch.hpp"
#include "game/random.hpp"

namespace fourfall {

// Where new games begin.
enum class BatchStart : std::uint8_t { kEmpty, kRandom, kGiven };

template <class L>
class LayoutBatch final : public BoardBatch {
public:
    LayoutBatch(std::optional<Geometry> geometry, int count, const BatchOptions& options, BatchStart start)
        : BoardBatch(geometry, count, options), start_(start), games_(static_cast<std::size_t>(count)) {
        moves_.resize(games_.size() * kMaxCells);
        Random seeds(options.seed);
        for (Game& game : games_) game.random = Random(seeds.next());
        if (start == BatchStart::kEmpty) {
            starts_.push_back(make_empty_game(*geometry));
            for (int i = 0; i < count; ++i) start_game(i);
        } else if (start == BatchStart::kRandom) {
            for (int i = 0; i < count; ++i) start_game(i);
        }
    }

    // Makes the current boards the start of all later games.
    void keep_starts() {
        starts_ = games_;
        for (std::size_t i = 0; i < starts_.size(); ++i) starts_[i].legal = legal_[i];
        start_moves_ = moves_;
    }

    void play_range(int begin, int end) override {
        dispatch<L>([&]<class Lines>(Lines) {
            BatchArrays& out = arrays_[current()];
            for (int i = begin; i < end; ++i) {
                const auto at = static_cast<std::size_t>(i);
                const bool was_over = legal_[at] == 0;
                out.rewards[at] = 0;
                if (!was_over) {
                    const int player = games_[at].ply % 2;
                    const bool is_won = play<Lines>(i, columns_[at]);
                    out.rewards[at] = is_won ? 1.0F : 0.0F;
                    out.winners[at] = static_cast<std::int8_t>(is_won ? player : -1);
                    out.terminated[at] = legal_[at] == 0 ? 1 : 0;
                    if (legal_[at] == 0 && options_.auto_reset) start_game(i);
                } else {
                    out.winners[at] = games_[at].winner;
                    out.terminated[at] = 1;
                }
                write_board(i, out);
            }
        });
    }

    void write_range(int begin, int end) override {
        dispatch<L>([&]<class Lines>(Lines) {
            BatchArrays& out = arrays_[current()];
            for (int i = begin; i < end; ++i) write_board(i, out);
        });
    }

    void draw_range(int begin, int end, std::int32_t* columns) override {
        for (int i = begin; i < end; ++i) {
            Game& game = games_[static_cast<std::size_t>(i)];
            const unsigned legal = legal_[static_cast<std::size_t>(i)];
            std::uint32_t column = 0;
            // Draw columns until one is not full: uniform among the legal ones, and fast because few columns are full.
            if (legal != 0) do {
                    column = game.random.below(game.cols);
                } while (((legal >> column) & 1U) == 0);
            columns[i] = static_cast<std::int32_t>(column);
        }
    }

    int cols_of(int index) const override { return games_[static_cast<std::size_t>(index)].cols; }

    // Not inlined into the hot loop: few steps end a game.
    [[gnu::noinline]] void start_game(int index) override {
        const auto at = static_cast<std::size_t>(index);
        Game& game = games_[at];
        Random random = game.random;
        if (start_ == BatchStart::kRandom) {
            game = make_empty_game(Geometry::random(random));
        } else if (start_ == BatchStart::kEmpty) {
            game = starts_[0];
        } else {
            game = starts_[at];
            std::copy_n(start_moves_.begin() + index * kMaxCells, game.ply, moves_.begin() + index * kMaxCells);
        }
        game.random = random;
        legal_[at] = game.legal;
    }

    void load_board(int index, const Board& board) override {
        Game& game = games_[static_cast<std::size_t>(index)];
        const Random random = game.random;
        game = make_empty_game(board.geometry());
        game.random = random;
        legal_[static_cast<std::size_t>(index)] = game.legal;
        for (const int column : board.moves()) play<ScalarLines<L>>(index, column);
    }

    Board copy_board(int index) const override {
        const Game& game = games_[static_cast<std::size_t>(index)];
        Board board(game.hole_col < 0
                        ? Geometry(game.rows, game.cols)
                        : Geometry(game.rows, game.cols, Cell{game.rows - 1 - game.hole_height, game.hole_col}));
        const std::uint8_t* moves = moves_.data() + static_cast<std::size_t>(index) * kMaxCells;
        for (int ply = 0; ply < game.ply; ++ply) board.push(moves[ply]);
        return board;
    }

private:
    using Bits = typename L::Bits;
    // Cells in the order of the arrays.
    using CellSet = fourfall::Bits<L::kWords == 1 ? 1 : 3>;

    struct Game {
        std::array<Bits, 2> stones{};    // of each player, in the layout, for the detection of fours
        std::array<CellSet, 2> cells{};  // the same in the order of the arrays
        CellSet landing{};               // cells on which the next stones land
        CellSet blocked{};               // the hole and cells of the array that are not on the board
        Random random{0};
        std::array<std::uint8_t, kMaxSide> height{};  // at which the next stone of each column lands
        std::uint16_t legal = 0;                      // at the start of the game
        std::uint8_t rows = 0, cols = 0, ply = 0;
        std::int8_t hole_col = -1, hole_height = -1;
        std::int8_t winner = -1;
    };

    template <int kWords>
    static void set_bit(fourfall::Bits<kWords>& set, int index) {
        set.word[static_cast<std::size_t>(index / 64)] |= std::uint64_t{1} << (index % 64);
    }
    int cell_index(const Game& game, int height, int col) const { return (game.rows - 1 - height) * cols_ + col; }

    Game make_empty_game(const Geometry& geometry) const {
        Game game;
        game.rows = static_cast<std::uint8_t>(geometry.rows());
        game.cols = static_cast<std::uint8_t>(geometry.cols());
        game.legal = static_cast<std::uint16_t>((1U << game.cols) - 1);
        for (int row = 0; row < rows_; ++row)
            for (int col = row < game.rows ? game.cols : 0; col < cols_; ++col)
                set_bit(game.blocked, row * cols_ + col);
        if (const auto hole = geometry.hole()) {
            game.hole_col = static_cast<std::int8_t>(hole->col);
            game.hole_height = static_cast<std::int8_t>(game.rows - 1 - hole->row);
            set_bit(game.blocked, hole->row * cols_ + hole->col);
            if (game.hole_height == 0) game.height[static_cast<std::size_t>(hole->col)] = 1;
        }
        for (int col = 0; col < game.cols; ++col)
            set_bit(game.landing, cell_index(game, game.height[static_cast<std::size_t>(col)], col));
        return game;
    }

    // Drops a stone into a column that is not full and returns whether it wins.
    template <class Lines>
    bool play(int index, int column) {
        const auto at = static_cast<std::size_t>(index);
        Game& game = games_[at];
        std::uint8_t& height = game.height[static_cast<std::size_t>(column)];
        const auto player = static_cast<std::size_t>(game.ply % 2);
        const int cell = cell_index(game, height, column);
        set_bit(game.stones[player], column * L::kStride + height);
        set_bit(game.cells[player], cell);
        game.landing.word[static_cast<std::size_t>(cell / 64)] ^= std::uint64_t{1} << (cell % 64);
        ++height;
        if (column == game.hole_col && height == game.hole_height) ++height;
        if (height < game.rows)
            set_bit(game.landing, cell_index(game, height, column));
        else
            legal_[at] &= static_cast<std::uint16_t>(~(1U << column));
        moves_[at * kMaxCells + game.ply] = static_cast<std::uint8_t>(column);
        ++game.ply;
        if (!Lines::has_four(game.stones[player])) return false;
        game.winner = static_cast<std::int8_t>(player);
        game.landing = {};
        legal_[at] = 0;
        return true;
    }

    void write_board(int index, BatchArrays& out) const {
        const auto at = static_cast<std::size_t>(index);
        const Game& game = games_[at];
        out.turns[at] = static_cast<std::int8_t>(game.ply % 2);
        out.plies[at] = game.ply;
        write_mask(legal_[at], out.masks.data() + at * static_cast<std::size_t>(cols_));
        if (options_.plane_type == PlaneType::kFloat32)
            write_planes(game, reinterpret_cast<float*>(out.planes.data()) + at * plane_values());
        else
            write_planes(game, reinterpret_cast<std::uint8_t*>(out.planes.data()) + at * plane_values());
    }

    std::size_t plane_values() const { return static_cast<std::size_t>(kBatchPlanes * rows_ * cols_); }

    // Four columns at a time; the last four end with the last column.
    void write_mask(unsigned legal, std::uint8_t* out) const {
        for (int col = 0; col < cols_; col += 4) {
            const int begin = std::min(col, cols_ - 4);
            std::memcpy(out + begin, kOctets<std::uint8_t>[(legal >> begin) & 0xfU].data(), 4);
        }
    }

    template <class Value>
    void write_planes(const Game& game, Value* out) const {
        const int cells = rows_ * cols_;
        const auto player = static_cast<std::size_t>(game.ply % 2);
        write_cells_and_more(game.cells[player], cells, out);
        write_cells_and_more(game.cells[1 - player], cells, out + cells);
        write_cells_and_more(game.landing, cells, out + 2 * cells);
        write_cells(game.blocked, cells, out + 3 * cells);
    }

    BatchStart start_;
    std::vector<Game> games_;
    std::vector<Game> starts_;               // one, or one for each board
    std::vector<std::uint8_t> moves_;        // [board][ply]
    std::vector<std::uint8_t> start_moves_;  // the same for given starts
};

}  // namespace fourfall
