// The places on the board and on the desks that can be picked for the open question.

const mine = game.live.seat.number;
const POINT_ROUND = 25;
const SPACE_ROUND = 20;
const SPECIAL_ROUND = 26;
const CITY_MARGIN = 7;
const targets = draw("svg", { id: "targets", viewBox: drawing.box, role: "group", "aria-label": "Places on the board that you can choose" });
document.querySelector(".stack").append(targets);

/** The first number of each city or route among the spaces or points of the whole board. */
function firstNumbers(counts) {
  let next = 0;
  return counts.map((count) => (next += count) - count);
}

const firstPoints = firstNumbers(map.points);
const circle = ([x, y], r) => draw("circle", { cx: x, cy: y, r });

/** The shape of a place on the board by its kind; undefined if the board has no such place. */
const SHAPES = {
  point: (i) => drawing.points[i] && circle(drawing.points[i], POINT_ROUND),
  space: (i) => drawing.spaces[i] && circle(drawing.spaces[i], SPACE_ROUND),
  special: (i) => drawing.special[i] && circle(drawing.special[i], SPECIAL_ROUND),
  city: (i) => drawing.cities[i] && cityShape(drawing.cities[i]),
  route: (i) => map.points[i] && routeShape(i),
};

function cityShape([x, y, width, height]) {
  const margin = CITY_MARGIN;
  return draw("rect", { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin, rx: 12 });
}

function routeShape(route) {
  const places = drawing.points.slice(firstPoints[route], firstPoints[route] + map.points[route]);
  const [first, ...rest] = places.map((place) => place.join(" "));
  return draw("path", { d: `M${first}${rest.map((place) => `L${place}`).join("")}${rest.length ? "" : "h.01"}` });
}

const partsOf = (at) => at.split(":");
const isOnBoard = (at) => partsOf(at)[0] in SHAPES;
const shapeOf = (at) => SHAPES[partsOf(at)[0]](Number(partsOf(at)[1]));

/** The things on the desks that a target means; there may be several alike, or none. */
function deskElements(at) {
  const [kind, one, other] = partsOf(at);
  const desk = (seat) => `.desk[data-seat="${seat}"]`;
  if (kind === "ability") return document.querySelectorAll(`${desk(mine)} [data-ability="${words.abilities[one]}"]`);
  if (kind === "stock") return document.querySelectorAll(`${desk(mine)} [data-part="stock"]`);
  if (kind === "marker") return document.querySelectorAll(`${desk(mine)} .piles :not(.used)[data-marker="${one}"]`);
  if (kind === "used") return document.querySelectorAll(`${desk(one)} .piles .used[data-marker="${other}"]`);
  return [];
}

// Routes and cities lie below points and spaces.
const LAYERS = ["route", "city", "special", "space", "point"];

/** Draw the places of these picks; `also` are further places that mean the same. */
function drawTargets(picks, labelOf) {
  const shapes = [];
  for (const pick of picks) {
    if (!isOnBoard(pick.at)) continue;
    shapes.push(targetAt(pick.at, pick.at, labelOf(pick), "target"));
    for (const place of pick.also ?? []) shapes.push(targetAt(pick.at, place, labelOf(pick), "target alike"));
  }
  const layer = (shape) => LAYERS.indexOf(partsOf(shape.dataset.at)[0]);
  targets.replaceChildren(...shapes.sort((a, b) => layer(a) - layer(b)));
  const first = targets.querySelector(".target:not(.alike)");
  if (first) first.setAttribute("tabindex", "0");
  markDesks(picks, labelOf);
}

function targetAt(at, place, label, className) {
  const isAlike = at !== place;
  const attributes = isAlike ? { "aria-hidden": "true" } : { role: "button", "aria-label": label, tabindex: "-1" };
  return draw("g", { class: `${className} ${partsOf(at)[0]}`, "data-at": at, ...attributes }, withClass(shapeOf(place), "edge"), withClass(shapeOf(place), "lit"), draw("title", {}, label));
}

function withClass(shape, className) {
  shape.setAttribute("class", className);
  return shape;
}

const marked = []; // elements of desks that can be picked now

function markDesks(picks, labelOf) {
  for (const element of marked.splice(0)) {
    element.classList.remove("target");
    for (const name of ["data-at", "role", "tabindex"]) element.removeAttribute(name);
    if (element.dataset.label) element.setAttribute("aria-label", element.dataset.label);
    else element.removeAttribute("aria-label");
  }
  for (const pick of picks) {
    for (const element of deskElements(pick.at)) {
      element.dataset.label = element.getAttribute("aria-label") ?? "";
      for (const [name, value] of Object.entries({ "data-at": pick.at, role: "button", tabindex: "0", "aria-label": labelOf(pick) })) element.setAttribute(name, value);
      element.classList.add("target");
      marked.push(element);
    }
  }
}

const FINGER = 26; // how far from a place a finger may touch, in pixels

/** The place that a finger meant; null if none is near. */
function nearestTarget({ clientX, clientY }) {
  const distance = (element) => Math.hypot(centreOf(element)[0] - clientX, centreOf(element)[1] - clientY);
  const near = [...targets.children].filter((element) => distance(element) < FINGER);
  return near.sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

// -- arrow keys go from one place on the board to the nearest in that direction

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function centreOf(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

function neighbour(from, [right, down]) {
  const [x, y] = centreOf(from);
  let best = null;
  let least = Infinity;
  for (const other of targets.querySelectorAll("[tabindex]")) {
    const [dx, dy] = [centreOf(other)[0] - x, centreOf(other)[1] - y];
    const ahead = dx * right + dy * down;
    const distance = ahead + 2 * Math.abs(dx * down + dy * right);
    if (ahead > 1 && distance < least) [best, least] = [other, distance];
  }
  return best;
}

function focusTarget(element) {
  for (const other of targets.querySelectorAll('[tabindex="0"]')) other.setAttribute("tabindex", "-1");
  element.setAttribute("tabindex", "0");
  element.focus();
}

targets.addEventListener("keydown", (event) => {
  const direction = DIRECTIONS[event.key];
  if (!direction) return;
  event.preventDefault();
  event.stopPropagation(); // elsewhere on the page, arrow keys go from step to step
  const next = neighbour(event.target, direction);
  if (next) focusTarget(next);
});
