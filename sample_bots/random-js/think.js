// What the bot thinks. This is the place for your own thoughts.

/** One seat in one game; a new one is made at every start. */
export class Player {
  /** `start` has the board, the rules and your seat. Keep what you need of it. */
  constructor(start) {
    // Chance comes from the game's id and the seat, so that the same game is played the same way again.
    this.below = randomNumbers(fnv1a(`${start.game}/${start.seat}`));
  }

  /**
   * The index of one of `request.choices`, all of which are legal.
   *
   * YOUR OWN THINKING GOES HERE. So far it is this: a kind of choice, then one of that kind.
   */
  choose(request) {
    const kinds = [...new Set(request.choices.map((choice) => choice.do))];
    const kind = kinds[this.below(kinds.length)];
    const ofKind = [...request.choices.keys()].filter(
      (index) => request.choices[index].do === kind,
    );
    return ofKind[this.below(ofKind.length)];
  }
}

/** A function that gives whole numbers from 0 up to a bound: the generator "mulberry32". */
function randomNumbers(seed) {
  return (bound) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return Math.floor(fraction * bound);
  };
}

function fnv1a(text) {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return hash;
}
