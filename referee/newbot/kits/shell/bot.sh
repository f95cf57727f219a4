#!/bin/sh
# The whole bot is one jq program: a message in, an answer out, each on a line.
exec jq --unbuffered --compact-output --null-input --from-file think.jq
