"""The marker that names the rules that a test is about: `@rule("DIS-1", "DIS-2")`."""

import pytest

rule = pytest.mark.rule
