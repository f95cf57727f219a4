#!/bin/sh
# Greets and is gone.
read -r hello
echo '{"type": "hello", "name": "gone"}'
