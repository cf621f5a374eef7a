// A correct platform program: speaks the newer protocol, or the older one if its argument is `json`.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "choose_move.hpp"

static void send_answer(const std::string& text) {
    const auto length = static_cast<unsigned>(text.size());
    for (int shift : {24, 16, 8, 0}) std::putchar(static_cast<int>(length >> shift & 255));
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

static std::vector<int> parse_numbers(const std::string& text) {
    std::vector<int> numbers;
    for (const char* at = text.c_str(); *at != 0;)
        if (std::isdigit(*at) || (*at == '-' && std::isdigit(at[1]))) {
            char* end;
            numbers.push_back(static_cast<int>(std::strtol(at, &end, 10)));
            at = end;
        } else {
            ++at;
        }
    return numbers;
}

static bool read_message(bool is_json, std::string& message) {
    if (!is_json) {
        message.clear();
        int c;
        while ((c = std::getchar()) != EOF && c != '\n') message += static_cast<char>(c);
        return c != EOF;
    }
    char digits[5] = {};
    if (std::fread(digits, 1, 4, stdin) != 4) return false;
    message.resize(std::strtoul(digits, nullptr, 10));
    return std::fread(message.data(), 1, message.size(), stdin) == message.size();
}

int main(int argc, char** argv) {
    const bool is_json = argc > 1 && std::strcmp(argv[1], "json") == 0;
    std::string message;
    if (!read_message(is_json, message)) return 1;
    const std::vector<int> start = parse_numbers(message);
    const int rows = start[is_json], cols = start[is_json + 1];
    for (int question = 1; read_message(is_json, message); ++question) {
        const std::vector<int> numbers = parse_numbers(message);
        if (is_json && numbers[0] == 2) break;
        const int* top = numbers.data() + (is_json ? 1 : 2);
        std::fprintf(stderr, "question %d\n", question);
        const Move move = choose_move(rows, cols, top, top + cols);
        const std::string x = std::to_string(move.x), y = std::to_string(move.y);
        send_answer(is_json ? "{\"X\":" + x + ",\"Y\":" + y + "}\n" : x + " " + y);
    }
}
