// Chinese strings of Learn, loaded with its view.

/** @type {import("./language.js").Words} */
export const words = {
  "lesson.list": "课程",
  "lesson.list.about": "六节入门短课，每节有几个局面，由你找出该下的一手。",
  "lesson.progress": "{0} / {1}",
  "lesson.done": "已完成 ✓",
  "lesson.number": "第 {0} 课，共 {1} 课",
  "lesson.tasks": "本课练习",
  "lesson.task.number": "练习 {0}",
  "lesson.task.solved": "练习 {0}，已完成",
  "lesson.back": "全部课程",
  "lesson.again": "再试一次",
  "lesson.next_task": "下一题",
  "lesson.next_lesson": "下一课",
  "lesson.all_done": "课程到此结束，来下一局吧。",
  "lesson.play": "与等级 10 对弈",
  "lesson.wrong": "不是这一手。",
  "lesson.right": "正确。",
  "lesson.right.win": "正确，连成四子。",
  "lesson.right.block": "正确，威胁被挡住了。",
  "lesson.right.attack": "正确，连成四子，橙方无法阻止。",
  "lesson.right.defend": "正确，阻止了双重威胁。",
  "lesson.right.safe": "正确，橙方现在无法连成四子。",
  "lesson.right.threaten": "正确，橙方只好填上下面一格，它的制胜点被你占了。",
  "lesson.right.keep": "正确，你的制胜点还在。",
  "lesson.right.solve": "正确，只有这一手能赢。",
  "lesson.finish": "{0}挡在第 {1} 列。请连成四子。",
  "lesson.take_cell": "{0}只好下第 {1} 列。请占住它上面的一格。",

  "lesson.title.rules": "规则",
  "lesson.summary.rules": "横、竖、斜连成四子",
  "lesson.about.rules":
    "你执蓝（圆子），对手执橙（菱形子）。棋子会落到该列最低的空格。先把四子连成一线的一方获胜。点击一列或按该列的数字键落子。",
  "lesson.task.rules_row": "轮到蓝方。横向连成四子。",
  "lesson.task.rules_column": "轮到蓝方。竖向连成四子。",
  "lesson.task.rules_diagonal": "轮到蓝方。斜向连成四子。",

  "lesson.title.threats": "威胁",
  "lesson.summary.threats": "发现并挡住对方的三子",
  "lesson.about.threats":
    "一条线上有三子、第四格空着，就是威胁。如果对方下一手能下在这一格，你必须马上挡住，除非你能先赢。每一手之前都要先找威胁。",
  "lesson.task.threats_block_row": "橙方要在最下面一行连成四子。挡住它。",
  "lesson.task.threats_block_column": "橙方竖着有三子。挡住它。",
  "lesson.task.threats_block_diagonal": "橙方要在斜线上连成四子。找到那一格并挡住。",
  "lesson.task.threats_win_first": "橙方有威胁，但现在轮到你。哪一手最好？",

  "lesson.title.double_threats": "双重威胁",
  "lesson.summary.double_threats": "同时有两个制胜点",
  "lesson.about.double_threats":
    "对方一手只能挡住一处。如果你的一手造出两个制胜点，下一手就能赢。上下相邻的两个制胜点也能赢：挡住下面一格，就打开了上面一格。",
  "lesson.task.double_threats_open_three": "连成两端都空着的三子。",
  "lesson.task.double_threats_two_lines": "一颗子可以同属两条线。用一手造出两个威胁。",
  "lesson.task.double_threats_stacked": "造出上下相邻的两个制胜点。",
  "lesson.task.double_threats_prevent": "橙方马上就能造出双重威胁。阻止它。",

  "lesson.title.opening_cells": "打开的格子",
  "lesson.summary.opening_cells": "注意你的棋子上面那一格",
  "lesson.about.opening_cells":
    "每下一子，都为对方打开了上面一格。不要下在对方制胜点的正下方，也不要下在自己制胜点的正下方，否则对方会把它填掉。",
  "lesson.task.opening_cells_leave_closed": "第 4 列第 2 行一旦能下，橙方就连成四子。下一手不打开这一格的棋。",
  "lesson.task.opening_cells_only_safe": "只有一列是安全的。看看每一手上面的那一格。",
  "lesson.task.opening_cells_keep_own": "第 4 列第 3 行是你的制胜点。下一手棋，让橙方还不能填掉它。",
  "lesson.task.opening_cells_force_below": "第 4 列第 2 行是橙方的制胜点。用一个威胁逼橙方下在它下面。",

  "lesson.title.parity": "奇偶",
  "lesson.summary.parity": "谁不得不下在那一格下面",
  "lesson.about.parity":
    "到了残局，谁都不愿下在对方制胜点的下面。其他格子都填满后，总有一方不得不下。数一数空格：下了偶数手之后，又轮到同一方。剩下偶数格时，对方下一手你应一手，最后对方只好打开你的格子。",
  "lesson.task.parity_two_columns":
    "你执橙。只剩两列。第 3 列第 2 行是蓝方的制胜点，第 4 行是你的制胜点。让蓝方不得不先下第 3 列。",
  "lesson.task.parity_count_cells": "造出一个制胜点，让橙方在其他格子填满后不得不下在它下面。",
  "lesson.task.parity_only_move": "胜负在第 6 列。哪一手能让橙方不得不先下这一列？",

  "lesson.title.hole": "禁点",
  "lesson.summary.hole": "它切断连线，也改变奇偶",
  "lesson.about.hole":
    "正式棋盘上有一个禁点，不能落子，所以会切断经过它的每一条线。棋子可以停在它上面：该列的下一子会落在它上方。它还会改变空格的数目。",
  "lesson.task.hole_broken_line": "你的三子有一端是禁点。在另一端连成四子。",
  "lesson.task.hole_above": "棋子可以停在禁点上面。连成四子。",
  "lesson.task.hole_harmless_three": "橙方的三子夹在你的棋子和禁点之间，构不成威胁。造出双重威胁。",
  "lesson.task.hole_changed_parity": "如果没有禁点，奇偶对你不利。正因为有它，哪一手能赢？",
};
