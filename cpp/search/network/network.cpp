// Chooses the kernel for the processor and evaluates positions with it.
#include "search/network/network.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "search/network/kernels/kernel.hpp"

namespace fourfall::network {
namespace {

// The kernels that this processor can run, the fastest last.
std::vector<const Kernel*> available_kernels() {
    std::vector<const Kernel*> kernels{&kPortableKernel};
    [[maybe_unused]] const auto add = [&](const Kernel& kernel) {
        if (kernel.is_available()) kernels.push_back(&kernel);
    };
#ifdef FOURFALL_SIMD128_NAME
    add(kSimd128Kernel);
#endif
#ifdef FOURFALL_X86_KERNELS
    add(kAvx2Kernel);
    add(kAvxVnniKernel);
    add(kAvx512Kernel);
    add(kAvx512VnniKernel);
    add(kAmxKernel);
#endif
    return kernels;
}

const Kernel* find_kernel(const std::string& name) {
    const std::vector<const Kernel*> kernels = available_kernels();
    if (name.empty() || name == kFloat32) return kernels.back();
    std::string names;
    for (const Kernel* kernel : kernels) {
        if (name == kernel->name) return kernel;
        names += (names.empty() ? "" : ", ") + std::string(kernel->name);
    }
    throw std::invalid_argument("instruction set '" + name +
                                "' is not available on this processor; available: " + names);
}

}  // namespace

std::vector<std::string> Network::instruction_sets() {
    std::vector<std::string> names;
    for (const Kernel* kernel : available_kernels()) names.emplace_back(kernel->name);
    return names;
}

Network::Network(WeightsFile weights, const std::string& instruction_set)
    : weights_(std::move(weights)),
      kernel_(find_kernel(instruction_set)),
      is_reproducible_(instruction_set == kFloat32),
      transformed_weights_(code().transform_weights(weights_)) {
    for (ResidualBlock& block : weights_.blocks) block.first.weights = block.second.weights = {};
}

NetworkOutput Network::evaluate(const StemConstants& constants, const InputPlanes& planes, Workspace& work) const {
    return code().forward(*this, constants, planes, work);
}

const KernelCode& Network::code() const { return is_reproducible_ ? *kernel_->float32 : kernel_->fastest; }

std::string Network::instruction_set() const { return kernel_->name; }

}  // namespace fourfall::network
