"""`limina analyze`: a game looked back at, turn by turn; or many games, a line each."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from limina.cli.analyze_archive import analyze_all, names_in
from limina.cli.commands.par import in_words
from limina.cli.progress import ProgressBar
from limina.cli.record_files import check_player, read_record
from limina.core.validation import pluralize, printable
from limina.errors import LiminaError

if TYPE_CHECKING:
    from limina.analysis import Summary, TurnReview
    from limina.core.record import Record

MOST = {"work": 10**9, "jobs": 1024}


def add(commands: Any) -> None:
    """Add the command's arguments."""
    parser = commands.add_parser(
        "analyze",
        help="look back at a game: what each turn was worth, what was better and why",
        epilog="example: limina analyze game.json --level master",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a record or a folder of them; - is standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a record")
    parser.add_argument("--level", metavar="BOT", help="the bot that thinks (default: what takes seconds)")
    parser.add_argument("--work", type=int, metavar="N", help="how much it thinks about a turn: rollouts or nodes")
    parser.add_argument("--player", type=int, metavar="N", help="only this player's turns, from 0")
    parser.add_argument(
        "--jobs",
        type=int,
        default=2,
        metavar="J",
        help="turns looked at at the same time (default 2); of several records, so many of them",
    )
    parser.add_argument("--ray", metavar="ADDRESS", help="review on the Ray cluster there; `local` starts one here")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Review the record; in a text, each turn is printed as soon as it is known. Of several, each has a line."""
    for name in ("work", "jobs"):
        value = getattr(arguments, name)
        if value is not None and not 1 <= value <= MOST[name]:
            raise LiminaError(f"--{name} must be from 1 to {MOST[name]}")
    names = names_in(arguments.files)
    if arguments.ray is None and names == arguments.files and len(names) == 1:
        _analyze_one(names[0], arguments)
    else:
        analyze_all(names, arguments)


def _analyze_one(name: str, arguments: argparse.Namespace) -> None:
    from limina.analysis import Summary, analyze
    from limina.analysis.archive import resolve_level
    from limina.analysis.summary import find_par

    record = read_record(name)
    if arguments.player is not None:
        check_player(name, record, arguments.player)
    steps = [step for step in record.steps if step.player is not None and arguments.player in (None, step.player)]
    turns: list[TurnReview] = []
    wide = max((len(step.text) for step in steps), default=0)
    named = max(len(printable(name)) for name in record.names) if len(record.names) > 1 else 0
    with ProgressBar("turns") as bar:
        reviews = analyze(
            record,
            level=resolve_level(record.game, arguments.level),
            max_work=arguments.work,
            threads=arguments.jobs,
            player=arguments.player,
        )
        for review in reviews:
            turns.append(review)
            if not arguments.json:
                bar.clear()
                print(_line(record, review, wide, named), flush=True)
            bar.show(len(turns), len(steps))
        par = find_par(record)
    summary = Summary(record, turns, par)
    print(json.dumps(summary.to_json()) if arguments.json else _end(summary))


def _line(record: Record, review: TurnReview, wide: int, named: int) -> str:
    from limina.analysis.summary import value_text

    percent = record.game.spec.scale.is_probability
    name = f"{printable(record.names[review.player]).ljust(named)} " if named else ""
    before, after = (value_text(value, percent=percent) for value in (review.before, review.after))
    said = f"{review.number:3} {name}{review.played.ljust(wide)} {review.mark:2} {after:>5}"
    if review.lost > (0.005 if percent else 0.05):
        said += f"  best {review.best}: {before} ({_lost(review.lost, percent=percent)} given away)"
    return "\n".join([said.rstrip(), *(f"      {why}" for why in review.reasons)])


def _lost(value: float, *, percent: bool) -> str:
    return f"{100 * value:.0f}%" if percent else f"{value:.1f} points"


def _end(summary: Summary) -> str:
    from limina.analysis.summary import draw

    record, parts = summary.record, []
    unit = "chance to win" if record.game.spec.scale.is_probability else "expected points"
    for player, name in enumerate(record.names):
        accuracy, values = summary.accuracy(player), summary.graph(player)
        if accuracy is None or not values:
            continue
        marks = {"?": "mistake", "??": "blunder"}
        counts = [f"{summary.marks(player, '!')} brilliant"]
        counts += [pluralize(summary.marks(player, mark), word) for mark, word in marks.items()]
        parts.append(f"\n{printable(name)}: accuracy {accuracy:.1f}%, {', '.join(counts)}; {unit}:")
        parts.append(draw(values, percent=record.game.spec.scale.is_probability))
    if summary.par is not None:
        parts.append(f"\nThe par of this deal, with all chance known in advance: {in_words(summary.par)}")
    return "\n".join(parts).lstrip("\n") if parts else "There is no turn to look at."
