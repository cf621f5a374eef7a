// Owns the program that runs foreign code: reads its rules from the command line and supervises a jailed process.
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "programs/check.hpp"
#include "programs/supervise.hpp"

namespace {

constexpr const char* kUsage =
    "usage: fourfall-host --check\n"
    "       fourfall-host [--no-jail] [--no-namespaces] [--memory MIB] [--cpu SECONDS] [--tasks N]\n"
    "                     [--temporary FOLDER] [--working-folder FOLDER] [--readable PATH]... [--parent PID]\n"
    "                     --life FD --status FD (--library FILE | -- PROGRAM [ARGUMENT]...)\n";

fourfall::jail::Rules read_rules(int count, char** words) {
    fourfall::jail::Rules rules;
    int at = 0;
    const auto value = [&]() -> std::string {
        if (at + 1 >= count) throw std::invalid_argument(std::string(words[at]) + " needs a value");
        return words[++at];
    };
    const auto number = [&] { return std::stoull(value()); };
    const std::map<std::string, std::function<void()>> options{
        {"--no-jail", [&] { rules.jailed = false; }},
        {"--no-namespaces", [&] { rules.namespaces = false; }},
        {"--memory", [&] { rules.memory_mb = number(); }},
        {"--cpu", [&] { rules.cpu_s = number(); }},
        {"--tasks", [&] { rules.tasks = number(); }},
        {"--temporary", [&] { rules.temporary = value(); }},
        {"--working-folder", [&] { rules.working_folder = value(); }},
        {"--readable", [&] { rules.readable.push_back(value()); }},
        {"--parent", [&] { rules.parent = static_cast<pid_t>(number()); }},
        {"--life", [&] { rules.life = static_cast<int>(number()); }},
        {"--status", [&] { rules.status = static_cast<int>(number()); }},
        {"--library", [&] { rules.library = true, rules.command = {value()}; }},
        {"--", [&] { rules.command.assign(words + at + 1, words + count), at = count; }},
    };
    while (++at < count) {
        const auto option = options.find(words[at]);
        if (option == options.end()) throw std::invalid_argument("unknown option " + std::string(words[at]));
        option->second();
    }
    if (rules.command.empty() || rules.life < 0 || rules.status < 0) throw std::invalid_argument("nothing to run");
    return rules;
}

}  // namespace

int main(int count, char** words) {
    if (count == 2 && std::string(words[1]) == "--check") return fourfall::jail::print_protections();
    try {
        return fourfall::jail::supervise(read_rules(count, words));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fourfall-host: %s\n%s", error.what(), kUsage);
        return 2;
    }
}
