// The configurable tree search: Monte Carlo tree search whose phases follow a TreeConfig.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "game/board.hpp"
#include "game/random.hpp"
#include "search/analysis.hpp"
#include "search/limits.hpp"
#include "search/searcher.hpp"
#include "search/tree/column_sampler.hpp"
#include "search/tree/config.hpp"
#include "search/tree/node_pool.hpp"
#include "search/tree/rollout.hpp"

namespace fourfall::tree {

std::unique_ptr<Searcher> make_searcher(const TreeConfig& config, const Geometry& geometry, std::uint64_t seed,
                                        std::uint64_t memory_bytes);

// Values and results are -1..1 for the side that makes the move of the edge in question. Rewards are values on the
// scale of TreeConfig::reward.
template <class L>
class TreeSearch final : public Searcher {
public:
    TreeSearch(const TreeConfig& config, const Geometry& geometry, std::uint64_t seed, std::uint64_t memory_bytes);
    void start(const Board& board, const Limit& limit, Clock::Time requested, Control& control) override;
    bool advance(std::optional<Clock::Time> pause_at, const OnSnapshot& on_snapshot) override;
    Analysis report() const override { return result_ ? *result_ : make_report(); }
    std::vector<int> column_pv(int column) const override;
    TreeNode tree(int depth) const override;

private:
    using Bits = typename L::Bits;
    using ColumnSet = std::bitset<kMaxSide>;
    struct PathEntry {
        NodeId node;
        Edge* edge;
    };

    void simulate();
    const char* find_stop_reason();

    // selection.inl
    Edge& select(Node& node);
    Edge& select_unvisited(Node& node);
    Edge& select_by_formula(Node& node);
    double bound_numerator(const Node& node) const;
    double upper_bound(const Edge& edge, double numerator) const;
    double mean_reward(const Edge& edge) const;

    // expansion.inl
    std::optional<double> follow_in_tree(Edge& edge, const Position<L>& position, int ply);
    std::optional<double> follow_inverted(Edge& edge, const Position<L>& position, int ply);
    std::optional<double> expand_child(Edge& edge, const Position<L>& position, int ply);
    std::optional<double> follow_in_graph(Edge& edge, const Position<L>& position, int ply);
    std::optional<double> add_graph_node(Edge& edge, const Position<L>& position, int ply);
    NodeId expand(NodeId id, const Position<L>& position, int ply);

    // evaluation.inl
    void test_for_end(Edge& edge, const Position<L>& position) const;
    double evaluate(const Position<L>& position);
    double to_reward(double value) const { return config_.reward == Reward::kUnit ? (1 + value) / 2 : value; }

    // backup.inl
    void back_up_tree(double value);
    void back_up_graph();
    void update_proof(Node& node, const Edge& latest) const;

    // root.inl
    void set_up_root(const Board& board);
    NodeId find_reusable_root(const Board& board);

    // root_choice.inl
    std::optional<int> apply_root_rules(const char*& rule) const;
    const Edge* choose_move(const Node& root) const;
    const Edge* choose_among(const Node& node, const ColumnSet& allowed) const;
    Position<L> play_column(const Position<L>& position, int column) const;
    bool allows_win(int column) const;
    bool allows_double_threat(int column) const;

    // report.inl
    Analysis make_report() const;
    std::vector<int> principal_variation(const Edge* first) const;
    NodeId reported_child(const Edge& edge) const;
    TreeNode report_node(int column, std::uint64_t visits, Score score, NodeId id, int depth) const;
    double value_of(const Edge& edge) const;
    Score score_of(const Edge& edge) const;

    TreeConfig config_;
    Masks<L> masks_;
    std::uint64_t seed_;
    NodePool<L> pool_;
    ColumnSampler expansion_sampler_, rollout_sampler_;
    bool uses_array_rollouts_;
    Random random_{0};
    Clock clock_;
    Profile profile_;

    // The search that start() began.
    Limit limit_;
    Control* control_ = nullptr;
    const char* stopped_by_ = nullptr;  // nullptr while simulations run
    std::optional<int> rule_move_;
    std::optional<Analysis> result_;  // after the end

    NodeId root_ = kNoNode;
    Position<L> root_position_{};
    int root_ply_ = 0;
    std::vector<std::uint8_t> root_moves_;
    std::vector<PathEntry> path_;  // of the current simulation
    std::uint64_t simulations_ = 0, reused_visits_ = 0;
    int depth_ = 0;
    bool is_out_of_memory_ = false;
};

}  // namespace fourfall::tree
