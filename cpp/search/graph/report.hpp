// Reports the state of a search graph: analysis of the root, and copies of the tree below it.
#pragma once

#include "search/analysis.hpp"
#include "search/graph/shared_graph.hpp"
#include "search/searcher.hpp"

namespace fourfall::graph {

// Fills in the move, the scores, the principal variation and the counts of the graph; the caller adds time and memory.
template <class L>
Analysis report_root(const SharedGraph<L>& graph);

// The expected moves if `column` is played at the root; see Searcher::column_pv.
template <class L>
std::vector<int> report_column_pv(const SharedGraph<L>& graph, int column);

// Copies the visited nodes down to `depth` plies. No search may run.
template <class L>
TreeNode report_tree(const SharedGraph<L>& graph, int depth);

}  // namespace fourfall::graph
