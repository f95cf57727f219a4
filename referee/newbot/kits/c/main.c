/* The talk with the referee: a message in, an answer out, until it says quit or its input ends. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "think.h"

static Player player;

/* Answer one message; 0 when it was the last. */
static int answer(const cJSON *message) {
    const char *type = cJSON_GetStringValue(cJSON_GetObjectItem(message, "type"));
    if (type == NULL) return 1;
    if (strcmp(type, "quit") == 0) return 0;
    if (strcmp(type, "start") == 0) {
        player = new_player(message);
        puts("{\"type\":\"ready\"}");
    } else if (strcmp(type, "decide") == 0) {
        int id = cJSON_GetObjectItem(message, "id")->valueint;
        printf("{\"type\":\"choose\",\"id\":%d,\"choice\":%d}\n", id, choose(&player, message));
    } else if (strcmp(type, "error") == 0) {
        const cJSON *why = cJSON_GetObjectItem(message, "message");
        fprintf(stderr, "refused: %s\n", why->valuestring); /* stderr is the bot's own */
    }
    return 1;
}

int main(void) {
    char *line = NULL;
    size_t size = 0;
    int goes_on = 1;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* an answer is sent with its newline */
    /* "state":"full" if you want to be told the position with every request. */
    puts("{\"type\":\"hello\",\"name\":\"my-bot\",\"state\":\"none\"}");
    while (goes_on && getline(&line, &size, stdin) > 0) {
        cJSON *message = cJSON_Parse(line);
        goes_on = answer(message);
        cJSON_Delete(message);
    }
    free(line);
    return 0;
}
