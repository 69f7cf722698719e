"""One ply ahead: the legal moves from a stage that the board shows, alone or beside others.

Where men have no names, several captures and promotions fit one placement; what each asks to
believe is weighed by which squares were seen empty, and when.
"""

import math
from typing import NamedTuple

import chess

from bridge.core.inference.hypotheses import (
    HOPELESS,
    LOYALTY,
    PROMOTION,
    TOGETHER,
    UNSEEN_CAPTURE,
    Node,
    Stage,
    likeliest,
    unseen_capture,
)
from bridge.core.inference.placement import BIT, EMPTY, changes_of, lands_on, occupied, reach
from bridge.core.inference.position import Position
from bridge.core.inference.sight import Sight
from bridge.core.inference.timing import lasted
from drivers.events import UNNAMED

SLID_THERE = 3.0
"""A square on the way to the victim showed a man for a moment."""
CARRIED_OFF = 3.0
"""So did a square beside the victim's."""
SEEN_ON_BOTH = 0.6
"""So long (s) a man may be shown on two squares that do not touch, by slow scans."""
SEEN_ELSEWHERE = 2.5
"""Another victim's square was seen empty, and this one's was not."""
TAKEN_UP_THERE = 1.5
"""The other victim was not away for a moment only: so much more."""
OUT_OF_REACH = 4.0
"""Another man was away until the taker had left, who is out of his reach: he rather took him."""
LIFTED = 0.2
"""A man who was away for so long (s) was taken up; his square did not just flicker."""
LAIN_ACROSS = 1.0
"""So long (s) a man with a name may be shown where he comes from beside where he goes."""
A_MOMENT = 1.0
"""For less than this (s) who comes by is seen on a square."""
NO_ANSWER = 0.6
"""What was done so long (s) before a move was begun does not answer it."""
OTHER_VICTIM = 1.5
"""Several victims' squares were seen empty; this was not the first to be filled again."""


class _Choice(NamedTuple):
    """A move that fits what is seen, from *node*.

    ``unseen``: nothing but a man that left its square; ``taken``: its victim's square was empty.
    """

    node: Node
    move: chess.Move
    cost: float
    unseen: bool
    taken: bool = False

    def ply(self) -> Node:
        """Return the ply that it makes."""
        made = self.node.then(self.move)
        made.cost += self.cost
        return made


def next_stage(stage: Stage, sight: Sight) -> Stage | None:
    """Return the stage one ply after *stage* that *sight* shows now, if there is one."""
    mask = sight.differs(stage.shown)
    if not mask:
        return None
    nodes, unseen = [], True
    if len(stage.nodes) > 1 and stage.best.position.sensing == "identity":
        choices = _choices_of_unseen(stage, sight)
    else:
        choices = _choices_of(stage.nodes, sight, mask, stage.since)
    for choice in choices:
        child = choice.ply()
        if child.cost <= stage.best.cost + HOPELESS:
            unseen = unseen and choice.unseen
            nodes.append(child)
    if not nodes:
        return None
    ahead = Stage(_loyal(nodes, stage.best), mask, 0.0)
    # A capture may look the same on its target, which changed too.
    ahead.since = sight.last_change(mask | ahead.best.target)
    ahead.weak = unseen
    return None if made_before(stage, ahead, sight) else ahead


def _loyal(nodes: list[Node], best: Node) -> list[Node]:
    """Return the *nodes* worth keeping, first the one from *best*, if others are hardly likelier.

    Nor is another one kept then that comes to the same position: nothing that follows tells them
    apart, as when a man is taken whom a pawn has become.
    """
    loyal = (node for node in nodes if node.parent is best)
    told = min(loyal, key=lambda node: node.cost, default=None)
    if told is None or told.cost > min(node.cost for node in nodes) + LOYALTY:
        return likeliest(nodes)
    there = told.position.key
    kept = [node for node in nodes if node.parent is best or node.position.key != there]
    return [told, *(node for node in likeliest(kept) if node is not told)]


