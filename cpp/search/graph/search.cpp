// GraphSearch: runs simulations until a limit or a proof, and plays on in lost positions.
#include "search/graph/search.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "search/graph/report.hpp"
#include "search/graph/root_choice.hpp"
#include "search/graph/simulation.inl"

namespace fourfall::graph {
namespace {

// How the memory of an engine is divided. One eighth is for the search in lost positions (choose_in_lost_position).
struct MemoryPlan {
    // The solver makes many short searches and is fastest with a table that fits the processor's caches.
    static constexpr std::uint64_t kMaxSolverBytes = std::uint64_t{8} << 20;

    MemoryPlan(const GraphConfig& config, std::uint64_t total)
        : solver(std::min(total / 4, kMaxSolverBytes)),
          evaluation_cache(config.evaluator == EvaluatorKind::kNetwork ? total / 8 : 0),
          nodes(total - solver - evaluation_cache - total / 8) {}

    std::uint64_t solver, evaluation_cache, nodes;
};

template <class L>
class GraphSearch final : public Searcher {
public:
    // `evaluator` may be shared with another search of the same geometry; by default a new one is made.
    GraphSearch(const GraphConfig& config, const Geometry& geometry, std::uint64_t seed, std::uint64_t memory_bytes,
                std::shared_ptr<const Evaluator<L>> evaluator = nullptr);
    void start(const Board& board, const Limit& limit, Clock::Time requested, Control& control) override;
    bool advance(std::optional<Clock::Time> pause_at, const OnSnapshot& on_snapshot) override;
    Analysis report() const override;
    std::vector<int> column_pv(int column) const override { return report_column_pv(graph_, column); }
    TreeNode tree(int depth) const override { return report_tree(graph_, depth); }

private:
    // The search that start() began.
    struct Request {
        Board board;
        Limit limit;
        Clock::Time requested;
        Control& control;
        std::uint64_t tests = 0;           // of the reasons to stop
        const char* stopped_by = nullptr;  // nullptr while simulations run
        Analysis result{};                 // from then on
        bool is_choosing = false;          // whether without_solver_ is choosing the move
    };

    std::vector<Worker> make_workers(const Board& board);
    void enter_root(const Board& board, Worker& worker);
    bool simulate_until_stopped(const OnSnapshot& on_snapshot);
    const char* find_stop_reason();
    bool can_stop_early(double time_s) const;
    bool is_complete() const;
    bool is_proven() const { return load_relaxed(graph_.store.node(graph_.root).bounds).is_proven(); }
    bool starts_choice_in_lost_position();
    void choose_in_lost_position(const Analysis& second);
    Analysis report_simulations() const;

