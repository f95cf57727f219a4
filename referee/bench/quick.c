/* A bot for benchmarks: it chooses a random kind of choice, then a random choice, with little work.
 *
 * It uses JSON; its arguments are the detail and the state that it asks for. It reads only the type,
 * the id and the choices of a message, and does not check them: it is not an example for a bot. The
 * sample bots are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_KINDS 64
#define MOST_CHOICES 4096

static char line[1 << 22];
static unsigned long long seed = 88172645463325252ULL;

static unsigned below(unsigned bound) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (unsigned)(seed % bound);
}

/* Finds where each kind of choice begins; choices are sorted by kind. */
static int find_kinds(const char *at, int words, int starts[], int *count) {
    int kinds = 0, index = 0;
    long last = -1;
    while (*at == (words ? '{' : '[')) {
        long kind = 0;
        const char *word = at + (words ? 7 : 1); /* {"do":"... or [... */
        if (words)
            while (*word != '"') kind = kind * 31 + *word++;
        else
            kind = strtol(word, NULL, 10);
        if (kind != last && kinds < MOST_KINDS) starts[kinds++] = index, last = kind;
        index++;
        int depth = 0;
        do {
            if (*at == '{' || *at == '[') depth++;
            if (*at == '}' || *at == ']') depth--;
            at++;
        } while (depth);
        if (*at == ',') at++;
    }
    *count = index;
    return kinds;
}

static void say(const char *text, int length) {
    while (length > 0) {
        ssize_t sent = write(1, text, (size_t)length);
        if (sent <= 0) exit(1);
        text += sent, length -= (int)sent;
    }
}

static void choose(int words) {
    char reply[64];
    int starts[MOST_KINDS + 1], count;
    const char *id = strstr(line, "\"id\":"), *choices = strstr(line, "\"choices\":[");
    if (!id || !choices) exit(2);
    int kinds = find_kinds(choices + 11, words, starts, &count);
    starts[kinds] = count;
    int kind = (int)below((unsigned)kinds);
    int index = starts[kind] + (int)below((unsigned)(starts[kind + 1] - starts[kind]));
    say(reply, snprintf(reply, sizeof reply, "{\"type\":\"choose\",\"id\":%ld,\"choice\":%d}\n",
                        strtol(id + 5, NULL, 10), index));
}

int main(int argc, char **argv) {
    const char *detail = argc > 1 ? argv[1] : "codes", *state = argc > 2 ? argv[2] : "none";
    char hello[160];
    size_t held = 0;
    for (;;) {
        ssize_t count = read(0, line + held, sizeof line - 1 - held);
        if (count <= 0) return 0;
        held += (size_t)count;
        if (line[held - 1] != '\n') continue;
        line[held] = 0, held = 0;
        if (strstr(line, "\"type\":\"decide\"")) choose(!strcmp(detail, "words"));
        else if (strstr(line, "\"type\":\"start\"")) say("{\"type\":\"ready\"}\n", 17);
        else if (strstr(line, "\"type\":\"quit\"")) return 0;
        else if (strstr(line, "\"type\":\"hello\""))
            say(hello, snprintf(hello, sizeof hello,
                                "{\"type\":\"hello\",\"name\":\"quick\",\"detail\":\"%s\",\"state\":\"%s\"}\n",
                                detail, state));
    }
}
