#!/bin/sh
# Sends its hello, closes its input and keeps running.
read -r hello
exec 0<&-
echo '{"type": "hello", "name": "deaf"}'
exec sleep 3600
