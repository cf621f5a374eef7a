// A sample platform program: the newer protocol, or with the argument `json` the older one.
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "choice.hpp"

static void answer(const std::string& text) {
    const auto length = static_cast<unsigned>(text.size());
    for (int shift : {24, 16, 8, 0}) std::putchar(static_cast<int>(length >> shift & 255));
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

static std::vector<int> numbers_in(const std::string& text) {
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

static bool read_message(bool older, std::string& message) {
    if (!older) {
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
    const bool older = argc > 1 && std::strcmp(argv[1], "json") == 0;
    std::string message;
    if (!read_message(older, message)) return 1;
    const std::vector<int> start = numbers_in(message);
    const int rows = start[older], cols = start[older + 1];
    for (int asked = 1; read_message(older, message); ++asked) {
        const std::vector<int> numbers = numbers_in(message);
        if (older && numbers[0] == 2) break;
        const int* top = numbers.data() + (older ? 1 : 2);
        std::fprintf(stderr, "asked %d\n", asked);
        const Choice choice = choose(rows, cols, top, top + cols);
        const std::string x = std::to_string(choice.x), y = std::to_string(choice.y);
        answer(older ? "{\"X\":" + x + ",\"Y\":" + y + "}\n" : x + " " + y);
    }
}
