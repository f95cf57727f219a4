"""The routes in foreign countries on the Britannia boards, by country and by board."""

WALES = {
    "cardiff--montgomery",
    "cardiff--pembroke",
    "chester--conway",
    "conway--isle-of-man",
    "conway--montgomery",
    "hereford--montgomery",
    "montgomery--pembroke",
}
SCOTLAND = {
    "carlisle--falkirk",
    "carlisle--isle-of-man",
    "dunbar--edinburgh",
    "dunbar--newcastle",
    "edinburgh--glasgow",
    "falkirk--glasgow",
}
ABROAD = {"britannia-2-3": WALES, "britannia-4-5": WALES | SCOTLAND}
