// Owns the program that runs foreign code: reads its rules from the command line and supervises a jailed process.
#include <cstdio>
#include <cstdlib>
#include <exception>
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
    for (int at = 1; at < count; ++at) {
        const std::string word = words[at];
        const auto value = [&]() -> std::string {
            if (++at == count) throw std::invalid_argument(word + " needs a value");
            return words[at];
        };
        const auto number = [&] { return std::stoull(value()); };
        if (word == "--") {
            rules.command.assign(words + at + 1, words + count);
            break;
        }
        if (word == "--no-jail")
            rules.jailed = false;
        else if (word == "--no-namespaces")
            rules.namespaces = false;
        else if (word == "--memory")
            rules.memory_mb = number();
        else if (word == "--cpu")
            rules.cpu_s = number();
        else if (word == "--tasks")
            rules.tasks = number();
        else if (word == "--temporary")
            rules.temporary = value();
        else if (word == "--working-folder")
            rules.working_folder = value();
        else if (word == "--readable")
            rules.readable.push_back(value());
        else if (word == "--parent")
            rules.parent = static_cast<pid_t>(number());
        else if (word == "--life")
            rules.life = static_cast<int>(number());
        else if (word == "--status")
            rules.status = static_cast<int>(number());
        else if (word == "--library") {
            rules.library = true;
            rules.command = {value()};
        } else
            throw std::invalid_argument("unknown option " + word);
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
