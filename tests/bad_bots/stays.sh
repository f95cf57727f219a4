#!/bin/sh
# Always takes the first choice; ignores quit, the end of its input and SIGTERM.
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