def stage_beside(stage: Stage, sight: Sight) -> Stage | None:
    """Return the stage one ply after *stage* that its mover's men show, whatever others show.

    His men must all be in place; those of his opponent may be in the air or on other squares.
    """
    position = stage.best.position
    mask = sight.differs(stage.shown)
    mine = side_of(mask, position, sight.shown, position.board.turn)
    if mine.bit_count() < 2:
        return None
    moves = position.moves_shown(sight.shown, mine, sight.excused) if mine != mask else []
    if not moves and position.board.ep_square is not None and mine != mask:
        mine |= mask & BIT[passed(position.board, position.board.ep_square)]
        moves = position.moves_shown(sight.shown, mine, sight.excused)
    if position.sensing != "identity":
        moves = [
            move for move in moves if not (mine & BIT[move.to_square] and came_first(sight, move))
        ]
        if not moves:
            mine, moves = _alone(position, sight, mine)
    misread = 0
    if not moves and mine.bit_count() == 2:
        moves = _misread_move(position, sight, mine)
        misread = sum(BIT[move.to_square] for move in moves)
    if len(moves) != 1:
        return None
    if position.sensing == "identity" and _lay_across(sight, position.board, moves[0], stage.since):
        return None
    node = stage.best.then(moves[0])
    nodes = likeliest([node, *_rivals_beside(stage, sight, mine, node)])
    beside = Stage(nodes, mine, sight.last_change(mine | nodes[0].target))
    beside.misread = misread
    return None if made_before(stage, beside, sight) else beside


def capture_beside(stage: Stage, sight: Sight) -> Stage | None:
    """Return the stage one ply after *stage* by a capture that was seen, whatever others show.

    Where men have no names: one man of the mover has left, and somebody was taken off whom he may
    take.
    """
    position = stage.best.position
    left = position.lifted(sight.shown, sight.differs(stage.shown), position.board.turn)
    if left.bit_count() != 1:
        return None
    choices = _choices_of(stage.nodes, sight, left, stage.since)
    nodes = likeliest([choice.ply() for choice in choices if choice.taken])
    if not nodes:
        return None
    return Stage(nodes, left, sight.last_change(left | nodes[0].target))


def made_before(stage: Stage, answer: Stage, sight: Sight) -> bool:
    """Whether *answer* stood for some time before the move of *stage* was begun.

    It is no answer then, but a second move of its player, made in the turn of the one before; until
    the player of *stage* moves again, who took it for the answer.
    """
    squares, before, position = stage.mask, stage.best.parent, stage.best.position
    if not squares or before is None:
        return False
    if others_elsewhere(position, sight, sight.differs(stage.shown) & ~answer.mask):
        return False
    turned = -math.inf if before.parent is None else before.parent.since
    began = min(stage.since, sight.first_change(squares))
    return turned < answer.since < began - NO_ANSWER


def others_elsewhere(position: Position, sight: Sight, squares: int) -> int:
    """Return how many men of the player not to move *squares* show to have gone elsewhere."""
    left = position.lifted(sight.shown, squares, not position.board.turn)
    came = side_of(squares, position, sight.shown, not position.board.turn) & ~left
    return min(left.bit_count(), came.bit_count())


def _alone(position: Position, sight: Sight, mask: int) -> tuple[int, list[chess.Move]]:
    """Return the squares and the moves of one man of the mover who left a square of *mask*.

    So may king and rook have who castled. The other men that came to stand may be his opponent's.
    """
    left = mask & position.board.occupied_co[position.board.turn]
    found = [
        (squares, move)
        for squares in (
            *(left | BIT[square] for square in chess.scan_forward(mask & ~left)),
            *(each for each in _castlings(position, left) if not each & ~mask),
        )
        for move in position.moves_shown(sight.shown, squares, sight.excused)
        if not came_first(sight, move)
    ]
    return (found[0][0], [move for _, move in found]) if found else (mask, [])


def _castlings(position: Position, left: int) -> list[int]:
    """Return which squares each castling would change by which all squares of *left* are left."""
    changes = [position.change(move) for move in position.board.generate_castling_moves(left)]
    return [each for each in changes if each & left == left]


