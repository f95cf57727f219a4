"""The choices of a board, which all its games share."""

from referee import atlas


def test_each_choice_has_a_number_of_its_own_that_stays() -> None:
    tables = atlas.load_board("hanse-2-3").tables
    numbers = [tables.identify(choice) for choice in tables.lift]
    assert min(numbers) >= 0
    assert len({*numbers}) == len(numbers)
    assert [tables.identify(choice) for choice in reversed(tables.lift)] == numbers[::-1]
