// What the scripts of all pages share: elements, texts, and the light or dark theme.

const byId = (id) => document.getElementById(id);

/** An element with attributes and children; text is inserted as text, never as markup. */
function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for an element of SVG. */
function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Replace the part of the address after "#", without a new entry in the history. */
function setAddress(hash) {
  try {
    history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
  } catch {
    // Some pages, such as a preview, have no address to change.
  }
}

// -- light or dark

const THEME_KEY = "referee-theme";

function storedTheme() {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null; // without storage, the page follows the system
  }
}

function toggleTheme() {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem(THEME_KEY, dataset.theme);
  } catch {
    // Without storage, the next page does not know the choice.
  }
}

if (["light", "dark"].includes(storedTheme())) document.documentElement.dataset.theme = storedTheme();
