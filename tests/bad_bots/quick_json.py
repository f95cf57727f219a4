"""`loads` and `dumps` as in `json`, without its import, which takes as long as the start of Python.

The parser and the writer are those that `json` uses. If another Python has other ones, this is `json`.
"""

try:
    import _json

    class _Settings:
        strict = True
        object_hook = object_pairs_hook = array_hook = None
        parse_float = parse_constant = float
        parse_int = int

    _scan = _json.make_scanner(_Settings)
    _write = _json.make_encoder(
        None, repr, _json.encode_basestring_ascii, None, ": ", ", ", False, False, True
    )
except (ImportError, AttributeError, TypeError):
    from json import dumps, loads
else:

    def loads(line):
        """Return the value of a line; ValueError if it is not JSON."""
        text = line.decode().strip()
        try:
            value, end = _scan(text, 0)
        except StopIteration:
            raise ValueError("not JSON") from None
        if end != len(text):
            raise ValueError("more than one value")
        return value

    def dumps(value):
        return "".join(_write(value, 0))
