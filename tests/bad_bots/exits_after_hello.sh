#!/bin/sh
# Sends its hello and exits.
read -r hello
echo '{"type": "hello", "name": "gone"}'