    GraphConfig config_;
    std::uint64_t seed_;
    std::uint64_t memory_bytes_;
    MemoryPlan memory_plan_;
    std::shared_ptr<const Evaluator<L>> evaluator_;
    SharedGraph<L> graph_;
    SolverProbe<L> solver_;
    Simulator<L> simulator_;
    std::vector<Clock> clocks_;    // one per thread; the first one enforces the limit
    std::vector<Worker> workers_;  // the same
    std::unique_ptr<Request> request_;
    std::unique_ptr<GraphSearch> without_solver_;  // chooses the move in lost positions; made when it is first needed
};

template <class L>
std::shared_ptr<const Evaluator<L>> make_evaluator(const GraphConfig& config, const Geometry& geometry,
                                                   std::uint64_t seed, std::uint64_t cache_bytes) {
    return config.evaluator == EvaluatorKind::kRollouts
               ? make_rollout_evaluator<L>(config, geometry)
               : make_network_evaluator<L>(config, geometry, seed, cache_bytes);
}

template <class L>
GraphSearch<L>::GraphSearch(const GraphConfig& config, const Geometry& geometry, std::uint64_t seed,
                            std::uint64_t memory_bytes, std::shared_ptr<const Evaluator<L>> evaluator)
    : config_(config),
      seed_(seed),
      memory_bytes_(memory_bytes),
      memory_plan_(config, memory_bytes),
      evaluator_(evaluator ? std::move(evaluator)
                           : make_evaluator<L>(config, geometry, seed, memory_plan_.evaluation_cache)),
      graph_(config, geometry, memory_plan_.nodes),
      solver_(config, geometry, evaluator_->solver_schedule(), memory_plan_.solver),
      simulator_(config_, graph_, *evaluator_, solver_),
      clocks_(static_cast<std::size_t>(config.threads)) {}

template <class L>
void GraphSearch<L>::start(const Board& board, const Limit& limit, Clock::Time requested, Control& control) {
    assert(!board.is_over());
    const Limit effective = limit.or_else({config_.move_time_s, config_.simulations, false});
    request_ = std::make_unique<Request>(Request{board, effective, requested, control});
    for (Clock& clock : clocks_) clock.start(requested, effective.time_s);
    solver_.start(control);
    graph_.simulations = 0;
    workers_ = make_workers(board);
    enter_root(board, workers_[0]);
}

template <class L>
bool GraphSearch<L>::advance(std::optional<Clock::Time> pause_at, const OnSnapshot& on_snapshot) {
    for (Clock& clock : clocks_) clock.resume(pause_at);
    if (request_->stopped_by == nullptr) {
        if (!simulate_until_stopped(on_snapshot)) return false;
        request_->result = report_simulations();
        request_->result.stopped_by = request_->stopped_by;
        request_->is_choosing = starts_choice_in_lost_position();
    }
    if (request_->is_choosing) {
        if (!without_solver_->advance(pause_at, [&](const Analysis&) { on_snapshot(request_->result); })) return false;
        choose_in_lost_position(without_solver_->report());
        request_->is_choosing = false;
    }
    for (Clock& clock : clocks_) clock.finish();
    return true;
}

template <class L>
Analysis GraphSearch<L>::report() const {
    return request_->stopped_by == nullptr ? report_simulations() : request_->result;
}

// Seeds the random numbers from the position, so that they do not depend on earlier searches.
template <class L>
std::vector<Worker> GraphSearch<L>::make_workers(const Board& board) {
    std::vector<Worker> workers;
    workers.reserve(clocks_.size());
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        workers.push_back({Random(mix_bits(seed_ + i) ^ board.key()), &clocks_[i], static_cast<int>(i)});
    return workers;
}

// Finds the node of the root position or creates it. A root that the next stone or the one after it decides has none.
template <class L>
void GraphSearch<L>::enter_root(const Board& board, Worker& worker) {
    graph_.root_position = convert_layout<L, WideLayout>(board.position());
    graph_.root_stones = board.ply();
    graph_.store.set_root(graph_.root_position, graph_.root_stones);
    graph_.root = kNoNode;
    graph_.reused_visits = 0;
    if (graph_.root_position.winning_drops(graph_.masks).any() || graph_.root_position.safe_drops(graph_.masks).none())
        return;
    graph_.root = graph_.store.find(graph_.root_position);
    if (graph_.root != kNoNode) {
        Node<L>& root = graph_.store.node(graph_.root);
        graph_.reused_visits = root.visits;
        // The solver may have proven the position without naming a move.
        root.bounds = {};
        root.solver_probes = 0;
        update(root);
        return;
    }
    graph_.root = simulator_.expand(worker, graph_.root_position, graph_.root_stones).node;
    if (graph_.root == kNoNode) {
        graph_.store.clear();
        graph_.root = simulator_.expand(worker, graph_.root_position, graph_.root_stones).node;
    }
}

// Simulates until there is a reason to stop, and returns true; returns false at a pause. The calling thread tests the
// limits and makes snapshots; the other threads only simulate.
template <class L>
bool GraphSearch<L>::simulate_until_stopped(const OnSnapshot& on_snapshot) {
    if (graph_.root == kNoNode) {
        request_->stopped_by = "proof";
        return true;
    }
    const auto simulate = [&](Worker& worker) {
        simulator_.simulate(worker);
        graph_.simulations.fetch_add(1, std::memory_order_relaxed);
    };
    solver_.resume();
    HelperThreads helpers([&] { solver_.cancel(); });
    for (std::size_t i = 1; i < workers_.size(); ++i)
        helpers.add([&, &worker = workers_[i]] {
            if (is_complete() || is_proven()) return false;
            simulate(worker);
            return true;
        });
    Control& control = request_->control;
    while ((request_->stopped_by = find_stop_reason()) == nullptr) {
        if (clocks_[0].should_pause()) return false;
        simulate(workers_[0]);
        if (control.snapshot_wanted.load(std::memory_order_relaxed)) {
            control.snapshot_wanted.store(false, std::memory_order_relaxed);
            on_snapshot(report_simulations());
        }
    }
    return true;
}

template <class L>
bool GraphSearch<L>::is_complete() const {
    const auto& simulations = request_->limit.simulations;
    return simulations && graph_.simulations.load(std::memory_order_relaxed) >= *simulations;
}

template <class L>
const char* GraphSearch<L>::find_stop_reason() {
    // Simulations between two tests of the clock and of the condition for an early stop.
    const bool is_slow = evaluator_->is_slow();
    const std::uint64_t clock_interval = is_slow ? 1 : 8, early_stop_interval = is_slow ? 32 : 256;
    if (is_proven()) return "proof";
    if (is_complete()) return "simulations";
    // A call of the solver may have taken the rest of the time.
    if (request_->tests++ % clock_interval != 0 && !workers_[0].has_probed) return nullptr;
    if (request_->control.stop.load(std::memory_order_relaxed)) return "stop";
    request_->control.poll();
    if (clocks_[0].has_expired()) return "time";
    const Limit& limit = request_->limit;
    if (!limit.stop_early || !limit.time_s || request_->tests % early_stop_interval != 1) return nullptr;
    // Near the end, a proof may still change the choice.
    const bool is_final = !solver_.is_near_end(graph_.root_stones) && can_stop_early(*limit.time_s);
    return is_final ? "early stop" : nullptr;
}

// Whether the simulations that fit into the remaining time cannot change the choice.
template <class L>
bool GraphSearch<L>::can_stop_early(double time_s) const {
    const std::uint64_t min_simulations = evaluator_->is_slow() ? 200 : 2000;  // for a meaningful score of an only move
    const std::uint64_t done = graph_.simulations.load(std::memory_order_relaxed);
    const double seconds = clocks_[0].seconds();
    if (done < min_simulations || seconds <= 0) return false;
    const Node<L>& root = graph_.store.node(graph_.root);
    const double remaining = static_cast<double>(done) / seconds * (time_s - seconds);
    return is_choice_final(
        root.edges(), choose_edge(root.edges(), load_relaxed(root.bounds), graph_.lower_confidence_bound), remaining);
}

// In a lost position all moves are proven losses, and this search cannot rank them. A second search without solver, for
// the rest of the time, sees only short losses and so prefers moves to which the opponent may miss the right reply. The
// analysis takes its move from there and keeps the proven scores. Returns whether the second search was started.
template <class L>
bool GraphSearch<L>::starts_choice_in_lost_position() {
    constexpr int kMinDistance = 8;  // plies; opponents hardly miss shorter wins
    const Limit& limit = request_->limit;
    const Analysis& result = request_->result;
    if (!config_.solver || limit.stop_early || result.score.proof() != Proof::kLoss) return false;
    if (result.score.distance() < kMinDistance) return false;
    if (without_solver_ == nullptr) {
        GraphConfig config = config_;
        config.solver = false;
        without_solver_ =
            std::make_unique<GraphSearch>(config, request_->board.geometry(), seed_, memory_bytes_ / 8, evaluator_);
    }
    Limit rest = limit;
    if (rest.simulations) *rest.simulations -= std::min(*rest.simulations, result.simulations);
    without_solver_->start(request_->board, rest, request_->requested, request_->control);
    return true;
}

template <class L>
void GraphSearch<L>::choose_in_lost_position(const Analysis& second) {
    Analysis& analysis = request_->result;
    analysis.move = second.move;
    analysis.pv = second.pv;
    analysis.score = std::ranges::find(analysis.columns, analysis.move, &ColumnAnalysis::column)->score;
    analysis.simulations += second.simulations;
    analysis.evaluations += second.evaluations;
    analysis.seconds = clocks_[0].seconds();
}

template <class L>
Analysis GraphSearch<L>::report_simulations() const {
    Analysis analysis = report_root(graph_);
    analysis.memory_bytes += solver_.memory_bytes() + evaluator_->memory_bytes();
    analysis.seconds = clocks_[0].seconds();
    analysis.profile = workers_[0].profile;
    for (const Worker& worker : workers_) {
        analysis.evaluations += load_relaxed(worker.evaluations);
        analysis.depth = std::max(analysis.depth, load_relaxed(worker.depth));
    }
    return analysis;
}

}  // namespace

std::unique_ptr<Searcher> make_searcher(const GraphConfig& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes) {
    const auto make = [&]<class L>(L) -> std::unique_ptr<Searcher> {
        return std::make_unique<GraphSearch<L>>(config, geometry, seed, memory_bytes);
    };
    return solver::with_solver_layout(geometry, make);
}

}  // namespace fourfall::graph
