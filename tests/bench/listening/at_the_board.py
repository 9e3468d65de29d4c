"""What is said: announcements of legal moves from games that were played, sentences, and talk about chess."""

from __future__ import annotations

import os
import random
from pathlib import Path

import chess
import msgspec

from server.game.state.line import resolve
from server.wording.words import announcement_of
from speech.announcements.announce import announce
from speech.announcements.understand import understand
from speech.words.language import COMMANDS
from speech.words.loading import load_scheme

REPO = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("ANNA_EINS_SHARED", REPO.parent / "shared"))
if not SHARED.is_dir():  # a worktree that lies one folder deeper
    SHARED = REPO.parent.parent / "shared"

Words = tuple[str, ...]


class Announced(msgspec.Struct, frozen=True):
    """Words, a position (FEN) in which they are a legal move, and one in which they mean none."""

    words: Words
    legal: str
    illegal: str


def meant_in(words: Words, board: chess.Board) -> str | None:
    """The legal move (UCI) that a chain of words becomes in a position, None where it becomes none."""
    said = understand(words).said
    if said is None or (said.castling is None and said.from_square == said.to_square):
        return None
    uci = resolve(announcement_of(said), board).uci
    return uci if uci is not None and chess.Move.from_uci(uci) in board.legal_moves else None


def announcements_of_games(count: int, seed: int) -> list[Announced]:
    """Legal moves of every kind of piece alike, as players say them: most short, a fourth with the departure square."""
    chance = random.Random(seed)
    scheme = load_scheme("d21", "de")
    boards = _positions(chance, 400)
    found: list[Announced] = []
    while len(found) < count:
        board = chance.choice(boards)
        kinds: dict[object, list[chess.Move]] = {}
        for move in board.legal_moves:
            if not board.is_en_passant(move):
                kind = "castling" if board.is_castling(move) else board.piece_type_at(move.from_square)
                kinds.setdefault("promotion" if move.promotion else kind, []).append(move)
        move = chance.choice(kinds[chance.choice(sorted(kinds, key=str))])
        words = [token.id for token in announce(board, move, scheme)]
        ranks = sum(word.startswith("rank.") for word in words)
        if ranks == 1 and words[0].startswith("piece.") and chance.random() < 0.25:
            words[1:1] = scheme.square(chess.square_name(move.from_square))
        said = tuple(words)
        elsewhere = chance.choice(boards)
        if meant_in(said, board) == move.uci() and meant_in(said, elsewhere) is None:
            found.append(Announced(said, board.fen(), elsewhere.fen()))
    return found


def _positions(chance: random.Random, count: int) -> list[chess.Board]:
    games = (SHARED / "data" / "games" / "real-games.san").read_text("utf-8").splitlines()
    found: list[chess.Board] = []
    while len(found) < count:
        board = chess.Board()
        moves = chance.choice(games).split()
        for san in moves[: chance.randrange(len(moves))]:
            board.push_san(san)
        if not board.is_game_over():
            found.append(board)
    return found


def legal_chains(board: chess.Board) -> list[Words]:
    """Every way to say each legal move: with and without piece (a pawn's), departure square and "takes"."""
    scheme = load_scheme("d21", "de")
    found: list[Words] = []
    for move in board.legal_moves:
        full = [token.id for token in announce(board, move, scheme)]
        if full[0].startswith("castle."):
            found.append(tuple(full))
            continue
        promotion = [full[-1]] if move.promotion else []
        arrival = list(scheme.square(chess.square_name(move.to_square)))
        departure = list(scheme.square(chess.square_name(move.from_square)))
        for piece in ([full[0]], []) if full[0] == "piece.pawn" else ([full[0]],):
            for start in (departure, []):
                for takes in (["word.takes"], []) if board.is_capture(move) else ([],):
                    found.append((*piece, *start, *takes, *arrival, *promotion))
    return list(dict.fromkeys(found))


COMMAND_CHAINS: tuple[Words, ...] = tuple((f"cmd.{name}",) for name in COMMANDS)

# Said in a playing hall with the key held by mistake. None of these fitted the confidence.
SENTENCES = (
    "Guten Abend, schön dass Sie da sind.",
    "Das Buffet ist ab sieben Uhr geöffnet.",
    "Könnten Sie mir bitte meine Jacke bringen?",
    "Unser Bus fährt erst um halb neun zurück.",
    "Ich war im Sommer vier Wochen in Italien.",
    "Wer hat eigentlich die Heizung abgestellt?",
    "Der zweite Platz ist doch auch nicht schlecht.",
    "Am Dienstag treffen wir uns wieder im Verein.",
    "Meine Tochter studiert jetzt in Leipzig.",
    "Haben Sie den Artikel in der Zeitung gelesen?",
    "Das Licht hier ist viel zu hell.",
    "Danke, das war sehr freundlich von Ihnen.",
    "Entschuldigung, ist hier noch frei?",
    "Mir ist heute ein bisschen kalt.",
    "Wann fängt die nächste Runde an?",
    "Mein Mann holt mich um acht Uhr ab.",
    "Gibt es hier irgendwo einen Kaffee?",
    "Die Toiletten sind unten links.",
    "Ich habe gestern schlecht geschlafen.",
    "Können wir das Fenster zumachen?",
    "Anna ist heute leider krank.",
    "Felix und Eva kommen später.",
    "Ja, das weiß ich auch nicht.",
    "Mein Telefon ist ausgeschaltet.",
    "Wo haben Sie denn so gut spielen gelernt?",
    "Vielleicht regnet es morgen nicht mehr.",
    "Das war eine schöne Partie.",
    "Wie spät ist es denn jetzt?",
    "Ach, wie ärgerlich.",
    "Hm, hm, na ja, mal sehen.",
)
NAMED_TALK = (
    "Eva ist sieben Jahre alt",
    "Bella kommt um drei",
    "Anna hat fünf Brüder",
    "Gustav isst vier Brötchen",
    "David wohnt im Haus acht",
    "Felix kostet sechs Euro Eintritt",
    "Cäsar starb vor über zwei Jahrtausenden",
    "Hektor wiegt acht Kilo",
    "Der Turm hat sieben Glocken",
    "Die Dame bestellt zwei Kaffee",
    "Anna, komm bitte um sechs vorbei",
    "Der Läufer lief drei Runden",
    "Bella und David haben vier Katzen",
    "Eva zieht am zwei und zwanzigsten um",
    "Springer verkauft fünf Zeitungen",
)
"""Talk with names of files and pieces and numbers in it; none of it is said where curves are fitted."""
CHESS_TALK = (
    "Der Springer auf Gustav eins steht schlecht.",
    "Ich hätte die Dame nach David vier ziehen sollen.",
    "Wenn er auf Eva fünf schlägt, nehme ich zurück.",
    "Der Läufer auf Cesar vier gefällt mir.",
    "Hector acht ist ein gutes Feld für den Turm.",
    "Was mache ich nur gegen den Bauern auf Anna sieben?",
)
ENGLISH_SENTENCES = (
    "Good evening, how are you today?",
    "The next round starts at seven.",
    "Could you close the window, please?",
    "I did not see that coming at all.",
    "My train leaves in half an hour.",
    "Where can I find the arbiter?",
    "It is rather cold in here.",
    "She has played very well this week.",
    "Would you like some coffee?",
    "I think we should go home now.",
)
