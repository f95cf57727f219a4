/* What the bot thinks. This is the place for your own thoughts. */
#include "think.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The generator "splitmix64": a whole number from 0 up to a bound. */
static int below(Player *player, int bound) {
    uint64_t mixed = player->random += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return (int)((mixed ^ (mixed >> 31)) % (uint64_t)bound);
}

static uint64_t fnv1a(uint64_t hash, const char *text) {
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

/* `start` has the board, the rules and your seat. Keep what you need of it.
 *
 * Chance comes from the game's id and the seat, so that the same game is played the same way again.
 */
Player new_player(const cJSON *start) {
    char seat[16];
    snprintf(seat, sizeof seat, "/%d", cJSON_GetObjectItem(start, "seat")->valueint);
    uint64_t hash = fnv1a(0xcbf29ce484222325u, cJSON_GetObjectItem(start, "game")->valuestring);
    return (Player){.random = fnv1a(hash, seat)};
}

static const char *kind_of(const cJSON *choice) {
    return cJSON_GetObjectItem(choice, "do")->valuestring;
}

/* Whether no choice before this one is of its kind. */
static int is_first_of_kind(const cJSON *choices, const cJSON *choice) {
    const cJSON *earlier = choices->child;
    while (earlier != choice && strcmp(kind_of(earlier), kind_of(choice)) != 0)
        earlier = earlier->next;
    return earlier == choice;
}

/* One of the kinds of choices that are on offer, each as likely as any other. */
static const char *random_kind(Player *player, const cJSON *choices) {
    const cJSON *choice;
    const char *kind = NULL;
    int kinds = 0;
    cJSON_ArrayForEach (choice, choices) {
        if (is_first_of_kind(choices, choice) && below(player, ++kinds) == 0)
            kind = kind_of(choice);
    }
    return kind;
}

/* The index of one of the choices of a request, all of which are legal.
 *
 * YOUR OWN THINKING GOES HERE. So far it is this: a kind of choice, then one of that kind. Both are
 * drawn in one walk: the n-th that is met takes the place of the one before it once in n times.
 */
int choose(Player *player, const cJSON *request) {
    const cJSON *choice, *choices = cJSON_GetObjectItem(request, "choices");
    const char *kind = random_kind(player, choices);
    int index = 0, chosen = 0, met = 0;
    cJSON_ArrayForEach (choice, choices) {
        if (strcmp(kind_of(choice), kind) == 0 && below(player, ++met) == 0) chosen = index;
        index++;
    }
    return chosen;
}
