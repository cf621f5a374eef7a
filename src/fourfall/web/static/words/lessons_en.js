// English strings of Learn, loaded with its view.

/** @type {import("./language.js").Words} */
export const words = {
  "lesson.list": "Lessons",
  "lesson.list.about": "Six short lessons for beginners. Each has a few positions in which you find the move.",
  "lesson.progress": "{0} of {1}",
  "lesson.done": "Done ✓",
  "lesson.number": "Lesson {0} of {1}",
  "lesson.tasks": "Tasks of this lesson",
  "lesson.task.number": "Task {0}",
  "lesson.task.solved": "Task {0}, solved",
  "lesson.back": "All lessons",
  "lesson.again": "Try again",
  "lesson.next_task": "Next task",
  "lesson.next_lesson": "Next lesson",
  "lesson.all_done": "You have reached the end of the lessons. Now play a game.",
  "lesson.play": "Play against level 10",
  "lesson.wrong": "Not this move.",
  "lesson.right": "Right.",
  "lesson.right.win": "Right: four in a row.",
  "lesson.right.block": "Right: the threat is blocked.",
  "lesson.right.attack": "Right: four in a row, and Orange could not prevent it.",
  "lesson.right.defend": "Right: the double threat is prevented.",
  "lesson.right.safe": "Right: Orange cannot complete four now.",
  "lesson.right.threaten": "Right: Orange had to fill the cell below, and you have taken its winning cell.",
  "lesson.right.keep": "Right: your winning cell stays open.",
  "lesson.right.solve": "Right: this is the only move that wins.",
  "lesson.finish": "{0} blocked in column {1}. Complete your four.",
  "lesson.take_cell": "{0} had to play in column {1}. Take the cell above it.",

  "lesson.title.rules": "The rules",
  "lesson.summary.rules": "Four in a row, column or diagonal",
  "lesson.about.rules":
    "You are Blue (discs), the opponent is Orange (diamonds). A stone falls to the lowest free cell of its column. Who first has four stones in a line wins. To drop a stone, click a column, or press its number.",
  "lesson.task.rules_row": "Blue to move. Complete four in a row.",
  "lesson.task.rules_column": "Blue to move. Complete four on top of each other.",
  "lesson.task.rules_diagonal": "Blue to move. Complete four on a diagonal.",

  "lesson.title.threats": "Threats",
  "lesson.summary.threats": "See and block three in a line",
  "lesson.about.threats":
    "Three stones in a line with a free fourth cell are a threat. If the opponent can play in this cell next, you must block it now, unless you can win first. Look for threats before every move.",
  "lesson.task.threats_block_row": "Orange threatens four in the bottom row. Block it.",
  "lesson.task.threats_block_column": "Orange has three stones on top of each other. Block them.",
  "lesson.task.threats_block_diagonal": "Orange threatens four on a diagonal. Find the cell and block it.",
  "lesson.task.threats_win_first": "Orange threatens four, but it is your turn. Which move is best?",

  "lesson.title.double_threats": "Double threats",
  "lesson.summary.double_threats": "Two winning cells at once",
  "lesson.about.double_threats":
    "The opponent can block only one cell with one stone. If your move makes two winning cells, you win with the next stone. Two winning cells directly above each other also win: the block of the lower one opens the upper one.",
  "lesson.task.double_threats_open_three": "Make three in a row with both ends free.",
  "lesson.task.double_threats_two_lines": "One stone can be part of two lines. Make two threats with one move.",
  "lesson.task.double_threats_stacked": "Make two winning cells, one above the other.",
  "lesson.task.double_threats_prevent": "Orange is about to make a double threat. Prevent it.",

  "lesson.title.opening_cells": "Opening cells",
  "lesson.summary.opening_cells": "The cell above your stone",
  "lesson.about.opening_cells":
    "Every stone opens the cell above it for the opponent. Do not play directly below a cell in which the opponent completes four. Do not play below your own winning cell either: the opponent would fill it.",
  "lesson.task.opening_cells_leave_closed":
    "Orange completes four in column 4, row 2, as soon as this cell is open. Play a move that does not open it.",
  "lesson.task.opening_cells_only_safe": "Only one column is safe. Look at the cell above each move.",
  "lesson.task.opening_cells_keep_own":
    "Your own winning cell is in column 4, row 3. Play a move after which Orange cannot fill it.",
  "lesson.task.opening_cells_force_below":
    "Column 4, row 2 is a winning cell of Orange. Make a threat that forces Orange to play below it.",

  "lesson.title.parity": "Parity",
  "lesson.summary.parity": "Who must play below the cell",
  "lesson.about.parity":
    "Near the end nobody wants to play below a winning cell of the opponent. When all other cells are full, somebody must. Count the free cells: after an even number of stones it is the same player's turn again. With an even number left, answer every stone, and the opponent has to open your cell.",
  "lesson.task.parity_two_columns":
    "You play Orange. Two columns are left. Column 3, row 2 wins for Blue, row 4 wins for you. Make sure that Blue must play in column 3 first.",
  "lesson.task.parity_count_cells": "Make a winning cell below which Orange must play when the other cells are full.",
  "lesson.task.parity_only_move": "Column 6 decides the game. Which move makes sure that Orange must play there first?",

  "lesson.title.hole": "The blocked cell",
  "lesson.summary.hole": "It breaks lines and changes the count",
  "lesson.about.hole":
    "Official boards have one blocked cell. No stone can be in it, so it breaks every line through it. Stones rest on it: the next stone of its column lands above it. It also changes the number of free cells.",
  "lesson.task.hole_broken_line": "One end of your three is the blocked cell. Complete four at the other end.",
  "lesson.task.hole_above": "A stone lies on the blocked cell as on any other stone. Complete four.",
  "lesson.task.hole_harmless_three":
    "The three stones of Orange stand between your stone and the blocked cell, so they are no threat. Make a double threat.",
  "lesson.task.hole_changed_parity":
    "Without the blocked cell the count would be wrong for you. Which move wins because of it?",
};
