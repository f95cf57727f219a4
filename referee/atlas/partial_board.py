"""A board as far as it could be read, for the checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from referee.atlas.schema import Mistake, Notes, Path, hint, shown

Words: TypeAlias = dict[str, Any]
Link: TypeAlias = tuple[str, str]


class PartialBoard:
    """The readable parts of a board, and the mistakes found so far.

    A lookup returns None if a part that it depends on could not be read; that part's mistake is
    reported, and nothing else about it.
    """

    def __init__(self, words: object, read: Words, mistakes: list[Mistake]) -> None:
        self.read = read
        self.notes = Notes(words, mistakes)
        self.cities: list[Words] = read.get("cities", [])
        self.routes: list[Words] = read.get("routes", [])
        self.countries: Words | None = read.get("countries")
        self.known = self._known_cities()
        self.links = self._links()
        self.home = self._home()

    def _known_cities(self) -> dict[str, Words] | None:
        if not self.cities or not all("id" in city for city in self.cities):
            return None
        return {city["id"]: city for city in self.cities}

    def _links(self) -> list[Link] | None:
        if not self.routes or not all("ends" in route for route in self.routes):
            return None
        links = [(route["ends"][0], route["ends"][1]) for route in self.routes]
        known = self.known or {}
        return links if all(end in known for link in links for end in link) else None

    def _home(self) -> set[str] | None:
        """The countries that need no permit."""
        if self.countries is None or any("home" not in one for one in self.countries.values()):
            return None
        return {name for name, country in self.countries.items() if country["home"]}

    def add(self, path: Path, what: str, allowed: str = "") -> None:
        """Record a mistake at this path of the board."""
        self.notes.add(path, what, allowed)

    def expect_city(self, path: Path, city: str) -> None:
        """Record a mistake if the board has no such city."""
        if self.known is not None and city not in self.known:
            self.add(
                path, f"{shown(city)} is not a city of this board", hint(city, self.known, "cities")
            )

    def expect_country(self, path: Path, name: str) -> None:
        """Record a mistake if the board has no such country."""
        if self.countries is not None and name not in self.countries:
            allowed = hint(name, self.countries, "countries")
            self.add(path, f"{shown(name)} is not a country of this board", allowed)

    def expect_all_or_no_coordinates(self, path: Path, things: Sequence[Words]) -> None:
        """Record a mistake if only some of a row have coordinates: the others could not be placed evenly."""
        missing = {thing[axis] is None for thing in things for axis in ("x", "y") if axis in thing}
        if len(missing) > 1:
            self.add(path, "some coordinates are missing", "each has x and y, or none has")


def repeated(values: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Every value that appears earlier in the list too, with its index."""
    met = set()
    for at, value in enumerate(values):
        if value is not None and value in met:
            yield at, value
        met.add(value)


def reached(start: str, links: Sequence[Link]) -> set[str]:
    """The cities that can be reached from `start`, which is included."""
    met, edge = {start}, {start}
    while edge:
        edge = {b for a, b in links if a in edge} | {a for a, b in links if b in edge}
        edge -= met
        met |= edge
    return met
