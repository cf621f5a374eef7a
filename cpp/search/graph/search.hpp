// Owns the graph search: simulations that walk down shared positions, evaluate what is new, and carry values and
// proofs up (docs/search.md derives every formula).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "game/random.hpp"
#include "search/graph/config.hpp"
#include "search/graph/evaluator.hpp"
#include "search/graph/store.hpp"
#include "search/searcher.hpp"
#include "search/solver/alpha_beta.hpp"
#include "search/solver/pairing.hpp"

namespace fourfall::graph {

// Less does not hold the solver's table and a graph worth the name.
inline constexpr std::uint64_t kMinMemoryBytes = std::uint64_t{16} << 20;

std::unique_ptr<Searcher> make_searcher(const Config& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes);

template <class L>
class Search final : public Searcher {
public:
    // The evaluator may be that of another search of the same geometry; otherwise it makes its own.
    Search(const Config& config, const Geometry& geometry, std::uint64_t seed, std::uint64_t memory_bytes,
           std::shared_ptr<const Evaluator<L>> evaluator = nullptr);
    Analysis run(const Board& board, const Limit& limit, Clock::Time asked, Control& control,
                 const std::function<void(const Analysis&)>& on_snapshot) override;
    TreeNode tree(int depth) const override;

private:
    using Bits = typename L::Bits;
    struct Step {
        NodeId node;
        Edge* edge;
    };
    // What each thread has for itself.
    struct Worker {
        Random random;
        Clock* clock;
        int number;
        std::vector<Step> path{};
        Profile profile{};
        std::uint64_t evaluations = 0;
        int depth = 0;
        bool probed = false;  // whether the last simulation asked the solver
    };

    // The phases of a simulation.
    void simulate(Worker& worker);
    Edge* select(Node<L>& node) const;
    NodeId arrive(Worker& worker, Edge& edge, const Position<L>& position, int stones, bool& goes_on);
    NodeId expand(Worker& worker, const Position<L>& position, int stones, float& value);
    std::size_t open_edges(const Position<L>& position, int stones, std::array<Edge, kMaxSide>& edges) const;
    void back_up(Worker& worker);
    // Whether a node has a single move and is spared the evaluation: the walk goes on to what comes of it.
    bool is_passed(std::size_t edges) const { return edges == 1 && evaluator_->is_slow(); }
    void refresh(Node<L>& node) const;

    // The solver, which is asked when so few cells are free that it may have an answer.
    static constexpr int kSolverFree = 44;
    bool is_near_the_end(int stones) const { return config_.solver && cells_ - stones <= kSolverFree; }
    void probe(Worker& worker, NodeId id);
    void probe_moves(Worker& worker, Node<L>& node, std::uint64_t budget);
    bool is_out_of_time(Worker& worker) { return worker.clock->expired() || solver_control_.stop; }
    Bounds settled(Worker& worker, const Position<L>& position, int stones, Bounds known, std::uint64_t budget,
                   std::uint64_t& spent);
    Bounds promised(const solver::ResultBounds& promise) const;
    Value value_of(int solved, int stones) const;

    // The root.
    using OnSnapshot = std::function<void(const Analysis&)>;
    void enter_root(const Board& board, Worker& worker);
    const char* search(const Limit& limit, Control& control, std::vector<Worker>& workers,
                       const OnSnapshot& on_snapshot);
    bool is_decided(double time_s) const;
    void play_on(const Board& board, const Limit& limit, Clock::Time asked, Control& control,
                 const OnSnapshot& on_snapshot, Analysis& analysis);
    const Edge* choose(const Node<L>& node) const;
    Analysis report(const std::vector<Worker>& workers) const;
    ColumnAnalysis report_column(const Bits& drop) const;
    void add_line(Analysis& analysis) const;
    TreeNode report_tree(int column, std::uint64_t visits, Score score, NodeId id, int depth) const;

    Config config_;
    Masks<L> masks_;
    int cells_;
    std::uint64_t seed_;
    std::uint64_t memory_bytes_;
    std::shared_ptr<const Evaluator<L>> evaluator_;
    solver::Pairing<L> pairing_;
    mutable std::mutex store_mutex_;  // guards which nodes there are; what is in them is shared
    Store<L> store_;
    std::mutex solver_mutex_;  // guards the three below
    solver::AlphaBeta<L> solver_;
    Control solver_control_;
    std::array<std::uint64_t, 2> spent_{};  // solver nodes of this search: on other nodes, on the root
    std::atomic<bool> ending_{false};       // the search is over: threads leave the solver
    std::vector<Clock> clocks_;             // one for each thread; the first keeps the limit
    std::unique_ptr<Search> hope_;          // plays on where this one knows that all is lost; made when it is needed

    NodeId root_ = kNoNode;
    Position<L> root_position_{};
    int root_stones_ = 0;
    std::uint64_t reused_ = 0;
    std::atomic<std::uint64_t> simulations_{0};
};

}  // namespace fourfall::graph
