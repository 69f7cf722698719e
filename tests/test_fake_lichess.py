"""The fake Lichess does what broadcasters have seen the real one do."""

import pytest

from testbed.lichess_rounds import BroadcastRound, PushError, parse, split


def game(moves: str = "*", **tags: str) -> str:
    known = {"Event": "Open", "Site": "Delft", "Round": "1.1", "White": "Ann A", "Black": "Bob B"}
    head = "".join(f'[{name} "{value}"]\n' for name, value in (known | tags).items())
    return f"{head}\n{moves}\n\n"


def round_of(*games: str) -> BroadcastRound:
    found = BroadcastRound("AbCd1234", "Round 1")
    found.push("".join(games))
    return found


def test_a_corrected_name_makes_a_second_board_of_a_game_on_another_position() -> None:
    start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    there = round_of(game(White="An A"))
    there.push(game(White="Ann A", FEN=start))
    assert len(there.chapters) == 2


def test_a_game_id_finds_its_board_whatever_changes() -> None:
    there = round_of(game("1. e4 *", GameId="one"), game("1. d4 *", GameId="two", Round="1.2"))
    there.push(game("1. d4 d5 *", GameId="two", Round="1.7", White="Eve E"))
    assert [chapter.tags["White"] for chapter in there.chapters] == ["Ann A", "Eve E"]
    assert there.chapters[1].moves == ["d2d4", "d7d5"]


def test_a_game_that_has_not_begun_is_taken_for_the_first_board() -> None:
    there = round_of(game("1. e4 *", GameId="one"), game("*", GameId="two", Round="1.2"))
    there.push(game("*", GameId="two", Round="1.2", White="Eve E"))
    assert there.chapters[0].tags["GameId"] == "two"
    there = round_of(game("1. e4 *", GameId="one"), game("*", GameId="two", Round="1.2"))
    there.ids_decide = True
    there.push(game("*", GameId="two", Round="1.2", White="Eve E"))
    assert [chapter.tags["GameId"] for chapter in there.chapters] == ["one", "two"]


def test_a_longer_line_outlives_a_shorter_push_and_another_line_takes_its_place() -> None:
    there = round_of(game("1. e4 e5 2. Nf3 *"))
    there.push(game("1. e4 *"))
    (chapter,) = there.chapters
    assert (chapter.moves, chapter.live) == (["e2e4", "e7e5", "g1f3"], 1)
    there.push(game("1. e4 c5 *"))
    assert chapter.moves == ["e2e4", "c7c5"]
    assert chapter.variations == [["e2e4", "e7e5", "g1f3"]]


def test_boards_change_places_only_when_all_are_pushed() -> None:
    one, two = game("1. e4 *", GameId="one"), game("1. d4 *", GameId="two", Round="1.2")
    three = game("1. c4 *", GameId="three", Round="1.3")
    there = round_of(one, two, three)
    there.push(two + one)
    assert [chapter.tags["GameId"] for chapter in there.chapters] == ["one", "two", "three"]
    there.push(three + two + one)
    assert [chapter.tags["GameId"] for chapter in there.chapters] == ["three", "two", "one"]


def test_a_round_is_finished_with_its_last_game_and_reopened_by_a_move() -> None:
    there = round_of(game("1. e4 1-0", Result="1-0"), game("*", Round="1.2", White="Eve E"))
    there.push(game("1. e4 1-0", Result="1-0"))
    assert not there.finished
    there.push(game("1. d4 0-1", Result="0-1", Round="1.2", White="Eve E"))
    assert there.finished
    there.push(game("1. d4 d5 *", Result="*", Round="1.2", White="Eve E"))
    assert not there.finished


@pytest.mark.parametrize(
    "wrong",
    [
        '[UTC_Time "12:00"]\n[White "Ann A"]\n\n1. e4 *',
        '[White "Ann A"]\n\n1. e4 {never closed *',
        '[White "Ann A"]\n\n1. e4 e5 2. Ke3 Nf6 *',
        '[White "Ann A"]\n\n1. e4 e5 2. Ke3 *',
    ],
)
def test_what_is_no_game_is_refused_and_the_others_are_not(wrong: str) -> None:
    with pytest.raises(PushError):
        parse(wrong)
    there = BroadcastRound("AbCd1234", "Round 1")
    bad, good = there.push(f"{wrong}\n\n{game('1. d4 *')}")
    assert "error" in bad
    assert good["moves"] == 1
    assert len(there.chapters) == 1


def test_kings_that_are_put_into_the_centre_at_the_end_are_passed_over() -> None:
    assert parse(game("1. e4 e5 2. Ke4 *")).moves == ["e2e4", "e7e5"]


def test_a_game_without_players_is_dropped_in_silence() -> None:
    there = BroadcastRound("AbCd1234", "Round 1")
    (answer,) = there.push('[White "?"]\n[Black "Bob B"]\n\n1. e4 *')
    assert answer["moves"] == 1
    assert there.chapters[0].initial


def test_an_empty_line_and_a_bracket_begin_another_game() -> None:
    assert len(split('[White "A"]\n\n1. e4 {x\n\n[y} *')) == 2


def test_mate_is_a_result_whatever_is_said() -> None:
    mate = "1. f3 e5 2. g4 Qh4# *"
    assert parse(game(mate, Result="*")).tags["Result"] == "0-1"
