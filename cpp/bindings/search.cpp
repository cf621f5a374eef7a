// Python bindings of cpp/search: scores, limits, analyses and the configurations of the searches.
#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "bindings/bindings.hpp"
#include "bindings/search_docs.hpp"
#include "search/analysis.hpp"
#include "search/graph/config.hpp"
#include "search/limits.hpp"
#include "search/searcher.hpp"
#include "search/tree/config.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fourfall {
namespace {

// "wins in 3" counts moves of the winner; data has plies.
std::string format_score(const Score& score) {
    switch (score.proof()) {
        case Proof::kWin:
            return "wins in " + std::to_string((score.distance() + 1) / 2);
        case Proof::kLoss:
            return "loses in " + std::to_string(score.distance() / 2);
        case Proof::kDraw:
            return "draws";
        case Proof::kNone:
            break;
    }
    std::array<char, 16> text;
    std::snprintf(text.data(), text.size(), "%.1f %%", 100 * score.win_chance());
    return text.data();
}

// One line per column with its name, visits, score and line; '>' marks the move.
std::string format_analysis(const Analysis& analysis) {
    constexpr const char* kNames = "123456789abc";
    std::string text;
    for (const ColumnAnalysis& column : analysis.columns) {
        std::array<char, 48> line;
        std::snprintf(line.data(), line.size(), "%c %c %10llu  %-12s ", column.column == analysis.move ? '>' : ' ',
                      kNames[column.column], static_cast<unsigned long long>(column.visits),
                      column.has_score() ? format_score(column.score).c_str() : "");
        if (!text.empty()) text += '\n';
        text += line.data();
        for (const int move : column.pv) text += std::string(" ") + kNames[move];
    }
    return text;
}

// Analysis of a position whose results are known without a search.
Analysis make_analysis(const Board& board, std::vector<ColumnAnalysis> columns, int move, std::string stopped_by) {
    const auto chosen = std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.column == move; });
    if (chosen == columns.end()) throw nb::value_error("the move must be one of the columns");
    Analysis analysis;
    analysis.move = move;
    analysis.score = chosen->score;
    analysis.pv = chosen->pv;
    analysis.columns = std::move(columns);
    analysis.stopped_by = std::move(stopped_by);
    analysis.board = board;
    return analysis;
}

std::optional<int> get_distance(const Score& score) {
    return score.is_exact() ? std::optional(score.distance()) : std::nullopt;
}

inline constexpr const char* kProofSignature = "def proof(self) -> typing.Literal['win', 'draw', 'loss'] | None";

nb::object get_proof_name(const Score& score) {
    switch (score.proof()) {
        case Proof::kWin:
            return nb::str("win");
        case Proof::kDraw:
            return nb::str("draw");
        case Proof::kLoss:
            return nb::str("loss");
        case Proof::kNone:
            break;
    }
    return nb::none();
}

Score exact(Proof proof, const Integer& distance) {
    if (!distance.is_in(0, kMaxCells))
        throw nb::value_error(
            ("distance " + distance.text() + " is not in 0.." + std::to_string(kMaxCells) + " plies").c_str());
    return Score::exact(proof, static_cast<int>(distance.value()));
}

void bind_score(nb::module_& module) {
    nb::class_<Score>(module, "Score", docs::kScore)
        .def_static(
            "win", [](const Integer& distance) { return exact(Proof::kWin, distance); }, "distance"_a, docs::kScoreWin)
        .def_static(
            "draw", [](const Integer& distance) { return exact(Proof::kDraw, distance); }, "distance"_a,
            docs::kScoreDraw)
        .def_static(
            "loss", [](const Integer& distance) { return exact(Proof::kLoss, distance); }, "distance"_a,
            docs::kScoreLoss)
        .def_static(
            "estimate",
            [](double value) {
                if (!(value >= -1 && value <= 1)) throw nb::value_error("an estimate must be between -1 and 1");
                return Score::estimate(value);
            },
            "value"_a, docs::kScoreEstimate)
        .def_prop_ro("is_exact", &Score::is_exact, docs::kIsExact)
        .def_prop_ro(
            "is_win", [](const Score& self) { return self.proof() == Proof::kWin; }, docs::kIsWin)
        .def_prop_ro(
            "is_draw", [](const Score& self) { return self.proof() == Proof::kDraw; }, docs::kScoreIsDraw)
        .def_prop_ro(
            "is_loss", [](const Score& self) { return self.proof() == Proof::kLoss; }, docs::kIsLoss)
        .def_prop_ro("proof", &get_proof_name, nb::sig(kProofSignature), docs::kProof)
        .def_prop_ro("distance", &get_distance, docs::kDistance)
        .def_prop_ro("value", &Score::value, docs::kValue)
        .def_prop_ro("win_chance", &Score::win_chance, docs::kWinChance)
        .def(-nb::self)
        .def(nb::self < nb::self)
        .def(nb::self <= nb::self)
        .def(nb::self > nb::self)
        .def(nb::self >= nb::self)
        .def(nb::self == nb::self, nb::sig(kEqualSignature))
        .def("__hash__",
             [](const Score& self) {
                 return nb::hash(nb::make_tuple(get_proof_name(self), self.value(), self.distance()));
             })
        .def("__getstate__",
             [](const Score& self) {
                 return std::make_tuple(static_cast<int>(self.proof()), self.value(), self.distance());
             })
        .def("__setstate__",
             [](Score& self, const std::tuple<int, double, int>& state) {
                 const auto [proof, value, distance] = state;
                 const bool proven = proof != static_cast<int>(Proof::kNone);
                 new (&self) Score(proven ? Score::exact(static_cast<Proof>(proof), distance) : Score::estimate(value));
             })
        .def("__str__", &format_score)
        .def("__repr__", [](const Score& self) { return "<Score: " + format_score(self) + ">"; });
}

