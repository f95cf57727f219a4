// What the bot thinks. This is the place for your own thoughts.

#include "think.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

std::uint64_t fnv1a(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
    return hash;
}

}  // namespace

// Chance comes from the game's id and the seat, so that the same game is played the same way again.
Player::Player(const Start& start) : random_(fnv1a(start.game + "/" + std::to_string(start.seat))) {
}

// YOUR OWN THINKING GOES HERE. So far it is this: a kind of choice, then one of that kind.
std::size_t Player::choose(const Decide& request) {
    std::vector<std::string_view> kinds;
    for (const Choice& choice : request.choices) kinds.push_back(choice.does);
    return kind_first(kinds);
}

std::size_t Player::choose_codes(const nlohmann::json& choices) {
    std::vector<int> kinds;
    for (const auto& choice : choices) kinds.push_back(choice[0].get<int>());
    return kind_first(kinds);
}

// One of the different kinds, then the index of one that is of that kind.
template <typename Kind>
std::size_t Player::kind_first(const std::vector<Kind>& kinds) {
    std::vector<Kind> different = kinds;
    std::sort(different.begin(), different.end());
    different.erase(std::unique(different.begin(), different.end()), different.end());
    const Kind kind = different[below(different.size())];
    std::vector<std::size_t> of_kind;
    for (std::size_t index = 0; index < kinds.size(); ++index) {
        if (kinds[index] == kind) of_kind.push_back(index);
    }
    return of_kind[below(of_kind.size())];
}

std::size_t Player::below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random_);
}
