// The messages of the referee, as types. What the fields mean is in the protocol's page.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

// An optional is empty where the message has null or no such field.
namespace nlohmann {
template <typename T>
struct adl_serializer<std::optional<T>> {
    static void to_json(json& to, const std::optional<T>& from) {
        if (from) {
            to = *from;
        } else {
            to = nullptr;
        }
    }
    static void from_json(const json& from, std::optional<T>& to) {
        if (from.is_null()) {
            to.reset();
        } else {
            to = from.get<T>();
        }
    }
};
}  // namespace nlohmann

using nlohmann::json;
using Names = std::vector<std::string>;
using MaybeName = std::optional<std::string>;
using MaybeNumber = std::optional<int>;

// Make from_json and to_json of a type by the names of its fields, which are always sent, or may
// not be.
#define ALWAYS NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE
#define MAYBE NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT

// -- choices

struct Amount {
    int traders = 0, merchants = 0;
};
ALWAYS(Amount, traders, merchants)

// What a creation earns: one of the four, the additional post with its tradesman.
struct Reward {
    MaybeName post, additional, tradesman, develop;
    MaybeNumber special;
};
MAYBE(Reward, post, additional, tradesman, develop, special)

// What a choice needs; which of these there are depends on what it does.
struct Needs {
    MaybeNumber traders, merchants, point, from_point, owner;
    MaybeName route, tradesman, from, from_route, marker, ability, city, takes, tile;
    std::optional<Amount> pay;
    std::optional<Reward> reward;
    std::optional<std::vector<int>> spaces;
    std::optional<Names> markers;
};
MAYBE(Needs, traders, merchants, point, from_point, owner, route, tradesman, from, from_route,
      marker, ability, city, takes, tile, pay, reward, spaces, markers)

struct Choice : Needs {
    std::string does;  // the field `do`, which is a word of C++
};
inline void from_json(const json& from, Choice& to) {
    from.get_to<Needs>(to);
    from.at("do").get_to(to.does);
}
inline void to_json(json& to, const Choice& from) {
    to = static_cast<const Needs&>(from);
    to["do"] = from.does;
}

// -- the table

struct Seated {
    int seat = 0;
    std::string name;
};
ALWAYS(Seated, seat, name)

struct Rules {
    std::string edition, board;
    int players = 0;
    bool missions = false, favours = false;
    MaybeName neutral;
    bool permits = false, promos = false;
    std::optional<Names> promo_markers;
    MaybeName country_ties, permanent_markers;
    int max_turns = 0, rules_version = 0;
};
ALWAYS(Rules, edition, board, players, missions, favours, neutral, permits, promos, promo_markers,
       country_ties, permanent_markers, max_turns, rules_version)

// Milliseconds; empty is without limit.
struct Clock {
    MaybeNumber start_ms, bank_ms, increment_ms, move_ms;
};
ALWAYS(Clock, start_ms, bank_ms, increment_ms, move_ms)

struct Standing {
    int seat = 0;
    std::string name;
    int rank = 0, total = 0, track = 0, abilities = 0, markers = 0, special = 0, cities = 0;
    int network = 0, missions = 0;
    std::map<std::string, int> countries;
    MaybeName disqualified;
};
ALWAYS(Standing, seat, name, rank, total, track, abilities, markers, special, cities, network,
       missions, countries, disqualified)

// -- the board

struct Space {
    std::string privilege, shape;
    int coin = 0;
};
ALWAYS(Space, privilege, shape, coin)

struct City {
    std::string id, name;
    Names aliases;
    int x = 0, y = 0;
    std::string banner;
    Names abilities, countries;
    bool green = false;
    std::vector<Space> spaces;
};
ALWAYS(City, id, name, aliases, x, y, banner, abilities, countries, green, spaces)

struct Point {
    std::string type;
    int x = 0, y = 0;
};
ALWAYS(Point, type, x, y)

struct Route {
    std::string id;
    std::array<std::string, 2> ends;
    std::vector<Point> points;
    MaybeName country;
    bool tavern = false;
    MaybeName permanent;
    std::array<int, 2> marker_at{};
};
ALWAYS(Route, id, ends, points, country, tavern, permanent, marker_at)

struct Range {
    int min = 0, max = 0;
};
ALWAYS(Range, min, max)

struct EastWest {
    std::array<std::string, 2> ends;
    std::vector<int> prestige;
};
ALWAYS(EastWest, ends, prestige)

struct SpecialSpace {
    int points = 0;
    std::string privilege;
    int x = 0, y = 0;
};
ALWAYS(SpecialSpace, points, privilege, x, y)