void bind_limit(nb::module_& module) {
    nb::class_<Limit>(module, "Limit", docs::kLimit)
        .def(
            "__init__",
            [](Limit* self, std::optional<double> time, const std::optional<Integer>& simulations, bool stop_early) {
                if (time && !(*time >= 0 && std::isfinite(*time)))
                    throw nb::value_error("time must be a finite number of seconds, at least 0");
                new (self) Limit{time, read_count("simulations", simulations), stop_early};
            },
            "time"_a = nb::none(), "simulations"_a = nb::none(), nb::kw_only(), "stop_early"_a = false)
        .def_ro("time", &Limit::time_s, "Time in seconds, or None.")
        .def_ro("simulations", &Limit::simulations, "Number of simulations, or None.")
        .def_ro("stop_early", &Limit::stop_early, docs::kStopEarly)
        .def(nb::self == nb::self, nb::sig(kEqualSignature))
        .def("__hash__",
             [](const Limit& self) { return nb::hash(nb::make_tuple(self.time_s, self.simulations, self.stop_early)); })
        .def("__getstate__",
             [](const Limit& self) { return std::make_tuple(self.time_s, self.simulations, self.stop_early); })
        .def("__setstate__",
             [](Limit& self, const std::tuple<std::optional<double>, std::optional<std::uint64_t>, bool>& state) {
                 const auto [time_s, simulations, stop_early] = state;
                 new (&self) Limit{time_s, simulations, stop_early};
             })
        .def("__repr__", [](nb::handle self) {
            const char* text = nb::cast<bool>(self.attr("stop_early"))
                                   ? "Limit(time={!r}, simulations={!r}, stop_early=True)"
                                   : "Limit(time={!r}, simulations={!r})";
            return nb::str(text).format(self.attr("time"), self.attr("simulations"));
        });
}