def _rivals_beside(stage: Stage, sight: Sight, mine: int, node: Node) -> list[Node]:
    """Return the plies of the other readings of *stage* that look the same as *node*."""
    choices = _choices_of(stage.nodes[1:], sight, mine, stage.since)
    plies = (choice.ply() for choice in choices)
    return [ply for ply in plies if ply.position.shown == node.position.shown]


def _misread_move(position: Position, sight: Sight, mask: int) -> list[chess.Move]:
    """Return the legal move of a man that is read as another one of its colour where it stands.

    Who stood there long before he left is somebody else; a king is rather about to castle.
    """
    shown = sight.shown
    if position.sensing != "identity":
        return []
    origin, target = chess.lsb(mask), chess.msb(mask)
    if shown[origin] != EMPTY:
        origin, target = target, origin
    man, there = position.cells[origin], shown[target]
    if shown[origin] != EMPTY or not there.isalpha() or man.isupper() != there.isupper():
        return []
    if there in "Kk" and position.board.castling_rights & BIT[origin]:
        return []
    move = chess.Move(origin, target)
    board = position.board
    plain = board.is_legal(move) and not board.is_castling(move) and not board.is_en_passant(move)
    return [move] if plain and man != there and not came_first(sight, move) else []


def passed(board: chess.Board, ep_square: chess.Square) -> chess.Square:
    """Return the square of the pawn that can be taken en passant."""
    return ep_square - 8 if board.turn else ep_square + 8


def goes_back(board: chess.Board, origin: chess.Square, target: chess.Square) -> bool:
    """Whether a pawn of the player to move went back along its file."""
    if board.piece_type_at(origin) != chess.PAWN:
        return False
    back = origin > target if board.turn else origin < target
    return back and chess.square_file(origin) == chess.square_file(target)


def side_of(mask: int, position: Position, shown: str, colour: chess.Color) -> int:
    """Return the squares of *mask* that men of *colour* have left or on which they stand now.

    Where men have no colour, one that arrived may be anybody's, but not where a man stood already:
    that one is only not recognised.
    """
    own, theirs = position.board.occupied_co[colour], position.board.occupied_co[not colour]
    left = came = 0
    for square in chess.scan_forward(mask):
        letter = shown[square]
        if letter == EMPTY:
            left |= BIT[square] & own
        elif letter == UNNAMED:
            came |= BIT[square] & ~theirs
        elif letter.isupper() == colour:
            came |= BIT[square]
    return left | came


def _choices_of(nodes: list[Node], sight: Sight, mask: int, since: float) -> list[_Choice]:
    """Return the legal moves from *nodes* that the board shows, and what each asks to believe.

    ``since``: when their position was complete; squares emptied later belong to the move.
    """
    choices = [choice for node in nodes for choice in _choices(node, sight, mask, since)]
    taken = [choice.move.to_square for choice in choices if choice.taken]
    if not taken:
        return choices
    cost = SEEN_ELSEWHERE
    cost += TAKEN_UP_THERE * any(sight.vacant[square] >= LIFTED for square in taken)
    return [
        choice._replace(cost=choice.cost + cost) if choice.unseen else choice for choice in choices
    ]


def _choices_of_unseen(stage: Stage, sight: Sight) -> list[_Choice]:
    """Return the choices where a man with a name may have stood on several squares.

    None of them showed him, but one of them may have come to see: so each of them is asked. He came
    from the one that showed him for a moment, or on the way from which he was shown.
    """
    choices = [
        choice
        for node in stage.nodes
        for choice in _choices(node, sight, sight.differs(node.position.shown), stage.since)
    ]
    seen = [_was_shown_coming(choice, sight, stage.since) for choice in choices]
    if all(seen) or not any(seen):
        return choices
    return [
        choice if came else choice._replace(cost=choice.cost + SLID_THERE)
        for choice, came in zip(choices, seen, strict=True)
    ]


def _was_shown_coming(choice: _Choice, sight: Sight, since: float) -> bool:
    """Whether its man was shown after *since* where he came from, or between there and his goal."""
    origin, target = choice.move.from_square, choice.move.to_square
    way = chess.between(origin, target) | BIT[origin]
    return sight.left_by(choice.node.position.cells[origin], way, since) > 0


