"""Tests the games in the browser's storage: reloads, deletion, two tabs, damaged games, denied and full storage.

The tests use the module of the page without a server in an empty page of the server.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.web.browser.server import Server

EMPTY_PAGE = "icon.svg"
PREPARE = """async () => {
  const { GameStore } = await import("/local/games/game_store.js");
  const { GameDatabase, UPGRADES } = await import("/local/games/game_database.js");
  const createGame = (number, fields = {}) => ({
    id: `p${String(number).padStart(16, "0")}`, start: "6x7", moves: [3, 3], redo: [], times_ms: [1, 2],
    scores: [null, null], redo_times_ms: [], redo_scores: [], position: "6x7:44", you: 0, opponent: "level-10",
    names: ["you", "level-10"], move_time_s: null, simulations: null, clock: null, turn_started: null, outcome: null,
    started: new Date(Date.now() + (number - 60) * 1000).toISOString().replace("Z", "+00:00"), rematch_of: null,
    ...fields,
  });
  const listIds = async (store) => (await store.list()).games.map(({ id }) => Number(id.slice(1)));
  const putRow = (row) => new Promise((resolve, reject) => {
    const request = indexedDB.open("fourfall");
    request.onsuccess = () => {
      const transaction = request.result.transaction("games", "readwrite");
      transaction.objectStore("games").put(row);
      transaction.oncomplete = () => resolve(request.result.close());
      transaction.onabort = () => reject(transaction.error);
    };
  });
  const daysAgo = (days) => new Date(Date.now() - days * 86400000).toISOString().replace("Z", "+00:00");
  window.store = await GameStore.open();
  window.problems = [];
  window.store.onProblem((problem) => window.problems.push(problem));
  Object.assign(window, { GameStore, GameDatabase, UPGRADES, createGame, listIds, putRow, daysAgo });
}"""
CLEAR = """async () => {
  const request = indexedDB.deleteDatabase("fourfall");
  await new Promise((resolve) => { request.onsuccess = request.onerror = resolve; });
}"""


@pytest.fixture(scope="module")
def tabs(browser: Browser, server: Server) -> Iterator[list[Page]]:
    """Open two tabs of one visitor."""
    context = browser.new_context()
    yield [context.new_page(), context.new_page()]
    context.close()


@pytest.fixture
def tab(tabs: list[Page], server: Server) -> Page:
    """Return a tab with an empty database and an open store."""
    for each in tabs:
        each.goto(f"{server.address}/{EMPTY_PAGE}")
    tabs[0].evaluate(CLEAR)
    tabs[0].evaluate(PREPARE)
    return tabs[0]


def reload(tab: Page) -> None:
    """Load the tab again and open the store."""
    tab.reload()
    tab.evaluate(PREPARE)


def run(tab: Page, script: str) -> Any:  # noqa: ANN401 (any JSON)
    """Run the body of an asynchronous function in a tab."""
    return tab.evaluate(f"async () => {{ {script} }}")


def test_games_and_reviews_are_there_after_a_reload(tab: Page) -> None:
    """Games are listed newest first; a review is kept until the moves change; games without moves are not listed."""
    run(
        tab,
        """for (const number of [2, 1, 3]) await store.save(createGame(number));
        await store.save(createGame(4, { moves: [], position: "6x7" }));
        await store.saveReview(createGame(1).id, { position: "6x7:44", moves: [] });
        await store.saveReview(createGame(2).id, { position: "6x7:4", moves: [] });""",
    )
    reload(tab)
    assert run(tab, "return [await listIds(store), store.isPersistent, problems]") == [[3, 2, 1], True, []]
    find = "(await store.find(createGame(1).id)).review"
    assert run(tab, f"return [{find}, await store.find(createGame(9).id)]") == [
        {"position": "6x7:44", "moves": []},
        None,
    ]
    assert run(tab, "return (await store.list()).games.map(({ reviewed }) => reviewed)") == [False, False, True]
    assert (
        run(tab, f'await store.save(createGame(1, {{ position: "6x7:445", moves: [3, 3, 4] }})); return {find}') is None
    )
    parts = (
        "const first = await store.list({ limit: 2 }); const rest = await store.list({ limit: 2, before: first.next });"
    )
    assert run(tab, f"{parts} return [first.games.length, rest.games.length, rest.next]") == [2, 1, None]


def test_long_lists(tab: Page) -> None:
    """Lists that are longer than what is read at once are complete, in order, with and without a filter."""
    run(
        tab,
        """await Promise.all(Array.from({ length: 230 }, (_, number) => {
          const names = ["you", number % 50 ? "level-10" : "rare"];
          return store.save(createGame(number, { names, started: daysAgo(Math.floor(number / 4) / 100) }));
        }));""",
    )
    ids = run(tab, "return (await store.list({ limit: 200 })).games.map(({ id, started }) => [started, id])")
    assert len(ids) == 200
    assert ids == sorted(ids, reverse=True)
    collect = """const ids = []; let next = null;
        do {
          const part = await store.list({ limit: %d, before: next%s });
          ids.push(...part.games.map(({ id }) => id)); next = part.next;
        } while (next);
        return [ids.length, new Set(ids).size];"""
    assert run(tab, collect % (7, "")) == [230, 230]
    assert run(tab, collect % (2, ', text: "RARE"')) == [5, 5]


def test_deleted_games_can_be_restored_for_seven_days(tab: Page) -> None:
    """Also after a reload; then they are removed, as are old games without moves."""
    run(tab, "for (const number of [1, 2]) await store.save(createGame(number)); await store.delete(createGame(1).id)")
    reload(tab)
    assert run(tab, "return [await listIds(store), await store.find(createGame(1).id)]") == [[2], None]
    run(tab, "await store.restore(createGame(1).id)")
    assert run(tab, "return await listIds(store)") == [2, 1]
    run(
        tab,
        """const { row } = await store.database.get(createGame(1).id);
        await putRow({ ...row, deleted: daysAgo(6.9) });
        await putRow({ ...row, id: createGame(5).id, deleted: daysAgo(7.1) });
        await putRow({ ...row, id: createGame(6).id, unplayed: daysAgo(1.1) });
        await putRow({ ...row, id: createGame(7).id, unplayed: daysAgo(0.9) });""",
    )
    reload(tab)
    exists = "[1, 5, 6, 7].map(async (n) => Boolean((await store.database.get(createGame(n).id)).row))"
    assert run(tab, f"return Promise.all({exists})") == [True, False, False, True]
    refused = run(tab, "return store.restore(createGame(5).id).catch(({ code, params }) => [code, params])")
    assert refused == ["unknown_game", {"game": "p0000000000000005"}]


def test_two_tabs_share_the_games(tab: Page, tabs: list[Page]) -> None:
    """Both tabs see the changes of the other; a newer page in one tab extends the schema, and the old one goes on."""
    other = tabs[1]
    other.evaluate(PREPARE)
    run(other, "await store.save(createGame(1))")
    assert run(tab, "return await listIds(store)") == [1]
    save_many = "await Promise.all(Array.from({ length: 20 }, (_, i) => store.save(createGame(i + %d))));"
    run(tab, save_many % 10)
    run(other, save_many % 20 + "await store.delete(createGame(1).id)")
    assert run(tab, "return (await store.list()).games.length") == 30
    upgrade = """const upgrades = [...UPGRADES, (database) => database.createObjectStore("extra")];
        const newer = new GameStore(await GameDatabase.open(indexedDB, upgrades));
        await newer.save(createGame(50, { colour: "green" }));"""
    run(other, upgrade)
    run(tab, "await store.save(createGame(51))")
    assert run(tab, "return [(await listIds(store)).slice(0, 2), store.isPersistent]") == [[51, 50], True]
    reload(tab)
    assert run(tab, "return [(await listIds(store)).slice(0, 2), problems]") == [[51, 50], []]


def test_damaged_games_do_not_break_the_list(tab: Page) -> None:
    """They are left out of lists and of the explorer; opening one says that it is damaged."""
    run(
        tab,
        """await store.save(createGame(1, { outcome: { winner: 0, ending: "resignation", cells: [], detail: "" } }));
        const { row } = await store.database.get(createGame(1).id);
        const { game } = row;
        const damaged = [null, { ...game, moves: "44" }, { ...game, names: ["x"] }, { ...game, start: 7 }, undefined,
          { ...game, moves: [3, 99] }];
        for (const [index, each] of damaged.entries()) {
          await putRow({ ...row, id: createGame(10 + index).id, format: index, game: each });
        }
        await putRow({ ...row, id: createGame(20).id, game: { ...row.game, moves: [3, 3, 3, 3, 3, 3, 3] } });
        await putRow({ ...row, id: createGame(21).id, format: 2, game: { ...row.game, novelty: true } });""",
    )
    assert run(tab, "return (await listIds(store)).sort()") == [1, 20, 21]
    codes = "[10, 15, 20, 21].map((n) => store.find(createGame(n).id).then(({ start }) => start, ({ code }) => code))"
    assert run(tab, f"return Promise.all({codes})") == ["invalid_record", "invalid_record", "invalid_record", "6x7"]
    explore = 'const { Position } = await import("/model/position.js");'
    assert run(tab, f'{explore} return (await store.explore(Position.parse("6x7:4"), null)).games') == 3


@pytest.mark.parametrize(
    "factory",
    [
        "() => undefined",
        '() => { throw new DOMException("denied", "SecurityError"); }',
        """() => ({ open: () => {
          const request = { error: new DOMException("private window", "InvalidStateError") };
          setTimeout(() => request.onerror());
          return request;
        } })""",
    ],
)
def test_denied_storage(tab: Page, factory: str) -> None:
    """Games are kept in memory, and a listener is told once."""
    result = run(
        tab,
        f"""const store = await GameStore.open({factory});
        const problems = [];
        store.onProblem((problem) => problems.push(problem));
        for (const number of [1, 2]) await store.save(createGame(number));
        await store.delete(createGame(1).id);
        const deleted = await listIds(store);
        await store.restore(createGame(1).id);
        await store.saveReview(createGame(1).id, {{ position: "6x7:44" }});
        const {{ review }} = await store.find(createGame(1).id);
        return [deleted, await listIds(store), review, store.isPersistent, problems];""",
    )
    assert result == [[2], [2, 1], {"position": "6x7:44"}, False, ["storage_denied"]]


def test_full_storage(browser: Browser, server: Server) -> None:
    """With the browser's real limit: the game goes on in memory, and is stored when there is room again."""
    with browser.new_context() as context:
        tab = context.new_page()
        tab.goto(f"{server.address}/{EMPTY_PAGE}")
        session = context.new_cdp_session(tab)
        session.send("Storage.overrideQuotaForOrigin", {"origin": server.address, "quotaSize": 1000})
        tab.evaluate(PREPARE)
        run(tab, "for (const number of [1, 2, 3]) await store.save(createGame(number))")
        run(tab, "await store.saveReview(createGame(2).id, { position: '6x7:44' })")
        run(tab, "await store.delete(createGame(3).id)")
        state = "[await listIds(store), store.isPersistent, problems, (await store.find(createGame(2).id)).review]"
        assert run(tab, f"return {state}") == [[2, 1], False, ["storage_full"], {"position": "6x7:44"}]
        session.send("Storage.overrideQuotaForOrigin", {"origin": server.address})
        run(tab, "await store.save(createGame(4))")
        assert run(tab, f"return {state}") == [[4, 2, 1], True, ["storage_full", None], {"position": "6x7:44"}]
        reload(tab)
        assert run(tab, f"return {state}") == [[4, 2, 1], True, [], {"position": "6x7:44"}]


def test_storage_with_room_for_some_games(tab: Page) -> None:
    """A change that is stored succeeds, even if there is no room for another game that waits in memory."""
    result = run(
        tab,
        """const [small, large] = [createGame(1), createGame(2)];
        const update = store.database.update.bind(store.database);
        store.database.update = (id, change) => {
          if (id === large.id) return Promise.reject(new DOMException("full", "QuotaExceededError"));
          return update(id, change);
        };
        await store.save(large);
        await store.save(small);
        const before = await listIds(store);
        await store.delete(small.id);
        return [before, await listIds(store), store.isPersistent, problems];""",
    )
    assert result == [[2, 1], [2], False, ["storage_full"]]
