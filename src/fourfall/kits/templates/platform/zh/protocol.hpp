// 读取平台裁判的询问，写出回答。
//
// 裁判使用两种格式之一。两种格式都先给出棋盘，然后每步询问一次：
//
//   文本   "rows cols holeRow holeCol"，之后每步一行："lastRow lastCol"、各列的 top 值、所有格子。
//   JSON   {"type":0,"row":..,"col":..,"nox":..,"noy":..}，之后每步
//          {"type":1,"top":[..],"board":[..],"lastx":..,"lasty":..}，对局结束时 {"type":2}。
//          每条消息前面是四位十进制数字表示的长度。
//
// 回答由四字节长度（高位在前）和文本组成：文本是 "row col" 或 {"X":row,"Y":col}。
// 标准输出只供裁判使用：自己的调试信息请写到 std::cerr。
#pragma once

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// 裁判给出的局面。数组的含义见 board.hpp。
struct Question {
    int rows = 0, cols = 0, holeRow = -1, holeCol = -1;
    std::vector<int> top, cells;
};

class Judge {
public:
    // 读取下一个询问。对局结束或输入不符合协议时返回 false。
    bool read(Question& question) {
        if (question.rows == 0) {  // 第一条消息
            isJson_ = std::cin.peek() == '0';
            if (!readBoard(question)) return false;
        }
        question.top.resize(question.cols);
        question.cells.resize(question.rows * question.cols);
        return isJson_ ? readJsonMove(question) : readTextMove(question);
    }

    // 回答上一个询问。
    void answer(int row, int col) {
        const std::string x = std::to_string(row), y = std::to_string(col);
        const std::string text = isJson_ ? "{\"X\":" + x + ",\"Y\":" + y + "}\n" : x + " " + y;
        const auto length = static_cast<std::uint32_t>(text.size());
        for (int shift = 24; shift >= 0; shift -= 8) std::cout.put(static_cast<char>(length >> shift & 0xff));
        std::cout << text << std::flush;
    }

private:
    bool readBoard(Question& question) {
        if (!isJson_) return bool(std::cin >> question.rows >> question.cols >> question.holeRow >> question.holeCol);
        const std::string message = readJsonMessage();
        return find(message, "row") >> question.rows && find(message, "col") >> question.cols &&
               find(message, "nox") >> question.holeRow && find(message, "noy") >> question.holeCol;
    }

    bool readTextMove(Question& question) {
        int lastRow, lastCol;
        std::cin >> lastRow >> lastCol;
        for (int& value : question.top) std::cin >> value;
        for (int& value : question.cells) std::cin >> value;
        return bool(std::cin);
    }

    bool readJsonMove(Question& question) {
        const std::string message = readJsonMessage();
        return readList(find(message, "top"), question.top) && readList(find(message, "board"), question.cells);
    }

    // 先读四位数字，再读相应长度的内容。输入结束时返回空文本。
    std::string readJsonMessage() {
        std::string digits(4, ' ');
        if (!std::cin.read(digits.data(), 4)) return "";
        std::size_t length = 0;
        std::istringstream(digits) >> length;
        std::string message(length, ' ');
        std::cin.read(message.data(), static_cast<std::streamsize>(message.size()));
        return std::cin ? message : "";
    }

    // 返回消息中 "key": 之后的文本，用来读取数字；没有这个键时什么也读不到。
    static std::istringstream find(const std::string& message, const std::string& key) {
        const std::string quoted = "\"" + key + "\"";
        const std::size_t at = message.find(quoted);
        const std::size_t colon = at == std::string::npos ? at : message.find(':', at + quoted.size());
        return std::istringstream(colon == std::string::npos ? "" : message.substr(colon + 1));
    }

    // 把 "[1, 2, 3]" 读入已知长度的数组。
    static bool readList(std::istringstream text, std::vector<int>& values) {
        char separator;
        for (int& value : values)
            if (!(text >> separator >> value)) return false;
        return true;
    }

    bool isJson_ = false;
};