void bind_analysis(nb::module_& module) {
    nb::class_<ColumnAnalysis>(module, "ColumnAnalysis", docs::kColumnAnalysis)
        .def(
            "__init__",
            [](ColumnAnalysis* self, const Integer& column, const Score& score, std::vector<int> pv) {
                new (self) ColumnAnalysis{read_column(column), 0, score, std::move(pv)};
            },
            "column"_a, "score"_a, "pv"_a)
        .def_ro("column", &ColumnAnalysis::column, "Index of the column, from 0.")
        .def_ro("visits", &ColumnAnalysis::visits, "Number of simulations through this move.")
        .def_ro("score", &ColumnAnalysis::score, "Score of the move for the side to move.")
        .def_prop_ro(
            "value", [](const ColumnAnalysis& self) { return self.score.value(); }, "Expected result, -1 to 1.")
        .def_prop_ro(
            "proof", [](const ColumnAnalysis& self) { return get_proof_name(self.score); }, nb::sig(kProofSignature),
            docs::kProof)
        .def_prop_ro(
            "distance", [](const ColumnAnalysis& self) { return get_distance(self.score); },
            "Plies to the end of the game if the result is proven, otherwise None.")
        .def_prop_ro("has_score", &ColumnAnalysis::has_score, docs::kHasScore)
        .def_ro("pv", &ColumnAnalysis::pv, docs::kColumnPv)
        .def("__repr__", [](const ColumnAnalysis& self) {
            return "<ColumnAnalysis: column " + std::to_string(self.column) + ", " + std::to_string(self.visits) +
                   " visits, " + (self.has_score() ? format_score(self.score) : "no score") + ">";
        });
    nb::class_<Analysis>(module, "Analysis", docs::kAnalysis)
        .def(
            "__init__",
            [](Analysis* self, const Board& board, std::vector<ColumnAnalysis> columns, int move,
               std::string stopped_by) {
                new (self) Analysis(make_analysis(board, std::move(columns), move, std::move(stopped_by)));
            },
            "board"_a, "columns"_a, "move"_a, "stopped_by"_a)
        .def_prop_ro(
            "board", [](const Analysis& self) { return self.board.value(); }, docs::kSearchedBoard)
        .def_ro("move", &Analysis::move, "The column to play.")
        .def_ro("score", &Analysis::score, "Score of the move for the side to move.")
        .def_ro("columns", &Analysis::columns, "Analysis of every legal column, from left to right.")
        .def_ro("pv", &Analysis::pv, "Principal variation: the expected moves, beginning with `move`.")
        .def_ro("simulations", &Analysis::simulations, "Number of simulations in this search.")
        .def_prop_ro(
            "simulations_per_second",
            [](const Analysis& self) {
                return self.seconds > 0 ? static_cast<double>(self.simulations) / self.seconds : 0.0;
            },
            "Simulations per second.")
        .def_ro("evaluations", &Analysis::evaluations, "Number of positions evaluated in this search.")
        .def_ro("depth", &Analysis::depth, "Length of the longest simulation in plies.")
        .def_ro("reused_visits", &Analysis::reused_visits, "Visits of the root from previous searches.")
        .def_ro("nodes", &Analysis::nodes, "Number of stored positions.")
        .def_ro("memory_bytes", &Analysis::memory_bytes, "Memory in use, in bytes.")
        .def_ro("seconds", &Analysis::seconds, "Duration of the search in seconds.")
        .def_ro("stopped_by", &Analysis::stopped_by, docs::kStoppedBy)
        .def("__repr__",
             [](const Analysis& self) {
                 return "<Analysis: column " + std::to_string(self.move) + ", " + format_score(self.score) + ", " +
                        std::to_string(self.simulations) + " simulations>";
             })
        .def("__str__", &format_analysis)
        .def_prop_ro(
            "profile",
            [](const Analysis& self) {
                nb::dict shares;
                shares["selection"] = self.profile.share(Phase::kSelection);
                shares["expansion"] = self.profile.share(Phase::kExpansion);
                shares["evaluation"] = self.profile.share(Phase::kEvaluation);
                shares["solver"] = self.profile.share(Phase::kSolver);
                shares["backup"] = self.profile.share(Phase::kBackup);
                return shares;
            },
            nb::sig("def profile(self) -> dict[str, float]"), docs::kProfile);
    nb::class_<TreeNode>(module, "TreeNode", docs::kTreeNode)
        .def_ro("column", &TreeNode::column, "The move to this node; -1 at the root.")
        .def_ro("visits", &TreeNode::visits, "Number of simulations through this node.")
        .def_ro("score", &TreeNode::score,
                "Score for the side that played the column; at the root for the side to move.")
        .def_ro("children", &TreeNode::children, "The visited moves from this node.");
}

template <class Enum>
void bind_enum(nb::module_& module, const char* name, std::initializer_list<std::pair<const char*, Enum>> values) {
    nb::enum_<Enum> bound(module, name);
    for (const auto& [text, value] : values) bound.value(text, value);
}

void bind_tree_enums(nb::module_& module) {
    using namespace tree;
    bind_enum<Formula>(module, "Formula",
                       {{"UCB1", Formula::kUcb1}, {"UCB1_TWO", Formula::kUcb1Two}, {"SMOOTHED", Formula::kSmoothed}});
    bind_enum<Expansion>(module, "Expansion", {{"ONE", Expansion::kOne}, {"ALL", Expansion::kAll}});
    bind_enum<ColumnWeights>(module, "ColumnWeights",
                             {{"UNIFORM", ColumnWeights::kUniform}, {"CENTRE", ColumnWeights::kCentre}});
    bind_enum<TerminalTest>(
        module, "TerminalTest",
        {{"NEW", TerminalTest::kNew}, {"REVISIT", TerminalTest::kRevisit}, {"INVERTED", TerminalTest::kInverted}});
    bind_enum<Rollout>(module, "Rollout",
                       {{"UNIFORM", Rollout::kUniform},
                        {"CENTRE", Rollout::kCentre},
                        {"END_TEST", Rollout::kEndTest},
                        {"WIN_BLOCK", Rollout::kWinBlock},
                        {"LOOKAHEAD", Rollout::kLookahead}});
    bind_enum<Representation>(module, "Representation",
                              {{"ARRAY", Representation::kArray},
                               {"WIDE", Representation::kWide},
                               {"FITTED", Representation::kFitted},
                               {"NARROW", Representation::kNarrow}});
    bind_enum<Reward>(module, "Reward", {{"UNIT", Reward::kUnit}, {"SIGNED", Reward::kSigned}});
    bind_enum<Sums>(module, "Sums", {{"EXACT", Sums::kExact}, {"SINGLE", Sums::kSingle}});
    bind_enum<Proofs>(module, "Proofs",
                      {{"NONE", Proofs::kNone},
                       {"RESULTS", Proofs::kResults},
                       {"LATEST", Proofs::kLatest},
                       {"DISTANCES", Proofs::kDistances}});
    bind_enum<Choice>(module, "Choice",
                      {{"VISITS", Choice::kVisits},
                       {"VALUE", Choice::kValue},
                       {"REWARD_SUM", Choice::kRewardSum},
                       {"UPPER_BOUND", Choice::kUpperBound}});
    bind_enum<Storage>(module, "Storage", {{"POOL", Storage::kPool}, {"HEAP", Storage::kHeap}});
    bind_enum<Reclaim>(module, "Reclaim",
                       {{"RESTART", Reclaim::kRestart},
                        {"REFERENCES", Reclaim::kReferences},
                        {"SCAN", Reclaim::kScan},
                        {"GENERATIONS", Reclaim::kGenerations}});
}

