"""What is counted of an output."""

from bridge.outputs.tally import Report, Tally, mistakes, report


def test_a_success_ends_the_trouble() -> None:
    tally = Tally()
    tally.fails("the disk is full")
    assert report("pgn", tally, waiting=2) == Report("pgn", 0, 1, 2, "the disk is full")
    tally.works(2)
    assert tally.last is not None
    assert report("pgn", tally, waiting=0) == Report("pgn", 2, 1, 0, "", tally.last)


def test_a_mistake_of_ours_is_told_whatever_works_meanwhile() -> None:
    tally = Tally()
    assert mistakes("web", tally) == []
    tally.fails("the disk is full")
    with tally.broken(), tally.broken():
        tally.works()
        assert tally.trouble == "stopped by a mistake of ours, see the log; it begins again soon"
    assert tally.trouble == ""
    assert [each.failed for each in mistakes("web", tally)] == [3]
