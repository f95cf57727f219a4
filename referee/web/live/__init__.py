"""A server on this machine: watch what runs in a browser. Needs the extra `web` (Starlette and uvicorn)."""