void bind_tree_config(nb::module_& module) {
    using tree::TreeConfig;
    nb::class_<TreeConfig>(module, "TreeConfig", docs::kTreeConfig)
        .def(nb::init<>())
        .def_rw("formula", &TreeConfig::formula)
        .def_rw("exploration", &TreeConfig::exploration)
        .def_rw("revisit_fresh", &TreeConfig::revisit_fresh)
        .def_rw("expansion", &TreeConfig::expansion)
        .def_rw("expansion_weights", &TreeConfig::expansion_weights)
        .def_rw("terminal_test", &TreeConfig::terminal_test)
        .def_rw("end_on_win", &TreeConfig::end_on_win)
        .def_rw("forced_replies", &TreeConfig::forced_replies)
        .def_rw("rollout", &TreeConfig::rollout)
        .def_rw("representation", &TreeConfig::representation)
        .def_rw("reward", &TreeConfig::reward)
        .def_rw("sums", &TreeConfig::sums)
        .def_rw("proofs", &TreeConfig::proofs)
        .def_rw("root_win", &TreeConfig::root_win)
        .def_rw("root_block", &TreeConfig::root_block)
        .def_rw("root_double_threat", &TreeConfig::root_double_threat)
        .def_rw("avoid_gifts", &TreeConfig::avoid_gifts)
        .def_rw("avoid_double_threats", &TreeConfig::avoid_double_threats)
        .def_rw("choice", &TreeConfig::choice)
        .def_rw("graph", &TreeConfig::graph)
        .def_rw("reuse", &TreeConfig::reuse)
        .def_rw("storage", &TreeConfig::storage)
        .def_rw("reclaim", &TreeConfig::reclaim)
        .def_rw("capacity", &TreeConfig::capacity)
        .def_rw("move_time_s", &TreeConfig::move_time_s)
        .def_rw("simulations", &TreeConfig::simulations);
}

void bind_graph_config(nb::module_& module) {
    using graph::EvaluatorKind;
    using graph::GraphConfig;
    bind_enum<EvaluatorKind>(module, "EvaluatorKind",
                             {{"ROLLOUTS", EvaluatorKind::kRollouts}, {"NETWORK", EvaluatorKind::kNetwork}});
    bind_enum<graph::Arithmetic>(module, "Arithmetic",
                                 {{"FASTEST", graph::Arithmetic::kFastest}, {"FLOAT32", graph::Arithmetic::kFloat32}});
    nb::class_<GraphConfig>(module, "GraphConfig", docs::kGraphConfig)
        .def(nb::init<>())
        .def(nb::init<const GraphConfig&>(), "other"_a)
        .def_rw("exploration", &GraphConfig::exploration)
        .def_rw("prior", &GraphConfig::prior)
        .def_rw("first_play_urgency", &GraphConfig::first_play_urgency)
        .def_rw("lower_confidence_bound", &GraphConfig::lower_confidence_bound)
        .def_rw("evaluator", &GraphConfig::evaluator)
        .def_rw("rollouts", &GraphConfig::rollouts)
        .def_rw("arithmetic", &GraphConfig::arithmetic)
        .def_rw("weights", &GraphConfig::weights)
        .def_rw("network", &GraphConfig::network, nb::arg().none())
        .def_rw("solver", &GraphConfig::solver)
        .def_rw("threads", &GraphConfig::threads)
        .def_rw("move_time_s", &GraphConfig::move_time_s)
        .def_rw("simulations", &GraphConfig::simulations);
}

}  // namespace

void bind_search(nb::module_& module) {
    bind_score(module);
    bind_limit(module);
    bind_analysis(module);
    bind_tree_enums(module);
    bind_tree_config(module);
    bind_graph_config(module);
}

}  // namespace fourfall