def _choices(node: Node, sight: Sight, mask: int, since: float) -> list[_Choice]:
    position = node.position
    moves = position.moves_shown(sight.shown, mask, sight.excused)
    if position.sensing == "identity":
        board, excused = position.board, sight.excused
        return [
            _Choice(node, move, 0.0, bool(excused & BIT[lands_on(board, move)]))
            for move in _as_promoted(board, moves, sight)
            if not _lay_across(sight, board, move, since)
        ]
    return _by_occupancy(node, moves, mask, sight, since)


def _as_promoted(board: chess.Board, moves: list[chess.Move], sight: Sight) -> list[chess.Move]:
    """Return the promotions among *moves* to the man that is shown, if there is one, or all.

    Its square need not be believed, as when the new man was put there before the pawn was removed.
    """
    shown = [
        move
        for move in moves
        if move.promotion
        and sight.shown[move.to_square] == chess.Piece(move.promotion, board.turn).symbol()
    ]
    return shown or moves


def _lay_across(sight: Sight, board: chess.Board, move: chess.Move, since: float) -> bool:
    """Whether the man of *move* was shown on both squares long before, and now only on one.

    He did not go then: he stood there before the opponent's move, and was read on both. Where
    the squares do not touch, they were two men.
    """
    origin, target = move.from_square, lands_on(board, move)
    if sight.excused & BIT[target]:
        return False
    came, left = sight.changed[target], sight.changed[origin]
    if chess.square_distance(origin, target) > 1 and came < left - SEEN_ON_BOTH:
        return True
    return came < min(since, left) - LAIN_ACROSS


def came_first(sight: Sight, move: chess.Move) -> bool:
    """Whether somebody stood where *move* leads before its man left: it was another one.

    A man who goes to the next square may be shown on both for a while, and any man from one scan
    to the next, which takes no longer than what was told quickest.
    """
    near = chess.square_distance(move.from_square, move.to_square) == 1
    scan = min(max(TOGETHER, min(sight.quickest, sight.pause)), SEEN_ON_BOTH)
    left = sight.changed[move.from_square]
    return sight.changed[move.to_square] < left - (LAIN_ACROSS if near else scan)


def took_there(position: Position, sight: Sight, origin: chess.Square, since: float) -> bool:
    """Whether the man who left *origin* seems to have taken somebody who stood where one stands.

    A man of the opponent was taken up there since *since*, and one stands there again since the
    first had left.
    """
    board = position.board
    theirs = board.occupied_co[not board.turn] & occupied(sight.shown)
    captures = board.generate_legal_moves(BIT[origin], sight.emptied_since(theirs, since))
    return any(
        sight.vacant[move.to_square] >= LIFTED and _took(sight, move, since) for move in captures
    )


def _by_occupancy(
    node: Node, moves: list[chess.Move], mask: int, sight: Sight, since: float
) -> list[_Choice]:
    """Weigh moves between which occupancy cannot tell: victims and promotions."""
    position = node.position
    captures = {
        move for move in moves if position.board.is_capture(move) and not mask & BIT[move.to_square]
    }
    taken = {move: sight.changed[move.to_square] for move in captures if _took(sight, move, since)}
    first = min(taken.values(), default=math.inf)
    castled = _exchanged_by_castling(position, moves)
    seen = {move for move in castled if _were_exchanged(sight, castled[move], mask, since)}
    flashed = _flashed(position, sight, since) if captures else 0
    weighed = []
    for move in moves:
        if mask & BIT[move.to_square] and move not in castled and came_first(sight, move):
            continue
        cost, unseen = PROMOTION[move.promotion], move in captures and move not in taken
        if unseen:
            cost += unseen_capture(position, move) - _traced(move, flashed)
            if not taken and _took_another(position, move, sight, since):
                cost += OUT_OF_REACH
        elif taken.get(move, first) > first:
            cost += OTHER_VICTIM
        if move not in seen:
            cost += UNSEEN_CAPTURE if move in castled else SEEN_ELSEWHERE if seen else 0.0
        weighed.append(_Choice(node, move, cost, unseen, move in taken))
    return weighed


