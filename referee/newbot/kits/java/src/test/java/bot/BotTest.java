package bot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import bot.Messages.Decide;
import bot.Messages.Start;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BotTest {
  /** The lines of messages.jsonl, which were sent at a real table. */
  private static List<String> recorded() throws IOException {
    return Files.readAllLines(Path.of("messages.jsonl"));
  }

  private static List<Integer> choicesMade() throws IOException {
    Player player = null;
    List<Integer> made = new ArrayList<>();
    for (String line : recorded()) {
      Object message = Messages.parse(line);
      if (message instanceof Start start) {
        player = new Player(start);
      } else if (message instanceof Decide request) {
        int choice = player.choose(request);
        assertTrue(choice >= 0 && choice < request.choices().size(), "a choice is on offer");
        made.add(choice);
      }
    }
    return made;
  }

  /** Fields that may be absent are null here, so null and absent are the same. */
  private static JsonElement withoutNulls(JsonElement value) {
    if (value.isJsonArray()) {
      value.getAsJsonArray().forEach(BotTest::withoutNulls);
    } else if (value.isJsonObject()) {
      var fields = value.getAsJsonObject().asMap();
      fields.values().removeIf(JsonElement::isJsonNull);
      fields.values().forEach(BotTest::withoutNulls);
    }
    return value;
  }

  @Test
  void theTypesHaveEveryFieldThatTheRefereeSends() throws IOException {
    for (String line : recorded()) {
      JsonElement sent = JsonParser.parseString(line);
      JsonElement understood = Messages.GSON.toJsonTree(Messages.parse(line));
      assertEquals(withoutNulls(sent), withoutNulls(understood));
    }
  }

  @Test
  void theSameGameIsPlayedTheSameWayAgain() throws IOException {
    assertFalse(choicesMade().isEmpty());
    assertEquals(choicesMade(), choicesMade());
  }
}
