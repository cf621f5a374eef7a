"""Owns the tests of reviewing: a planted blunder, accuracies, and what is kept."""

from fourfall import Score
from fourfall.web.requests import Thresholds
from fourfall.web.review import accuracy, mark, seen_by_mover
from tests.web.conftest import Begin, Message, Page, Served


def reviewed(page: Page, **request: object) -> list[Message]:
    """Ask for a review and wait for its end."""
    page.say(type="review", **request)
    told = []
    while True:
        message = page.hear("review", "error")
        assert message["type"] == "review", message
        told.append(message)
        if message["finished"] or message["stopped"]:
            return told


def test_a_planted_blunder_is_found(page: Page) -> None:
    """The move that let a sure win through is marked, with the better one, and costs accuracy."""
    position = "6x7:112237"  # the first player threatens 4; the second plays 7 instead
    told = reviewed(page, position=position, time_s=0.1, engine="fourfall-classic")
    review = told[-1]
    worst = max(review["moves"], key=lambda move: move["loss"])
    assert (worst["ply"], worst["player"], worst["column"], worst["best"]) == (5, 1, 6, 3)
    assert worst["mark"] == "blunder"
    assert worst["score_after"]["proof"] == "loss"
    assert worst["line"][0] == 3
    assert review["accuracy"][1] < review["accuracy"][0]
    assert review["final"]["proof"] == "win"


def test_a_review_goes_backwards_and_tells_how_far_it_is(page: Page) -> None:
    """Progress counts every position; the moves that are known are the last ones, in order."""
    told = reviewed(page, position="6x7:4433", time_s=0.02, ref="r")
    assert [message["done"] for message in told] == [1, 2, 3, 4, 5]
    assert [[move["ply"] for move in message["moves"]] for message in told] == [
        [],
        [3],
        [2, 3],
        [1, 2, 3],
        [0, 1, 2, 3],
    ]
    assert {message["total"] for message in told} == {5}
    assert {message["ref"] for message in told} == {"r"}


def test_a_review_is_kept_with_its_game_until_the_game_changes(page: Page, server: Served, begin: Begin) -> None:
    """The stored game has the review; a move taken back makes it go."""
    game = page.play(begin(), 3)
    last = reviewed(page, game=game["game"], time_s=0.02)[-1]
    server_side = server.get(f"/api/games/{game['game']}")
    assert server_side["reviewed"]
    assert server_side["review"]["moves"] == last["moves"]
    page.ask("game", type="undo", game=game["game"])
    assert server.get(f"/api/games/{game['game']}")["review"] is None


def test_a_review_can_be_stopped(page: Page) -> None:
    """Stopped early, it ends with what it has and says so."""
    page.say(type="review", position="9x9@4,4:123456789123456789", time_s=1)
    page.hear("review")
    page.say(type="stop_review")
    while not (review := page.hear("review"))["stopped"]:
        pass
    assert 0 < review["done"] < review["total"]
    assert not review["finished"]


def test_a_lost_game_is_reviewed_from_its_end(page: Page) -> None:
    """The move that wins is a proven win in one, and loses nothing."""
    review = reviewed(page, position="6x7:1212121", time_s=0.02)[-1]
    winning = review["moves"][-1]
    assert (winning["score_after"], winning["loss"]) == ({"win_chance": 1.0, "proof": "win", "distance": 1}, 0)
    assert review["final"] == {"win_chance": 0.0, "proof": "loss", "distance": 0}


def test_thresholds_decide_the_marks() -> None:
    """A loss has the mark of the highest threshold that it reaches."""
    strict = Thresholds(inaccuracy=0.01, mistake=0.02, blunder=0.03)
    assert [mark(loss, strict) for loss in (0.0, 0.01, 0.02, 0.5)] == ["", "inaccuracy", "mistake", "blunder"]


def test_accuracy_falls_with_losses() -> None:
    """No loss is 100, no moves are nothing, and more loss is less."""
    assert accuracy([]) is None
    assert accuracy([0.0, 0.0]) == 100
    assert (accuracy([0.1]) or 0) > (accuracy([0.2]) or 0) > 0


def test_a_score_is_turned_round_for_the_mover() -> None:
    """What is lost for the next player in 4 is won for the mover in 5."""
    assert seen_by_mover(Score.loss(4)) == Score.win(5)
    assert seen_by_mover(Score.win(4)) == Score.loss(5)
    assert seen_by_mover(Score.draw(4)) == Score.draw(5)
    assert seen_by_mover(Score.estimate(0.25)) == Score.estimate(-0.25)
