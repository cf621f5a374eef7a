// Reads /proc/PID/task, with its files children, stat and schedstat.
#include "programs/process_tree.hpp"

#include <dirent.h>
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace fourfall::sandbox {
namespace {

constexpr std::size_t kMaxDescendants = 10000;

std::vector<pid_t> list_numbers(const std::string& folder) {
    std::vector<pid_t> numbers;
    DIR* entries = opendir(folder.c_str());
    while (const dirent* entry = entries == nullptr ? nullptr : readdir(entries)) {
        if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) != 0)
            numbers.push_back(static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10)));
    }
    if (entries != nullptr) closedir(entries);
    return numbers;
}

std::string get_task_folder(pid_t process) { return "/proc/" + std::to_string(process) + "/task"; }

std::string read_file(const std::string& path) {
    std::string text(1024, '\0');
    FILE* file = std::fopen(path.c_str(), "re");
    text.resize(file == nullptr ? 0 : std::fread(text.data(), 1, text.size(), file));
    if (file != nullptr) std::fclose(file);
    return text;
}

// The fields of a stat file after the name in parentheses, which may contain any character; the first is the state.
std::istringstream read_stat(const std::string& folder) {
    const std::string text = read_file(folder + "/stat");
    const std::size_t name_end = text.rfind(')');
    return std::istringstream(name_end == std::string::npos ? std::string() : text.substr(name_end + 1));
}

// The children of a process. Some kernels have no list of them; then all processes are searched.
std::vector<pid_t> list_children(pid_t parent) {
    std::vector<pid_t> children;
    bool has_lists = false;
    const std::string tasks = get_task_folder(parent);
    for (const pid_t thread : list_numbers(tasks)) {
        std::ifstream file(tasks + "/" + std::to_string(thread) + "/children");
        has_lists |= file.is_open();
        for (pid_t child = 0; file >> child;) children.push_back(child);
    }
    if (has_lists || access(tasks.c_str(), F_OK) != 0) return children;
    for (const pid_t process : list_numbers("/proc")) {
        std::istringstream fields = read_stat("/proc/" + std::to_string(process));
        std::string state;
        pid_t its_parent = 0;
        if (fields >> state >> its_parent && its_parent == parent) children.push_back(process);
    }
    return children;
}

}  // namespace

std::vector<pid_t> list_descendants(pid_t ancestor) {
    std::vector<pid_t> found = list_children(ancestor);
    for (std::size_t at = 0; at < found.size() && found.size() < kMaxDescendants; ++at) {
        const std::vector<pid_t> children = list_children(found[at]);
        found.insert(found.end(), children.begin(), children.end());
    }
    return found;
}

bool is_stopped(pid_t process, bool counts_blocked) {
    const std::string tasks = get_task_folder(process);
    for (const pid_t thread : list_numbers(tasks)) {
        std::string state;
        // No state: the thread has ended since. T: stopped, t: stopped by a tracer, Z and X: ended, D: blocked.
        const char* states = counts_blocked ? "TtZXD" : "TtZX";
        if (read_stat(tasks + "/" + std::to_string(thread)) >> state && state.find_first_of(states) != 0) return false;
    }
    return true;
}

std::map<pid_t, ThreadTimes> read_thread_times(const std::vector<pid_t>& processes) {
    std::map<pid_t, ThreadTimes> times;
    for (const pid_t process : processes) {
        const std::string tasks = get_task_folder(process);
        for (const pid_t thread : list_numbers(tasks)) {
            const std::string text = read_file(tasks + "/" + std::to_string(thread) + "/schedstat");
            char* rest = nullptr;
            ThreadTimes& found = times[thread];
            found.running = std::strtoull(text.c_str(), &rest, 10);
            found.waiting = std::strtoull(rest, nullptr, 10);
        }
    }
    return times;
}

std::uint64_t read_cpu_time_ns(pid_t process, bool own) {
    std::istringstream fields = read_stat("/proc/" + std::to_string(process));
    std::string skipped;
    for (int number = 3; number < 14; ++number) fields >> skipped;
    std::uint64_t user = 0, system = 0, children_user = 0, children_system = 0;
    fields >> user >> system >> children_user >> children_system;
    const std::uint64_t ticks = (own ? user + system : 0) + children_user + children_system;
    static const auto ticks_per_s = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
    return ticks * (1'000'000'000 / ticks_per_s);
}

}  // namespace fourfall::sandbox
