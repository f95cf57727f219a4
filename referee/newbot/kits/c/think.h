/* What the bot thinks. */
#ifndef THINK_H
#define THINK_H

#include <cjson/cJSON.h>
#include <stdint.h>

/* One seat in one game; a new one is made at every start. */
typedef struct {
    uint64_t random;
} Player;

Player new_player(const cJSON *start);
int choose(Player *player, const cJSON *request);

#endif
