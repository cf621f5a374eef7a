"""Tests reviews: finding a blunder, accuracy, progress and storing."""

from fourfall import Score
from fourfall.web.analysis.review_job import classify_loss, compute_accuracy, score_for_mover
from fourfall.web.messages.requests import Thresholds
from tests.web.conftest import Message, Page, RunningServer, StartGame


def run_review(page: Page, **request: object) -> list[Message]:
    """Request a review and return all its messages."""
    page.send(type="review", **request)
    messages = []
    while True:
        message = page.receive("review", "error")
        assert message["type"] == "review", message
        messages.append(message)
        if message["finished"] or message["stopped"]:
            return messages


def test_blunder_is_found(page: Page) -> None:
    """The move that allows a sure win is marked, with the best move, and reduces the accuracy."""
    position = "6x7:112237"  # the first player threatens column 4; the second plays column 7
    review = run_review(page, position=position, move_time_s=0.1, engine="fourfall-classic")[-1]
    worst = max(review["moves"], key=lambda move: move["loss"])
    assert (worst["ply"], worst["player"], worst["column"], worst["best"]) == (5, 1, 6, 3)
    assert worst["mark"] == "blunder"
    assert worst["score_after"]["proof"] == "loss"
    assert worst["pv"][0] == 3
    assert review["accuracy"][1] < review["accuracy"][0]
    assert review["final"]["proof"] == "win"
    assert review["move_time_s"] == 0.1


def test_review_goes_backwards_and_reports_its_progress(page: Page) -> None:
    """There is a message for every position; the reviewed moves are the last ones, sorted by ply."""
    messages = run_review(page, position="6x7:4433", move_time_s=0.02, ref="r")
    assert [message["done"] for message in messages] == [1, 2, 3, 4, 5]
    assert [[move["ply"] for move in message["moves"]] for message in messages] == [
        [],
        [3],
        [2, 3],
        [1, 2, 3],
        [0, 1, 2, 3],
    ]
    assert {message["total"] for message in messages} == {5}
    assert {message["ref"] for message in messages} == {"r"}


def test_review_is_stored_until_the_game_changes(page: Page, server: RunningServer, start_game: StartGame) -> None:
    """The stored game has the review; undo deletes it."""
    game = page.play(start_game(), 3)
    last = run_review(page, game=game["game"], move_time_s=0.02)[-1]
    stored = server.get(f"/api/games/{game['game']}")
    assert stored["reviewed"]
    assert stored["review"]["moves"] == last["moves"]
    page.request("game", type="undo", game=game["game"])
    assert server.get(f"/api/games/{game['game']}")["review"] is None


def test_review_can_be_stopped(page: Page) -> None:
    """A stopped review ends with the moves that it has reviewed."""
    page.send(type="review", position="9x9@4,4:123456789123456789", move_time_s=1)
    page.receive("review")
    page.send(type="stop_review")
    while not (review := page.receive("review"))["stopped"]:
        pass
    assert 0 < review["done"] < review["total"]
    assert not review["finished"]


def test_winning_move_is_a_proven_win(page: Page) -> None:
    """The move that ends the game is a proven win in one ply and loses nothing."""
    review = run_review(page, position="6x7:1212121", move_time_s=0.02)[-1]
    winning = review["moves"][-1]
    assert (winning["score_after"], winning["loss"]) == ({"win_chance": 1.0, "proof": "win", "distance": 1}, 0)
    assert review["final"] == {"win_chance": 0.0, "proof": "loss", "distance": 0}


def test_classify_loss() -> None:
    """A loss gets the name of the highest threshold that it reaches."""
    thresholds = Thresholds(inaccuracy=0.01, mistake=0.02, blunder=0.03)
    names = [classify_loss(loss, thresholds) for loss in (0.0, 0.01, 0.02, 0.5)]
    assert names == ["", "inaccuracy", "mistake", "blunder"]


def test_compute_accuracy() -> None:
    """100 without losses, None without moves, smaller for larger losses."""
    assert compute_accuracy([]) is None
    assert compute_accuracy([0.0, 0.0]) == 100
    assert (compute_accuracy([0.1]) or 0) > (compute_accuracy([0.2]) or 0) > 0


def test_score_for_mover() -> None:
    """A loss in 4 of the next player is a win in 5 of the mover."""
    assert score_for_mover(Score.loss(4)) == Score.win(5)
    assert score_for_mover(Score.win(4)) == Score.loss(5)
    assert score_for_mover(Score.draw(4)) == Score.draw(5)
    assert score_for_mover(Score.estimate(0.25)) == Score.estimate(-0.25)
