// What the bot thinks. think.cpp is the place for your own thoughts.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "messages.hpp"

// One seat in one game; a new one is made at every start.
class Player {
   public:
    // `start` has the board, the rules and your seat. Keep what you need of it.
    explicit Player(const Start& start);

    // The index of one of the choices of a request, all of which are legal.
    std::size_t choose(const Decide& request);

    // The same with choices in codes.
    std::size_t choose_codes(const nlohmann::json& choices);

   private:
    std::size_t below(std::size_t bound);
    template <typename Kind>
    std::size_t kind_first(const std::vector<Kind>& kinds);

    std::mt19937_64 random_;
};
