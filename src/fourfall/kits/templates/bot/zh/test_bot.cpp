// 用几个局面测试程序。每当你在输掉的对局里发现一个错误，就在这里加一个局面。
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "bot.hpp"

static int failures = 0;

static void check(bool isCorrect, const char* name) {
    std::printf("%s  %s\n", isCorrect ? "ok  " : "FAIL", name);
    if (!isCorrect) ++failures;
}

// 由图形生成棋盘：X 是己方棋子，O 是对手棋子，# 是禁点。
static Board draw(const std::vector<std::string>& lines) {
    const int rows = static_cast<int>(lines.size());
    const int cols = static_cast<int>(lines[0].size());
    int holeRow = -1, holeCol = -1;
    std::vector<int> cells, top(cols, rows);
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) {
            const char cell = lines[row][col];
            cells.push_back(cell == 'X' ? kMine : cell == 'O' ? kOpponent : kEmpty);
            if (cell == '#') holeRow = row, holeCol = col;
        }
    for (int col = 0; col < cols; ++col)
        while (top[col] > 0 && lines[top[col] - 1][col] != '.') --top[col];
    return Board(rows, cols, top.data(), cells.data(), holeRow, holeCol);
}

static int choose(const std::vector<std::string>& lines) {
    return chooseColumn(draw(lines), std::chrono::milliseconds(200));
}

static void testRules() {
    check(draw({"....", "#...", "X...", "O..."}).landingRow(0) == 0, "a stone falls past the blocked cell");
    check(!draw({"#...", "X...", "O...", "X..."}).isLegal(0), "a column is full below a blocked cell in the top row");
    check(draw({"....", "....", "....", "XX#X"}).landingRow(2) == 2,
          "a stone lands on a blocked cell of the bottom row");
    check(!draw({".....", ".....", ".....", ".X#XX"}).wouldWin(0, kMine), "a line does not cross the blocked cell");
    check(!draw({"....", "....", "....", "XX.."}).wouldWin(2, kMine), "three in a row do not win");
    check(draw({"....", "X...", "OX..", "OOX.", "XOO."}).wouldWin(3, kMine), "four on a falling diagonal win");
    check(draw({"....", "..XO", ".XOO", "XOOX"}).wouldWin(3, kMine), "four on a rising diagonal win");
}

static void testMoves() {
    check(choose({"......", "......", "......", "OO....", "XXX.OO"}) == 3, "completes four");
    check(choose({"......", "......", "......", "X.....", "OOO.XX"}) == 3, "stops four of the opponent");
    check(choose({".......", ".......", "X.....O", "X.....O", "X.....O"}) == 0, "prefers a win to a block");
}

static void testSearch() {
    const int open = choose({".......", ".......", ".......", ".......", "..OO...", "..XX..."});
    check(open == 1 || open == 4, "makes three with two open ends");
    const int below = choose({".......", ".......", "X......", "OOO.X..", "XXO.X..", "OXX.O.."});
    check(below != 3, "does not play below a cell on which the opponent wins");
}

// 在各种正式尺寸的方形棋盘上自我对弈完整的对局。
static void testWholeGames() {
    for (int size = 9; size <= kMaxSize; ++size) {
        std::vector<std::string> lines(size, std::string(size, '.'));
        lines[size / 3][size / 2] = '#';
        Board board = draw(lines);
        bool isOver = false;
        int moves = 0;
        for (Stone player = kMine; !isOver && !board.legalColumns().empty(); player = other(player), ++moves) {
            const int col = TreeSearch(board).run(std::chrono::milliseconds(1));
            if (!board.isLegal(col)) break;
            isOver = board.drop(col, player);
        }
        check(isOver || moves == size * size - 1, "plays a whole game");
    }
}

int main() {
    testRules();
    testMoves();
    testSearch();
    testWholeGames();
    std::printf("%d tests failed.\n", failures);
    return failures == 0 ? 0 : 1;
}
