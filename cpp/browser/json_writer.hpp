// Writes JSON text for JavaScript.
#pragma once

#include <array>
#include <concepts>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/geometry.hpp"

namespace fourfall {

class JsonWriter {
public:
    template <class Members>
    void write_object(Members&& members) {
        open('{');
        members();
        close('}');
    }
    template <class List, class Write>
    void write_array(const List& list, Write&& write) {
        open('[');
        for (const auto& element : list) {
            separate();
            write(element);
        }
        close(']');
    }
    // Begins a member of an object; its value follows.
    JsonWriter& key(std::string_view name) {
        separate();
        write(name);
        text_ += ':';
        return *this;
    }

    void write(std::integral auto number) { text_ += std::to_string(number); }
    void write(bool value) { text_ += value ? "true" : "false"; }
    void write(Cell cell) { write(std::vector{cell.row, cell.col}); }
    void write(std::nullopt_t) { text_ += "null"; }
    void write(std::string_view text);
    // Rounds to a number of decimals, as Python's round().
    void write(double number, int decimals);
    // With nine digits, which identify a number of single precision.
    void write(float number);
    template <class Value>
    void write(const std::vector<Value>& list) {
        write_array(list, [&](const Value& value) { write(value); });
    }
    template <class Value>
    void write(const std::optional<Value>& value) {
        value ? write(*value) : write(std::nullopt);
    }
    template <class Value>
    void write_member(std::string_view name, const Value& value) {
        key(name).write(value);
    }

    std::string take() { return std::move(text_); }

private:
    void open(char bracket) {
        text_ += bracket;
        is_first_ = true;
    }
    void close(char bracket) {
        text_ += bracket;
        is_first_ = false;
    }
    void separate() {
        if (!is_first_) text_ += ',';
        is_first_ = false;
    }

    std::string text_;
    bool is_first_ = true;  // no comma is needed before the next element
};

inline void JsonWriter::write(std::string_view text) {
    text_ += '"';
    for (const char letter : text) {
        if (static_cast<unsigned char>(letter) < 0x20) {
            std::array<char, 8> code;
            std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(letter));
            text_ += code.data();
            continue;
        }
        if (letter == '"' || letter == '\\') text_ += '\\';
        text_ += letter;
    }
    text_ += '"';
}

inline void JsonWriter::write(double number, int decimals) {
    std::array<char, 48> digits;
    std::snprintf(digits.data(), digits.size(), "%.*f", decimals, number);
    text_ += digits.data();
}

inline void JsonWriter::write(float number) {
    std::array<char, 32> digits;
    std::snprintf(digits.data(), digits.size(), "%.9g", static_cast<double>(number));
    text_ += digits.data();
}

}  // namespace fourfall
