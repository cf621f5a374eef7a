// Reads the questions of the platform's judge and writes the answers.
//
// The judge uses one of two forms. Both begin with the board and then ask for one move after another:
//
//   Text   "rows cols holeRow holeCol", then for each move one line "lastRow lastCol", the `top` values, the cells.
//   JSON   {"type":0,"row":..,"col":..,"nox":..,"noy":..}, then for each move
//          {"type":1,"top":[..],"board":[..],"lastx":..,"lasty":..}, and {"type":2} at the end of the game.
//          Each message comes after its length in four decimal digits.
//
// An answer is its length in four bytes, the most significant first, and then the text "row col" or {"X":row,"Y":col}.
// Standard output belongs to the judge: write your own messages to std::cerr.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

// What the judge tells about a position. The arrays are described in board.hpp.
struct Question {
    int rows = 0, cols = 0, holeRow = -1, holeCol = -1;
    std::vector<int> top, cells;
};

class Judge {
public:
    // Reads the next question. Returns false at the end of the game, or if the input does not follow the protocol.
    bool read(Question& question) {
        if (question.rows == 0) {  // the first message
            isJson_ = std::cin.peek() == '0';
            if (!readBoard(question)) return false;
        }
        question.top.resize(question.cols);
        question.cells.resize(question.rows * question.cols);
        return isJson_ ? readJsonMove(question) : readTextMove(question);
    }

    // Answers the last question.
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

    // Reads four digits and as many bytes as they say. Returns an empty text at the end of the input.
    std::string readJsonMessage() {
        std::string digits(4, ' ');
        if (!std::cin.read(digits.data(), 4)) return "";
        std::size_t length = 0;
        std::istringstream(digits) >> length;
        std::string message(length, ' ');
        std::cin.read(message.data(), static_cast<std::streamsize>(message.size()));
        return std::cin ? message : "";
    }

    // Returns the text after "key": in a message, to read numbers from; nothing can be read if the key is missing.
    static std::istringstream find(const std::string& message, const std::string& key) {
        const std::string quoted = "\"" + key + "\"";
        const std::size_t at = message.find(quoted);
        const std::size_t colon = at == std::string::npos ? at : message.find(':', at + quoted.size());
        return std::istringstream(colon == std::string::npos ? "" : message.substr(colon + 1));
    }

    // Reads "[1, 2, 3]" into a list of known size.
    static bool readList(std::istringstream text, std::vector<int>& values) {
        char separator;
        for (int& value : values)
            if (!(text >> separator >> value)) return false;
        return true;
    }

    bool isJson_ = false;
};
