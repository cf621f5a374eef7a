// The program that the platform runs: answers the judge's questions until the game is over.
#include <chrono>

#include "bot.hpp"
#include "protocol.hpp"

// Thinking time per move in milliseconds. The platform allows 3000, including the start of the program.
#ifndef MOVE_TIME_MS
#define MOVE_TIME_MS 200
#endif

int main() {
    Judge judge;
    Question question;
    while (judge.read(question)) {
        const Board board(question.rows, question.cols, question.top.data(), question.cells.data(), question.holeRow,
                          question.holeCol);
        const int col = chooseColumn(board, std::chrono::milliseconds(MOVE_TIME_MS));
        judge.answer(board.landingRow(col), col);
    }
}
