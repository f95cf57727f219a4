package bot;

import bot.Messages.Choice;
import bot.Messages.Decide;
import bot.Messages.Start;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** What the bot thinks: one seat in one game; a new one is made at every start. */
public final class Player {
  private final Random random;

  /** {@code start} has the board, the rules and your seat. Keep what you need of it. */
  public Player(Start start) {
    // Chance comes from the game's id and the seat, so that the same game is played the same way
    // again.
    random = new Random(fnv1a(start.game() + "/" + start.seat()));
  }

  /**
   * The index of one of {@code request.choices()}, all of which are legal.
   *
   * <p>YOUR OWN THINKING GOES HERE. So far it is this: a kind of choice, then one of that kind.
   */
  public int choose(Decide request) {
    List<Choice> choices = request.choices();
    List<String> kinds = choices.stream().map(Choice::does).distinct().toList();
    String kind = kinds.get(random.nextInt(kinds.size()));
    int[] ofKind =
        IntStream.range(0, choices.size())
            .filter(index -> choices.get(index).does().equals(kind))
            .toArray();
    return ofKind[random.nextInt(ofKind.length)];
  }

  private static long fnv1a(String text) {
    long hash = 0xcbf29ce484222325L;
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (octet & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }
}
