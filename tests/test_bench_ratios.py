"""What `tox -e bench` says: a slowed figure is reported, noise is not, and no file is a traceback."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import bench
import bench_ratios
from bench_ratios import BuildRatios, FileRefused, Ratio
from support.groups import together


def build(python: str = "3.11.7", **ratios: tuple[float, float]) -> BuildRatios:
    return BuildRatios("0.1.0", python, 7, {name: Ratio(*ratio) for name, ratio in ratios.items()})


@together(
    ("then", "now", "word"),
    [
        ((10.0, 0.01), (12.5, 0.01), "SLOWER"),
        ((10.0, 0.01), (8.0, 0.01), "faster"),
        ((10.0, 0.01), (10.7, 0.01), ""),  # below the least change
        ((10.0, 0.01), (9.4, 0.01), ""),
        ((10.0, 0.08), (12.3, 0.08), ""),  # the rounds of both runs differ as much
        ((10.0, 0.08), (14.0, 0.08), "SLOWER"),
    ],
)
def test_only_a_change_beyond_noise_is_reported(
    then: tuple[float, float], now: tuple[float, float], word: str
) -> None:
    old, new = build(play=then), build(play=now)
    lines = bench_ratios.report(old, new)
    assert [line.split()[0] for line in lines if "play" in line] == [word] * bool(word)
    assert bench_ratios.has_slower(old, new) == (word == "SLOWER")


def test_a_change_is_described_in_a_sentence() -> None:
    lines = bench_ratios.report(
        build(play=(10.0, 0.04), copy=(4.0, 0.01), apply=(1.0, 0.0)),
        build(play=(12.5, 0.04), copy=(3.0, 0.01), apply=(1.02, 0.0)),
    )
    assert lines == [
        (
            "SLOWER  play: takes 25% longer than in 0.1.0"
            " (ratio 10 then, 12.5 now; up to 12% is noise)"
        ),
        (
            "faster  copy: takes 25% less time than in 0.1.0"
            " (ratio 4 then, 3 now; up to 8% is noise)"
        ),
        "1 of 3 ratios are the same as in 0.1.0, within noise.",
    ]


def test_what_cannot_be_compared_is_named() -> None:
    old, new = (
        build(play=(10.0, 0.0), strict=(2.0, 0.0)),
        build("3.13.1", play=(10.0, 0.0), rl=(3.0, 0.0)),
    )
    assert bench_ratios.report(old, new)[1:] == [
        "Not measured here, but in 0.1.0: strict.",
        "Measured here, but not in 0.1.0: rl.",
        (
            "The ratios of 0.1.0 are from Python 3.11.7, and this is Python 3.13.1:"
            " differences may come from Python."
        ),
    ]


def test_the_median_and_the_spread_ignore_a_busy_round() -> None:
    assert bench_ratios.summarize([10.0, 10.1, 9.9, 10.0, 30.0]) == Ratio(10.0, 0.0148)


# --- The file ---------------------------------------------------------------------------------


def test_each_build_is_written_under_its_name(tmp_path: Path) -> None:
    path = tmp_path / "ratios.json"
    first, second = build(play=(10.0, 0.02)), build(play=(3.0, 0.01))
    bench_ratios.write_build("interpreted", first, path)
    bench_ratios.write_build("compiled", second, path)
    assert bench_ratios.read_file(path).builds == {"interpreted": first, "compiled": second}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is not a valid file of ratios"),
        ("[1, 2]", "is not a valid file of ratios"),
        ('{"format": 99, "builds": {}}', "has format 99, and this program reads format 1"),
        ('{"format": 1}', "is not a valid file of ratios"),
        ('{"format": 1, "builds": {"compiled": {"version": "0.1.0"}}}', "missing required field"),
    ],
)
def test_a_malformed_file_is_one_sentence(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "ratios.json"
    path.write_text(text)
    with pytest.raises(FileRefused, match=why) as refused:
        bench_ratios.read_file(path)
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match=r"does not exist: write it with --write$"):
        bench_ratios.read_file(tmp_path / "ratios.json")


def test_the_file_of_the_project_has_both_builds() -> None:
    builds = bench_ratios.read_file().builds
    assert sorted(builds) == ["compiled", "interpreted"]
    for ratios in builds.values():
        measured = {name.partition(":")[0] for name in ratios.ratios}
        assert measured == set(bench.MEASURES)


# --- The program ------------------------------------------------------------------------------


def test_the_reference_is_the_work_that_earlier_ratios_were_measured_with() -> None:
    assert bench.calibrate() == bench.CALIBRATION_RESULT


def test_without_a_file_the_program_says_so_before_it_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_ratios, "FILE", tmp_path / "none.json")
    monkeypatch.setattr(sys, "argv", ["bench.py"])
    assert bench.main() == 2
    assert capsys.readouterr().err.startswith("bench: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rounds", "0"], "--rounds must be at least 1"),
        (["--write", "--only", "rl"], "--write and --only are mutually exclusive"),
    ],
)
def test_wrong_options_are_refused(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench.py", *words])
    with pytest.raises(SystemExit):
        bench.main()
    assert said in capsys.readouterr().err
