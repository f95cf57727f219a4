package bot;

import bot.Messages.BotHello;
import bot.Messages.Choose;
import bot.Messages.Decide;
import bot.Messages.Error;
import bot.Messages.Quit;
import bot.Messages.Ready;
import bot.Messages.Start;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The talk with the referee: a message in, an answer out, until it says quit or its input ends. */
public final class Main {
  private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private Main() {}

  public static void main(String[] words) throws IOException {
    // State "full" if you want to be told the position with every request.
    write(new BotHello("hello", "my-bot", "none"));
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Player player = null;
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      Object message = Messages.parse(line);
      if (message instanceof Start start) {
        player = new Player(start);
        write(new Ready("ready"));
      } else if (message instanceof Decide request) {
        write(new Choose("choose", request.id(), player.choose(request)));
      } else if (message instanceof Error error) {
        System.err.println("refused: " + error.message()); // stderr is the bot's own
      } else if (message instanceof Quit) {
        return;
      }
    }
  }

  private static void write(Record message) throws IOException {
    OUT.write((Messages.GSON.toJson(message) + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
