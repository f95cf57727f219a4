import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes the first choice, and keeps a note in its scratch folder. */
public class Bot {
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");

    public static void main(String[] words) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            if (line.contains("\"type\":\"hello\"")) say("{\"type\":\"hello\",\"name\":\"java\"}");
            else if (line.contains("\"type\":\"start\"")) say("{\"type\":\"ready\"}");
            else if (line.contains("\"type\":\"quit\"")) return;
            else if (line.contains("\"type\":\"decide\"")) answer(line);
        }
    }

    private static void answer(String line) throws Exception {
        Matcher id = ID.matcher(line);
        id.find();
        Files.writeString(Path.of(System.getenv("TMPDIR"), "note.txt"), id.group(1));
        say("{\"type\":\"choose\",\"id\":" + id.group(1) + ",\"choice\":0}");
    }

    private static void say(String message) {
        System.out.println(message);
        System.out.flush();
    }
}
