#!/bin/sh
# Greets, closes its input and lives on.
read -r hello
exec 0<&-
echo '{"type": "hello", "name": "deaf"}'
exec sleep 3600
