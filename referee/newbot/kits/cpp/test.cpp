// Tests of the bot, with messages that were sent at a real table: run them with ctest.

#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "messages.hpp"
#include "think.hpp"

namespace {

bool failed = false;

void claim(const std::string& what, bool holds) {
    std::cout << (holds ? "ok: " : "FAILED: ") << what << '\n';
    failed |= !holds;
}

std::vector<json> recorded() {
    std::ifstream file("messages.jsonl");
    std::vector<json> messages;
    for (std::string line; std::getline(file, line);) messages.push_back(json::parse(line));
    return messages;
}

// Fields that may be absent are null here, so null and absent are the same.
json without_nulls(const json& value) {
    if (!value.is_structured()) return value;
    json kept = value.is_array() ? json::array() : json::object();
    for (const auto& [name, field] : value.items()) {
        if (value.is_array()) {
            kept.push_back(without_nulls(field));
        } else if (!field.is_null()) {
            kept[name] = without_nulls(field);
        }
    }
    return kept;
}

template <typename Message>
json through(const json& sent) {
    return sent.get<Message>();
}

json understood(const json& sent) {
    const std::string type = sent.at("type");
    if (type == "hello") return through<Hello>(sent);
    if (type == "start") return through<Start>(sent);
    if (type == "decide") return through<Decide>(sent);
    if (type == "error") return through<Error>(sent);
    if (type == "end") return through<End>(sent);
    return json::object();
}

bool is_understood(const json& sent) {
    json again = understood(sent);
    again["type"] = sent.at("type");
    const json difference = json::diff(without_nulls(sent), without_nulls(again));
    if (!difference.empty()) std::cout << sent.at("type") << ": " << difference << '\n';
    return difference.empty();
}

struct Play {
    std::vector<std::size_t> made;
    bool is_legal = true;
};

Play play(const std::vector<json>& messages) {
    Play done;
    std::optional<Player> player;
    for (const json& message : messages) {
        if (message.at("type") == "start") player.emplace(message.get<Start>());
        if (message.at("type") != "decide") continue;
        const auto request = message.get<Decide>();
        done.made.push_back(player.value().choose(request));
        done.is_legal &= done.made.back() < request.choices.size();
    }
    return done;
}

}  // namespace

int main() {
    const auto messages = recorded();
    bool all = !messages.empty();
    for (const json& message : messages) all &= is_understood(message);
    claim("the types have every field that the referee sends", all);
    const Play first = play(messages);
    claim("every choice is on offer", !first.made.empty() && first.is_legal);
    claim("the same game is played the same way again", first.made == play(messages).made);
    return failed;
}
