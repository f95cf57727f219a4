package bot;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.annotations.SerializedName;
import java.util.List;
import java.util.Map;

/**
 * The messages between referee and bot, as types. What the fields mean is in the protocol's page.
 *
 * <p>A field is null where the message has null or no such field. On the wire {@code clockMs} is
 * {@code clock_ms}, and so with all names of several words.
 */
public final class Messages {
  static final Gson GSON =
      new GsonBuilder()
          .setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES)
          .create();

  private static final Map<String, Class<? extends Record>> TYPES =
      Map.of(
          "hello", Hello.class,
          "start", Start.class,
          "decide", Decide.class,
          "error", Error.class,
          "end", End.class,
          "quit", Quit.class);

  private Messages() {}

  /** A message of the referee; null for one of a type that this bot does not know. */
  static Object parse(String line) {
    JsonObject message = JsonParser.parseString(line).getAsJsonObject();
    Class<?> type = TYPES.get(message.get("type").getAsString());
    return type == null ? null : GSON.fromJson(message, type);
  }

  // -- what the bot says

  record BotHello(String type, String name, String state) {}

  record Ready(String type) {}

  record Choose(String type, int id, int choice) {}

  // -- what the referee says

  record Hello(String type, int protocol, String referee, String game, List<String> encodings) {}

  record Start(
      String type,
      String game,
      int seat,
      List<Seated> players,
      Rules rules,
      Board board,
      List<String> favours,
      List<String> mission,
      Clock clock) {}

  record Decide(
      String type,
      int id,
      String decision,
      JsonObject about,
      List<Choice> choices,
      List<JsonObject> events,
      State state,
      Double clockMs) {}

  record Error(String type, Integer id, String fault, String message, int strikes, int allowed) {}

  record End(
      String type,
      List<JsonObject> events,
      State state,
      List<List<String>> missions,
      List<Standing> standings,
      String reason) {}

  record Quit(String type) {}

  // -- choices

  /** What can be done: {@code does} says which of the other fields there are. */
  record Choice(
      @SerializedName("do") String does,
      Integer traders,
      Integer merchants,
      String route,
      Integer point,
      String tradesman,
      String from,
      String fromRoute,
      Integer fromPoint,
      Amount pay,
      Reward reward,
      String marker,
      String ability,
      String city,
      List<Integer> spaces,
      Integer owner,
      String takes,
      String tile,
      List<String> markers) {}

  /** What a creation earns: one of the four, the additional post with its tradesman. */
  record Reward(
      String post, String additional, String tradesman, String develop, Integer special) {}

  record Amount(int traders, int merchants) {}

  // -- the table

  record Seated(int seat, String name) {}

  record Rules(
      String edition,
      String board,
      int players,
      boolean missions,
      boolean favours,
      String neutral,
      boolean permits,
      boolean promos,
      List<String> promoMarkers,
      String countryTies,
      String permanentMarkers,
      int maxTurns,
      int rulesVersion) {}

  /** Milliseconds; null is without limit. */
  record Clock(Long startMs, Long bankMs, Long incrementMs, Long moveMs) {}

  record Standing(
      int seat,
      String name,
      int rank,
      int total,
      int track,
      int abilities,
      int markers,
      int special,
      int cities,
      int network,
      int missions,
      Map<String, Integer> countries,
      String disqualified) {}

  // -- the board

  record Board(
      String id,
      String title,
      String side,
      Range players,
      double aspect,
      List<City> cities,
      List<Route> routes,
      EastWest eastWest,
      SpecialPrestige specialPrestige,
      int completedCitiesLimit,
      CompletedTrack completedTrack,
      Map<String, Country> countries,
      Map<String, List<String>> permits,
      List<String> neutralStart,
      List<String> neutralStartBritannia,
      List<List<String>> missions,
      boolean favours,
      Map<String, String> replaces) {}

  record Range(int min, int max) {}

  record City(
      String id,
      String name,
      List<String> aliases,
      int x,
      int y,
      String banner,
      List<String> abilities,
      List<String> countries,
      boolean green,
      List<Space> spaces) {}

  record Space(String privilege, String shape, int coin) {}

  record Route(
      String id,
      List<String> ends,
      List<Point> points,
      String country,
      boolean tavern,
      String permanent,
      List<Integer> markerAt) {}

  record Point(String type, int x, int y) {}

  record EastWest(List<String> ends, List<Integer> prestige) {}

  record SpecialPrestige(String city, List<String> routes, List<SpecialSpace> spaces) {}

  record SpecialSpace(int points, String privilege, int x, int y) {}

  record CompletedTrack(List<Integer> first, List<Integer> last) {}

  record Country(boolean home, List<Integer> prestige) {}

  // -- the position

  /** A position as one seat may see it. A tradesman is its seat and kind: "0t", "3m", "nt". */
  record State(
      int turn,
      int active,
      int actionsLeft,
      int extraActions,
      boolean fresh,
      boolean acted,
      boolean forgone,
      int completedCities,
      int markerSupply,
      boolean undrawn,
      List<JsonElement> eastWest, // a seat's number, or "n"
      Map<String, RouteState> routes,
      Map<String, CityState> cities,
      List<Integer> specialPrestige,
      List<String> favours,
      List<PlayerState> players,
      List<String> mission,
      List<String> plateSeen,
      List<String> inHand,
      Permits permits,
      List<Laid> laid,
      List<String> markersOut,
      Neutral neutral) {}

  record RouteState(List<String> points, String marker) {}

  record CityState(List<String> posts, List<String> additional) {}

  record PlayerState(
      int seat,
      int prestige,
      Amount stock,
      Amount supply,
      Desk desk,
      List<String> markers,
      List<String> usedMarkers,
      int plate,
      List<String> favours) {}

  /** How many steps of each ability are developed. */
  record Desk(int keys, int actions, int privilege, int book, int bank) {}

  record Permits(Map<String, Integer> cities, List<String> spent, boolean bought) {}

  record Laid(String marker, String route, int seat) {}

  record Neutral(int prestige) {}
}
