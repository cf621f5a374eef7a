// Covers folders with empty file systems and attaches copies of the visible mounts to them.
#include "programs/private_view.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "programs/host_options.hpp"

namespace fourfall::sandbox {
namespace {

// Defined here because system headers are often older than the kernel.
constexpr int kOpenTree = 428;
constexpr int kMoveMount = 429;
constexpr unsigned kCloneTree = 1;
constexpr unsigned kRecursive = 0x8000;
constexpr unsigned kMoveFromEmptyPath = 4;

// Folders of the root that contain no files of users. Landlock protects their files.
constexpr std::string_view kUncovered[] = {"bin",   "boot",   "dev", "etc",  "gnu",  "lib", "lib32",
                                           "lib64", "libx32", "nix", "proc", "sbin", "sys", "usr"};

// A copy of the mount of a visible path, which is not attached yet.
struct VisibleTree {
    std::string path;
    int tree;
    bool is_folder;
};

std::vector<std::string> list_private_folders() {
    std::vector<std::string> folders;
    DIR* root = opendir("/");
    while (const dirent* entry = root == nullptr ? nullptr : readdir(root)) {
        const std::string name = entry->d_name;
        const std::string path = "/" + name;
        struct stat about{};
        if (name == "." || name == ".." || lstat(path.c_str(), &about) != 0 || !S_ISDIR(about.st_mode)) continue;
        if (std::find(std::begin(kUncovered), std::end(kUncovered), name) == std::end(kUncovered)) {
            folders.push_back(path);
        }
    }
    if (root != nullptr) closedir(root);
    return folders;
}

bool is_below(const std::string& path, const std::string& folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_below_any(const std::string& path, const std::vector<std::string>& folders) {
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& one) { return is_below(path, one); });
}

void close_trees(const std::vector<VisibleTree>& trees) {
    for (const VisibleTree& one : trees) close(one.tree);
}

// Copies the mounts of the paths that the covers would hide; of nested paths only the outermost. Returns false if a
// path exists but cannot be copied.
bool copy_trees(std::vector<std::string> paths, const std::vector<std::string>& covers,
                std::vector<VisibleTree>& trees) {
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
        if (!is_below_any(path, covers)) continue;
        if (std::any_of(trees.begin(), trees.end(),
                        [&](const VisibleTree& one) { return one.is_folder && is_below(path, one.path); })) {
            continue;
        }
        struct stat about{};
        if (stat(path.c_str(), &about) != 0) continue;
        const auto tree = static_cast<int>(
            syscall(kOpenTree, AT_FDCWD, path.c_str(), kCloneTree | kRecursive | static_cast<unsigned>(O_CLOEXEC)));
        if (tree < 0) return false;
        trees.push_back({path, tree, S_ISDIR(about.st_mode)});
    }
    return true;
}

void make_folders(const std::string& path) {
    for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
        const std::string part = path.substr(0, slash);
        if (mkdir(part.c_str(), 0755) != 0 && errno != EEXIST && errno != EROFS) fail(part);
        if (slash == std::string::npos) return;
    }
}

void attach(const VisibleTree& one) {
    if (one.is_folder) {
        make_folders(one.path);
    } else {
        make_folders(one.path.substr(0, one.path.rfind('/')));
        const int file = open(one.path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        if (file < 0) fail(one.path);
        close(file);
    }
    if (syscall(kMoveMount, one.tree, "", AT_FDCWD, one.path.c_str(), kMoveFromEmptyPath) != 0) fail(one.path);
}

}  // namespace

bool hide_other_files(const std::vector<std::string>& visible, const std::vector<std::string>& created) {
    const std::vector<std::string> covers = list_private_folders();
    std::vector<VisibleTree> trees;
    if (!copy_trees(visible, covers, trees)) return close_trees(trees), false;
    const mode_t mask = umask(022);
    for (const std::string& cover : covers) {
        const bool covered = mount("fourfall", cover.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
                                   "size=1m,nr_inodes=16384,mode=755") == 0;
        if (!covered && &cover == &covers.front()) return umask(mask), close_trees(trees), false;
        if (!covered) fail(cover);
    }
    for (const VisibleTree& one : trees) attach(one);
    for (const std::string& folder : created) {
        const bool is_visible =
            std::any_of(trees.begin(), trees.end(), [&](const VisibleTree& one) { return is_below(folder, one.path); });
        if (is_below_any(folder, covers) && !is_visible) make_folders(folder);
    }
    for (const std::string& cover : covers) {
        require(mount(nullptr, cover.c_str(), nullptr,
                      MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0,
                cover.c_str());
    }
    umask(mask);
    close_trees(trees);
    return true;
}

}  // namespace fourfall::sandbox
