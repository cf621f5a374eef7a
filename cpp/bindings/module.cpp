// Owns the native module's table of contents.
#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
    module.doc() = "The native core of Fourfall; import its names from fourfall.";
    module.attr("version") = FOURFALL_VERSION;
    fourfall::bind_game(module);
}
