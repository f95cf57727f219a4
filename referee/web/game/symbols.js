// The pictures of tradesmen and bonus markers, which are used by their ids.

const SYMBOLS = {
  "man-trader": [
    "-14 -14 28 28",
    ["rect", { x: -11.5, y: -10.5, width: 23, height: 23, rx: 3, class: "man-shade" }],
    ["rect", { x: -11.5, y: -12, width: 23, height: 22.5, rx: 3, class: "man-body" }],
    ["path", { d: "M-9 -9.6h18", class: "man-gleam" }],
  ],
  "man-merchant": [
    "-14 -14 28 28",
    ["circle", { cy: 1.2, r: 12.4, class: "man-shade" }],
    ["circle", { cy: -.4, r: 12.2, class: "man-body" }],
    ["path", { d: "M-8 -6.4a10.2 10.2 0 0 1 16 0", class: "man-gleam" }],
  ],
  "bm-additional-post": ["0 0 24 24", ["path", { d: "M3.5 9.5h9v9h-9zM18 4.5v8M14 8.5h8" }]],
  "bm-exchange-posts": ["0 0 24 24", ["path", { d: "M3.5 8.5h15l-4-4M20.5 15.5h-15l4 4" }]],
  "bm-develop-ability": ["0 0 24 24", ["path", { d: "M12 20V5M5.5 11 12 4.5l6.5 6.5" }]],
  "bm-plus-3-actions": ["0 0 24 24", ["path", { d: "M2.5 12h7M6 8.5v7M13 6.5h6.5l-3.600 4.300c5.800.4 5 7.400.2 7.400-1.700 0-2.900-.6-3.600-1.800" }]],
  "bm-plus-4-actions": ["0 0 24 24", ["path", { d: "M2.5 12h7M6 8.5v7M18.5 18.5v-13L12.5 14.5h9" }]],
  "bm-move-3": ["0 0 24 24", ["path", { d: "M2.5 14.5h5.5M5.5 11l3.5 3.5L5.5 18M13 6.5h6.5l-3.600 4.300c5.800.4 5 7.400.2 7.400-1.700 0-2.900-.6-3.600-1.800" }]],
  "bm-remove-3": ["0 0 24 24", ["path", { d: "M3 9l6 6M9 9l-6 6M13 6.5h6.5l-3.600 4.300c5.800.4 5 7.400.2 7.400-1.700 0-2.900-.6-3.600-1.800" }]],
  "bm-swap-marker": ["0 0 24 24", ["path", { d: "M4 11a8 8 0 0 1 14-4.5M18.5 2.5v4.5H14M20 13a8 8 0 0 1-14 4.5M5.5 21.5V17H10" }]],
  "bm-tribute": [
    "0 0 24 24",
    ["circle", { cx: 12, cy: 12, r: 8.5 }],
    ["path", { d: "M12 7.5v9M9 10h4.5a1.5 1.5 0 0 1 0 4H9" }],
  ],
  "bm-block": [
    "0 0 24 24",
    ["circle", { cx: 12, cy: 12, r: 8.5 }],
    ["path", { d: "M6 18 18 6" }],
  ],
};

function symbol(id, [viewBox, ...shapes]) {
  return draw("symbol", { id, viewBox }, ...shapes.map(([tag, attributes]) => draw(tag, attributes)));
}

// The drawing of a board contains the pictures of the abilities. Where it is a file of its own, they are in the data.
const abilityPictures = Object.entries(game.pictures ?? {}).map(([name, shapes]) => symbol(`ht-${name}`, ["0 0 24 24", ...shapes]));
const symbols = Object.entries(SYMBOLS).map(([id, parts]) => symbol(id, parts));
document.body.append(draw("svg", { class: "hidden", "aria-hidden": "true" }, ...symbols, ...abilityPictures));
