"""Tests reviews: finding a blunder, accuracy, progress and storing."""

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
    assert review["turning_points"][1] == 5
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


def test_missed_win_in_one_is_no_good_move(page: Page) -> None:
    """A move that does not win at once is marked, also if it still wins, and the winning column is the best move."""
    # Three stones of the first player stand in row 1, open on both sides: it plays column 1 on top instead of 2 or 6.
    review = run_review(page, position="6x7:3141511", move_time_s=0.05)[-1]
    missed = review["moves"][-1]
    assert missed["column"] == 0
    assert missed["best"] in {1, 5}
    assert missed["pv"] == [missed["best"]]
    assert missed["score_before"] == {"win_chance": 1.0, "proof": "win", "distance": 1}
    assert missed["score_after"]["proof"] == "win"
    assert (missed["missed_win"], missed["loss"], missed["mark"]) == (True, 0.0, "inaccuracy")


def test_missed_win_in_one_is_found_with_every_engine(page: Page) -> None:
    """Also an engine whose scores are only estimates gives a proven score for the winning move that was missed."""
    review = run_review(page, position="6x7:1212127", move_time_s=0.02, engine="level-2")[-1]
    missed = review["moves"][-1]
    assert (missed["best"], missed["missed_win"]) == (0, True)
    assert missed["score_before"]["proof"] == "win"


def test_review_of_the_moves_after_start_ply(page: Page) -> None:
    """Only the positions from `start_ply` on are searched, and `start` is the first of them."""
    review = run_review(page, position="6x7:443355", start_ply=4, move_time_s=0.02)[-1]
    assert review["start"] == "6x7:4433"
    assert [move["ply"] for move in review["moves"]] == [4, 5]
    assert (review["done"], review["total"]) == (3, 3)


def test_start_ply_behind_the_last_stone_is_an_error(page: Page) -> None:
    """The message says how many stones the position has; `start_ply` does not go together with `game`."""
    page.send(type="review", position="6x7:44", start_ply=3)
    error = page.receive("error")
    assert error["code"] == "bad_message"
    assert "start_ply must be at most 2" in error["message"]
    page.send(type="review", game="a1", start_ply=1)
    assert "start_ply is allowed only with position" in page.receive("error")["message"]


def test_background_review_runs(page: Page) -> None:
    """A background review gives the same messages as any other."""
    assert run_review(page, position="6x7:44", move_time_s=0.02, background=True)[-1]["finished"]
