"""Plays a game between you and the engine in the terminal. You have X and move first.

Run it with:

    python examples/play_in_ten_lines.py
"""

from fourfall import Board, Engine, Limit

board, engine = Board(6, 7), Engine("fourfall")
while not board.is_over:
    print(board)
    text = input("Your column (1 to 7): ")
    if text.isdecimal() and int(text) - 1 in board.legal_moves:
        board.push(int(text) - 1)
        if not board.is_over:
            board.push(engine.play(board, Limit(simulations=400)))
print(board, board.outcome(), sep="\n")
