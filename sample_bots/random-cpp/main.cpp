// The talk with the referee: a message in, an answer out, until it says quit or its input ends.

#include <cstring>
#include <iostream>
#include <optional>
#include <string>

#include "messages.hpp"
#include "think.hpp"

namespace {

using nlohmann::json;

void write(const json& message) {
    std::cout << message << '\n' << std::flush;
}

// With codes a choice is a list of numbers that begins with its kind; else it is a Choice.
std::size_t choose(Player& player, const json& request, bool in_codes) {
    if (in_codes) return player.choose_codes(request.at("choices"));
    return player.choose(request.get<Decide>());
}

void talk(bool in_codes) {
    // State "full" if you want to be told the position with every request.
    const char* detail = in_codes ? "codes" : "words";
    write({{"type", "hello"}, {"name", "random-cpp"}, {"state", "none"}, {"detail", detail}});

    std::optional<Player> player;
    for (std::string line; std::getline(std::cin, line);) {
        const json message = json::parse(line);
        const auto& type = message.at("type").get_ref<const std::string&>();
        if (type == "start") {
            player.emplace(message.get<Start>());
            write({{"type", "ready"}});
        } else if (type == "decide") {
            const auto choice = choose(player.value(), message, in_codes);
            write({{"type", "choose"}, {"id", message.at("id")}, {"choice", choice}});
        } else if (type == "error") {
            std::cerr << "refused: " << message.at("message") << '\n';  // stderr is the bot's own
        } else if (type == "quit") {
            return;
        }
    }
}

}  // namespace

int main(int count, char** words) {
    std::ios::sync_with_stdio(false);
    bool in_codes = false;
    for (int at = 1; at < count; ++at) {
        if (std::strcmp(words[at], "--codes") == 0) {
            in_codes = true;
        } else if (std::strcmp(words[at], "--set") == 0 && at + 1 < count) {
            ++at;  // words[at] is "post=1.5": a parameter that bot.toml declares
        } else {
            std::cerr << words[at] << " is no option; there are --codes and --set NAME=VALUE\n";
            return 2;
        }
    }
    talk(in_codes);
}