def _exchanged_by_castling(
    position: Position, moves: list[chess.Move]
) -> dict[chess.Move, chess.Bitboard]:
    """Return the castlings among *moves* of Chess960 in which one man takes the other's square.

    With them the squares that show a man before and after, as one step of the other does.
    """
    board = position.board
    if not board.chess960:
        return {}
    castled = {}
    for move in moves:
        if board.is_castling(move):
            squares = sum(BIT[at] for at, letter in changes_of(board, move) if letter != EMPTY)
            kept = squares & board.occupied
            if kept:
                castled[move] = kept
    return castled


def _were_exchanged(sight: Sight, squares: int, mask: int, since: float) -> bool:
    """Whether one of *squares* was emptied, and filled when those of *mask* that are empty were."""
    left = sight.last_change(mask & ~occupied(sight.shown))
    again = chess.scan_forward(sight.emptied_since(squares, since))
    return any(sight.changed[square] > left - TOGETHER for square in again)


def _took(sight: Sight, move: chess.Move, since: float) -> bool:
    """Whether the square where *move* leads was empty after *since*, until its man had left."""
    target, left = move.to_square, _left_at(sight, move, since)
    return sight.emptied[target] > since and sight.changed[target] > left - TOGETHER


def _left_at(sight: Sight, move: chess.Move, since: float) -> float:
    """Return when the man of *move* left, after *since*.

    Who was seen for a moment where he came from, after the victim was taken up and before the man
    came to stand there, was the victim, put down on the other one's square.
    """
    origin, target = move.from_square, move.to_square
    left, rested = sight.changed[origin], sight.rested[origin]
    put_down = left - rested
    first = put_down - sight.vacant[origin]
    before = lasted(sight.emptied[target], put_down)
    after = lasted(sight.changed[target], put_down)
    exchanged = before >= -TOGETHER and after <= TOGETHER
    moment = round(rested, 6) < A_MOMENT and lasted(since, first) > 0
    return first if exchanged and moment else left


def _took_another(position: Position, move: chess.Move, sight: Sight, since: float) -> bool:
    """Whether the man of *move* rather took one out of reach, who was away until he had left.

    He may go that way, but somebody is between them, or his king would be in check.
    """
    board, origin = position.board, move.from_square
    way = reach(position.cells[origin], origin)
    theirs = board.occupied_co[not board.turn] & occupied(sight.shown) & way
    return any(
        sight.vacant[square] >= LIFTED and _took(sight, chess.Move(origin, square), since)
        for square in chess.scan_forward(sight.emptied_since(theirs, since))
        if not any(board.generate_legal_moves(BIT[origin], BIT[square]))
    )


def come_and_gone(position: Position, sight: Sight, since: float) -> int:
    """Return the squares that are empty as in *position*, but showed a man until after *since*."""
    empty = ~position.board.occupied & ~occupied(sight.shown) & chess.BB_ALL
    return sight.emptied_since(empty, since)


def _flashed(position: Position, sight: Sight, since: float) -> int:
    """Return those of these squares that showed him only for a moment."""
    gone = chess.scan_forward(come_and_gone(position, sight, since))
    return sum(BIT[square] for square in gone if sight.rested[square] < A_MOMENT)


def _traced(capture: chess.Move, flashed: int) -> float:
    """Return what squares that flashed say for *capture*: its man slid, or its victim went off."""
    if flashed & chess.between(capture.from_square, capture.to_square):
        return SLID_THERE
    return CARRIED_OFF if flashed & chess.BB_KING_ATTACKS[capture.to_square] else 0.0


def stands_elsewhere(stage: Stage, sight: Sight, came: int, left: int) -> bool:
    """Whether one who *came* is rather the man of *stage*, who is seen nowhere.

    He may go there, and nobody of the opponent who has *left* may, or had left before.
    """
    changed, emptied = sight.changed, [sight.emptied[each] for each in chess.scan_forward(left)]
    mine = any(
        stage.might_lead(square) and not any(at < changed[square] for at in emptied)
        for square in chess.scan_forward(came)
    )
    return mine and not any(stage.best.position.board.generate_legal_moves(left, came))
