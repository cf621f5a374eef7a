// 平台运行的程序：回答裁判的询问，直到对局结束。
#include <chrono>

#include "bot.hpp"
#include "protocol.hpp"

// 每步的思考时间（毫秒）。平台允许 3000，程序启动的时间也算在内。
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
