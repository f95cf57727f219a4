#!/bin/sh
# Tests of the bot: a short conversation, and the same again. Run it with: sh test.sh
cd "$(dirname "$0")" || exit 1

talk() {
    cat <<'END' | sh bot.sh
{"type":"hello","protocol":1,"referee":"0","game":"hansa-teutonica","encodings":["json"]}
{"type":"start","game":"a-game","seat":1}
{"type":"decide","id":41,"decision":"levy","about":{"by":2},"choices":[{"do":"levy","tradesman":"trader"},{"do":"levy","tradesman":"merchant"},{"do":"decline"}],"events":[],"clock_ms":null}
{"type":"error","id":41,"fault":"timeout","message":"no answer in time","strikes":1,"allowed":3}
{"type":"decide","id":57,"decision":"lift","about":{"why":"move","left":1},"choices":[{"do":"lift","route":"a--b","point":0},{"do":"stop"}],"events":[],"clock_ms":null}
{"type":"quit"}
{"type":"start","game":"never-read","seat":0}
END
}

failed=0
claim() {
    if [ "$2" = "$3" ]; then echo "ok: $1"; else
        echo "FAILED: $1: $2 and not $3"
        failed=1
    fi
}

claim "it answers what is asked, in order" \
    "$(talk | jq --raw-output .type | xargs)" "hello ready choose choose"
claim "an answer has the number of its request" \
    "$(talk | jq --compact-output --slurp 'map(.id // empty)')" "[41,57]"
claim "every choice is on offer" \
    "$(talk | jq --compact-output --slurp '[.[2].choice < 3, .[3].choice < 2]')" "[true,true]"
claim "the same game is played the same way again" "$(talk)" "$(talk)"
exit $failed
