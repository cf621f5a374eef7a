// Creates the namespaces of a sandboxed process and its private mounts.
#include "programs/namespaces.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cctype>
#include <cstdint>
#include <fstream>
#include <sstream>

#include "programs/private_view.hpp"

namespace fourfall::sandbox {
namespace {

constexpr int kMountSetattr = 442;
constexpr int kRecursive = 0x8000;
constexpr std::uint64_t kReadOnlyNoSetuid = 1 | 2;

struct MountAttributes {
    std::uint64_t set, clear, propagation, user_namespace;
};

bool write_file(const std::string& path, const std::string& text) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(file);
    return written;
}

// Maps every id of this process's namespace to itself; without root only the own id can be mapped.
std::string make_identity_map(const char* map, bool is_root, unsigned own) {
    std::ostringstream text;
    if (!is_root) {
        text << own << ' ' << own << " 1\n";
        return text.str();
    }
    std::ifstream known(map);
    for (std::uint64_t inside = 0, outside = 0, count = 0; known >> inside >> outside >> count;) {
        text << inside << ' ' << inside << ' ' << count << '\n';
    }
    return text.str();
}

bool mount_private(const std::string& folder, const char* options) {
    return mount("fourfall", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
}

// Hides the kernel's tables in a new /proc that permissions protect from other users: an agent that root starts may
// keep the capability to read them. Folders other than those of processes and settings are hidden completely; settings
// check the user, not capabilities.
bool hide_kernel_tables() {
    DIR* folder = opendir("/proc");
    if (folder == nullptr) return false;
    bool succeeded = true;
    while (const dirent* entry = readdir(folder)) {
        const std::string name = entry->d_name;
        if (name[0] == '.' || name == "sys" || std::isdigit(static_cast<unsigned char>(name[0])) != 0) continue;
        const std::string path = "/proc/" + name;
        struct stat about{};
        if (lstat(path.c_str(), &about) != 0) continue;
        if (S_ISDIR(about.st_mode)) {
            succeeded &= mount("fourfall", path.c_str(), "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
                               "size=4k,nr_inodes=2") == 0;
        } else if (S_ISREG(about.st_mode) && (about.st_mode & S_IROTH) == 0) {
            succeeded &= mount("/dev/null", path.c_str(), nullptr, MS_BIND, nullptr) == 0;
        }
    }
    closedir(folder);
    return succeeded;
}

}  // namespace

pid_t fork_into_namespaces() {
    constexpr unsigned long kFlags = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS | SIGCHLD;
    return static_cast<pid_t>(syscall(SYS_clone, kFlags, nullptr, nullptr, nullptr, nullptr));
}

bool map_users(pid_t child) {
    const std::string folder = "/proc/" + std::to_string(child) + "/";
    const bool is_root = geteuid() == 0;
    if (!is_root && !write_file(folder + "setgroups", "deny")) return false;
    return write_file(folder + "uid_map", make_identity_map("/proc/self/uid_map", is_root, geteuid())) &&
           write_file(folder + "gid_map", make_identity_map("/proc/self/gid_map", is_root, getegid()));
}

MountState restrict_mounts(const std::string& scratch_folder, const std::vector<std::string>& visible,
                           const std::vector<std::string>& created) {
    MountState state;
    if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return state;
    MountAttributes attributes{kReadOnlyNoSetuid, 0, 0, 0};
    if (syscall(kMountSetattr, -1, "/", kRecursive, &attributes, sizeof attributes) != 0) return state;
    std::vector<std::string> folders = created;
    folders.push_back(scratch_folder);
    state.hides_files = hide_other_files(visible, folders);
    state.is_read_only = mount_private(scratch_folder, "size=64m,nr_inodes=4096,mode=1777");
    mount_private("/dev/shm", "size=16m,nr_inodes=256,mode=1777");
    state.has_private_proc = mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr) == 0;
    if (state.has_private_proc && geteuid() == 0) state.has_private_proc = hide_kernel_tables();
    return state;
}

}  // namespace fourfall::sandbox
