# What the bot says to each message of the referee. `.random` is all that it remembers.

# Chance comes from the game's id and the seat, so that the same game is played the same way again.
def seed: "\(.game)/\(.seat)" | reduce explode[] as $letter (1; (. * 31 + $letter) % 2147483647) + 1;

# The next number of the generator "minstd".
def next: .random = .random * 48271 % 2147483647;

# One item of a list, by a random number.
def one_of($random): .[$random / 2147483647 * length | floor];

# YOUR OWN THINKING GOES HERE: the index of one of the choices, all of which are legal. So far it
# is this: a kind of choice, then one of that kind.
def choose($message):
  next | .random as $first | next | .random as $second
  | ([$message.choices[].do] | unique | one_of($first)) as $kind
  | .choice = ([$message.choices | to_entries[] | select(.value.do == $kind).key] | one_of($second));

def answer($message):
  if $message.type == "start" then .random = ($message | seed) | .say = {type: "ready"}
  elif $message.type == "decide" then
    choose($message) | .say = {type: "choose", id: $message.id, choice: .choice}
  elif $message.type == "quit" then halt
  else .say = null
  end;

{type: "hello", name: "my-bot", state: "none"},
(foreach inputs as $message ({}; answer($message); .say // empty))
