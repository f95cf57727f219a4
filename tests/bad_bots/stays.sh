#!/bin/sh
# Plays its first choice by shell alone; hears neither quit, nor the end of its input, nor SIGTERM.
trap '' TERM HUP INT
while :; do
    read -r line || sleep 3600
    case $line in
        *'"type":"hello"'*) echo '{"type": "hello", "name": "stays", "state": "none"}' ;;
        *'"type":"start"'*) echo '{"type": "ready"}' ;;
        *'"type":"decide"'*)
            id=${line#*\"id\":}
            echo "{\"type\": \"choose\", \"id\": ${id%%[!0-9]*}, \"choice\": 0}" ;;
    esac
done
