// fourfall-host: runs third-party code (a strategy library or a program) in a sandbox and supervises it.
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "programs/host_options.hpp"
#include "programs/protections.hpp"
#include "programs/supervisor.hpp"

namespace {

constexpr const char* kUsage =
    "usage: fourfall-host --check\n"
    "       fourfall-host [--no-sandbox] [--no-namespaces] [--cgroups (none | 1 | 2)] [--memory-mb MIB]\n"
    "                     [--cpu-time SECONDS] [--max-tasks N] [--core N]\n"
    "                     [--temporary-folder FOLDER] [--working-folder FOLDER] [--readable PATH]...\n"
    "                     [--listable FOLDER]... [--print-permissions] [--parent-pid PID] --control-fd FD --status-fd "
    "FD\n"
    "                     (--library FILE | -- PROGRAM [ARGUMENT]...)\n";

fourfall::sandbox::CgroupVersions parse_versions(const std::string& text) {
    if (text != "none" && text != "1" && text != "2") throw std::invalid_argument("unknown cgroup version " + text);
    return {.v1 = text == "1", .v2 = text == "2"};
}

fourfall::sandbox::HostOptions parse_options(int count, char** words) {
    fourfall::sandbox::HostOptions options;
    int at = 0;
    const auto value = [&]() -> std::string {
        if (at + 1 >= count) throw std::invalid_argument(std::string(words[at]) + " needs a value");
        return words[++at];
    };
    const auto number = [&] { return std::stoull(value()); };
    const std::map<std::string, std::function<void()>> setters{
        {"--no-sandbox", [&] { options.sandbox = false; }},
        {"--no-namespaces", [&] { options.namespaces = false; }},
        {"--cgroups", [&] { options.cgroups = parse_versions(value()); }},
        {"--core", [&] { options.core = static_cast<int>(number()); }},
        {"--memory-mb", [&] { options.memory_mb = number(); }},
        {"--cpu-time", [&] { options.cpu_time_s = number(); }},
        {"--max-tasks", [&] { options.max_tasks = number(); }},
        {"--temporary-folder", [&] { options.temporary_folder = value(); }},
        {"--working-folder", [&] { options.working_folder = value(); }},
        {"--readable", [&] { options.readable.push_back(value()); }},
        {"--listable", [&] { options.listable.push_back(value()); }},
        {"--print-permissions", [&] { options.prints_permissions = true; }},
        {"--parent-pid", [&] { options.parent_pid = static_cast<pid_t>(number()); }},
        {"--control-fd", [&] { options.control_fd = static_cast<int>(number()); }},
        {"--status-fd", [&] { options.status_fd = static_cast<int>(number()); }},
        {"--library", [&] { options.is_library = true, options.command = {value()}; }},
        {"--", [&] { options.command.assign(words + at + 1, words + count), at = count; }},
    };
    while (++at < count) {
        const auto setter = setters.find(words[at]);
        if (setter == setters.end()) throw std::invalid_argument("unknown option " + std::string(words[at]));
        setter->second();
    }
    if (options.command.empty()) throw std::invalid_argument("no program or library is given");
    if (options.control_fd < 0) throw std::invalid_argument("--control-fd is missing");
    if (options.status_fd < 0) throw std::invalid_argument("--status-fd is missing");
    return options;
}

}  // namespace

int main(int count, char** words) {
    if (count == 2 && std::string(words[1]) == "--check") return fourfall::sandbox::print_protections();
    try {
        return fourfall::sandbox::supervise(parse_options(count, words));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "fourfall-host: %s\n%s", error.what(), kUsage);
        return 2;
    }
}
