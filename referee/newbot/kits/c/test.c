/* Tests of the bot's thinking: run them with `make test`. */
#include <stdio.h>
#include <string.h>

#include "think.h"

enum { TIMES = 100, CHOICES = 3 };

static const char *const START = "{\"type\":\"start\",\"game\":\"a-game\",\"seat\":1}";
static const char *const REQUEST =
    "{\"type\":\"decide\",\"id\":41,\"decision\":\"levy\",\"about\":{\"by\":2},\"choices\":["
    "{\"do\":\"levy\",\"tradesman\":\"trader\"},{\"do\":\"levy\",\"tradesman\":\"merchant\"},"
    "{\"do\":\"decline\"}],\"events\":[],\"clock_ms\":null}";

static int failed;

static void claim(const char *what, int holds) {
    printf("%s: %s\n", holds ? "ok" : "FAILED", what);
    if (!holds) failed = 1;
}

static void play(int made[TIMES]) {
    cJSON *start = cJSON_Parse(START), *request = cJSON_Parse(REQUEST);
    Player player = new_player(start);
    for (int i = 0; i < TIMES; i++) made[i] = choose(&player, request);
    cJSON_Delete(start);
    cJSON_Delete(request);
}

int main(void) {
    int made[TIMES], again[TIMES], taken[CHOICES] = {0}, on_offer = 1;
    play(made);
    play(again);
    for (int i = 0; i < TIMES; i++) {
        if (made[i] < 0 || made[i] >= CHOICES)
            on_offer = 0;
        else
            taken[made[i]]++;
    }
    claim("every choice is on offer", on_offer);
    claim("each is taken now and then", taken[0] && taken[1] && taken[2]);
    claim("the same game is played the same way again", memcmp(made, again, sizeof made) == 0);
    return failed;
}
