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
        if (start == BatchStart::kEmpty && geometry) {
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
        with_plane_type([&]<class Value>(Value) {
            dispatch<L>([&]<class Lines>(Lines) {
                const ArrayWriter<Value> writer(*this);
                for (int i = begin; i < end; ++i) {
                    writer.write_result(i, advance<Lines>(i));
                    writer.write_board(i, games_[static_cast<std::size_t>(i)], legal_[static_cast<std::size_t>(i)]);
                }
            });
        });
    }

    void write_range(int begin, int end) override {
        with_plane_type([&]<class Value>(Value) {
            const ArrayWriter<Value> writer(*this);
            for (int i = begin; i < end; ++i)
                writer.write_board(i, games_[static_cast<std::size_t>(i)], legal_[static_cast<std::size_t>(i)]);
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
        const int ply = game.ply, rows = game.rows, cols = cols_;
        const auto player = static_cast<std::size_t>(ply % 2);
        const int height = game.height[static_cast<std::size_t>(column)];
        const int next = height + (column == game.hole_col && height + 1 == game.hole_height ? 2 : 1);
        const int cell = (rows - 1 - height) * cols + column;
        set_bit(game.stones[player], column * L::kStride + height);
        set_bit(game.cells[player], cell);
        game.landing.word[static_cast<std::size_t>(cell / 64)] ^= std::uint64_t{1} << (cell % 64);
        if (next < rows)
            set_bit(game.landing, (rows - 1 - next) * cols + column);
        else
            legal_[at] &= static_cast<std::uint16_t>(~(1U << column));
        const bool is_won = Lines::has_four(game.stones[player]);
        game.height[static_cast<std::size_t>(column)] = static_cast<std::uint8_t>(next);
        game.ply = static_cast<std::uint8_t>(ply + 1);
        moves_[at * kMaxCells + static_cast<std::size_t>(ply)] = static_cast<std::uint8_t>(column);
        if (!is_won) return false;
        game.winner = static_cast<std::int8_t>(player);
        game.landing = {};
        legal_[at] = 0;
        return true;
    }

    // Result of one step of one board.
    struct StepResult {
        float reward;
        std::uint8_t is_over;
        std::int8_t winner;
    };

    // Plays the column of this step, and starts a new game if it ends the game.
    template <class Lines>
    StepResult advance(int index) {
        const auto at = static_cast<std::size_t>(index);
        if (legal_[at] == 0) return {0, 1, games_[at].winner};
        const bool is_won = play<Lines>(index, columns_[at]);
        if (legal_[at] != 0) return {0, 0, -1};
        const StepResult result{is_won ? 1.0F : 0.0F, 1, games_[at].winner};
        if (options_.auto_reset) start_game(index);
        return result;
    }

    template <class Call>
    void with_plane_type(Call call) {
        if (options_.plane_type == PlaneType::kFloat32)
            call(float{});
        else
            call(std::uint8_t{});
    }

    // Writes the current arrays. It keeps copies of their addresses and sizes: bytes written through a pointer may
    // alias the members of the batch, which would be read again after every store.
    template <class Value>
    class ArrayWriter {
    public:
        explicit ArrayWriter(LayoutBatch& batch) : ArrayWriter(batch, batch.arrays_[batch.current()]) {}

        void write_result(int index, const StepResult& result) const {
            rewards_[index] = result.reward;
            terminated_[index] = result.is_over;
            winners_[index] = result.winner;
        }

        void write_board(int index, const Game& game, unsigned legal) const {
            const int ply = game.ply;
            const auto player = static_cast<std::size_t>(ply % 2);
            turns_[index] = static_cast<std::int8_t>(player);
            plies_[index] = ply;
            write_mask(legal, masks_ + static_cast<std::ptrdiff_t>(index) * cols_);
            const CellSet mine = game.cells[player], theirs = game.cells[1 - player];
            const CellSet landing = game.landing, blocked = game.blocked;
            Value* const out = planes_ + static_cast<std::ptrdiff_t>(index) * kBatchPlanes * cells_;
            write_cells_and_more(mine, cells_, out);
            write_cells_and_more(theirs, cells_, out + cells_);
            write_cells_and_more(landing, cells_, out + 2 * cells_);
            write_cells(blocked, cells_, out + 3 * cells_);
        }

    private:
        ArrayWriter(LayoutBatch& batch, BatchArrays& arrays)
            : planes_(reinterpret_cast<Value*>(arrays.planes.data())),
              masks_(arrays.masks.data()),
              rewards_(arrays.rewards.data()),
              terminated_(arrays.terminated.data()),
              winners_(arrays.winners.data()),
              turns_(arrays.turns.data()),
              plies_(arrays.plies.data()),
              cols_(batch.cols_),
              cells_(batch.rows_ * batch.cols_) {}

        // Four columns at a time; the last four end with the last column.
        void write_mask(unsigned legal, std::uint8_t* out) const {
            for (int col = 0; col < cols_; col += 4) {
                const int begin = std::min(col, cols_ - 4);
                std::memcpy(out + begin, kOctets<std::uint8_t>[(legal >> begin) & 0xfU].data(), 4);
            }
        }

        Value* planes_;
        std::uint8_t* masks_;
        float* rewards_;
        std::uint8_t* terminated_;
        std::int8_t *winners_, *turns_;
        std::int32_t* plies_;
        int cols_, cells_;
    };

    BatchStart start_;
    std::vector<Game> games_;
    std::vector<Game> starts_;               // one, or one for each board
    std::vector<std::uint8_t> moves_;        // [board][ply]
    std::vector<std::uint8_t> start_moves_;  // the same for given starts
};

}  // namespace fourfall