struct SpecialPrestige {
    std::string city;
    Names routes;
    std::vector<SpecialSpace> spaces;
};
ALWAYS(SpecialPrestige, city, routes, spaces)

struct CompletedTrack {
    std::array<int, 2> first{}, last{};
};
ALWAYS(CompletedTrack, first, last)

struct Country {
    bool home = false;
    std::vector<int> prestige;
};
ALWAYS(Country, home, prestige)

struct Board {
    std::string id, title, side;
    Range players;
    double aspect = 0;
    std::vector<City> cities;
    std::vector<Route> routes;
    EastWest east_west;
    SpecialPrestige special_prestige;
    int completed_cities_limit = 0;
    std::optional<CompletedTrack> completed_track;
    std::map<std::string, Country> countries;
    std::map<std::string, Names> permits;
    Names neutral_start;
    std::optional<Names> neutral_start_britannia;
    std::vector<Names> missions;
    bool favours = false;
    std::map<std::string, std::string> replaces;
};
MAYBE(Board, id, title, side, players, aspect, cities, routes, east_west, special_prestige,
      completed_cities_limit, completed_track, countries, permits, neutral_start,
      neutral_start_britannia, missions, favours, replaces)

// -- the position

struct RouteState {
    std::vector<MaybeName> points;
    MaybeName marker;
};
ALWAYS(RouteState, points, marker)

struct CityState {
    std::vector<MaybeName> posts;
    Names additional;
};
ALWAYS(CityState, posts, additional)

// How many steps of each ability are developed.
struct Desk {
    int keys = 0, actions = 0, privilege = 0, book = 0, bank = 0;
};
ALWAYS(Desk, keys, actions, privilege, book, bank)

struct PlayerState {
    int seat = 0, prestige = 0;
    Amount stock, supply;
    Desk desk;
    Names markers, used_markers;
    int plate = 0;
    Names favours;
};
ALWAYS(PlayerState, seat, prestige, stock, supply, desk, markers, used_markers, plate, favours)

struct Permits {
    std::map<std::string, int> cities;
    Names spent;
    bool bought = false;
};
ALWAYS(Permits, cities, spent, bought)

struct Laid {
    std::string marker, route;
    int seat = 0;
};
ALWAYS(Laid, marker, route, seat)

struct Neutral {
    int prestige = 0;
};
ALWAYS(Neutral, prestige)

// A position as one seat may see it. A tradesman is its seat and kind: "0t", "3m", "nt".
struct State {
    int turn = 0, active = 0, actions_left = 0, extra_actions = 0;
    bool fresh = false, acted = false, forgone = false;
    int completed_cities = 0, marker_supply = 0;
    bool undrawn = false;
    std::vector<json> east_west;  // a seat's number, or "n"
    std::map<std::string, RouteState> routes;
    std::map<std::string, CityState> cities;
    std::vector<MaybeNumber> special_prestige;
    Names favours;
    std::vector<PlayerState> players;
    std::optional<Names> mission;
    Names plate_seen, in_hand;
    std::optional<Permits> permits;
    std::vector<Laid> laid;
    Names markers_out;
    std::optional<Neutral> neutral;
};
ALWAYS(State, turn, active, actions_left, extra_actions, fresh, acted, forgone, completed_cities,
       marker_supply, undrawn, east_west, routes, cities, special_prestige, favours, players,
       mission, plate_seen, in_hand, permits, laid, markers_out, neutral)

// -- the messages

struct Hello {
    int protocol = 0;
    std::string referee, game;
    Names encodings;
};
ALWAYS(Hello, protocol, referee, game, encodings)

struct Start {
    std::string game;
    int seat = 0;
    std::vector<Seated> players;
    Rules rules;
    Board board;
    Names favours;
    std::optional<Names> mission;
    Clock clock;
};
ALWAYS(Start, game, seat, players, rules, board, favours, mission, clock)

struct Decide {
    int id = 0;
    std::string decision;
    json about;
    std::vector<Choice> choices;
    std::vector<json> events;
    std::optional<State> state;
    std::optional<double> clock_ms;
};
MAYBE(Decide, id, decision, about, choices, events, state, clock_ms)

struct Error {
    MaybeNumber id;
    std::string fault, message;
    int strikes = 0, allowed = 0;
};
ALWAYS(Error, id, fault, message, strikes, allowed)

struct End {
    std::vector<json> events;
    State state;
    std::vector<std::optional<Names>> missions;
    std::vector<Standing> standings;
    std::string reason;
};
ALWAYS(End, events, state, missions, standings, reason)

#undef ALWAYS
#undef MAYBE
