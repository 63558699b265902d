"""`limina analyze`: review a game turn by turn, or many games with a line for each."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from limina.cli.analyze_archive import analyze_all, expand_folders
from limina.cli.commands.par import par_text
from limina.cli.progress import ProgressBar
from limina.cli.record_files import check_player, read_record
from limina.core.validation import pluralize, printable
from limina.errors import LiminaError

if TYPE_CHECKING:
    from limina.analysis import ReviewSummary, TurnReview
    from limina.core.record import Record

MAX_VALUES = {"work": 10**9, "jobs": 1024}


def add(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "analyze",
        help="review a game: the value of each turn, better turns and why",
        epilog="example: limina analyze game.json --level master",
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a record or a folder of them; - is standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each record")
    parser.add_argument("--level", metavar="BOT", help="the bot that evaluates turns (default: one that takes seconds)")
    parser.add_argument("--work", type=int, metavar="N", help="rollouts or nodes for each turn")
    parser.add_argument("--player", type=int, metavar="N", help="only this player's turns, from 0")
    parser.add_argument(
        "--jobs",
        type=int,
        default=2,
        metavar="J",
        help="turns that are reviewed at the same time (default 2), or records if there are several",
    )
    parser.add_argument("--ray", metavar="ADDRESS", help="review on a Ray cluster; `local` starts one here")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Review a record and print each turn as soon as it is reviewed, or review several with a line for each."""
    for name in ("work", "jobs"):
        value = getattr(arguments, name)
        if value is not None and not 1 <= value <= MAX_VALUES[name]:
            raise LiminaError(f"--{name} must be from 1 to {MAX_VALUES[name]}")
    names = expand_folders(arguments.files)
    if arguments.ray is None and names == arguments.files and len(names) == 1:
        _analyze_one(names[0], arguments)
    else:
        analyze_all(names, arguments)


def _analyze_one(name: str, arguments: argparse.Namespace) -> None:
    from limina.analysis import ReviewSummary, analyze
    from limina.analysis.archive import resolve_level
    from limina.analysis.summary import find_par

    record = read_record(name)
    if arguments.player is not None:
        check_player(name, record, arguments.player)
    steps = [step for step in record.steps if step.player is not None and arguments.player in (None, step.player)]
    turns: list[TurnReview] = []
    turn_width = max((len(step.text) for step in steps), default=0)
    name_width = max(len(printable(name)) for name in record.names) if len(record.names) > 1 else 0
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
                print(_line(record, review, turn_width, name_width), flush=True)
            bar.show(len(turns), len(steps))
        par = find_par(record)
    summary = ReviewSummary(record, turns, par)
    print(json.dumps(summary.to_json()) if arguments.json else _summary_text(summary))


def _line(record: Record, review: TurnReview, turn_width: int, name_width: int) -> str:
    from limina.analysis.summary import value_text

    is_probability = record.game.spec.scale.is_probability
    name = f"{printable(record.names[review.player]).ljust(name_width)} " if name_width else ""
    before, after = (value_text(value, is_probability=is_probability) for value in (review.before, review.after))
    line = f"{review.number:3} {name}{review.played.ljust(turn_width)} {review.mark:2} {after:>5}"
    if review.loss > (0.005 if is_probability else 0.05):
        loss = _loss_text(review.loss, is_probability=is_probability)
        line += f"  best {review.best}: {before} ({loss} given away)"
    return "\n".join([line.rstrip(), *(f"      {reason}" for reason in review.reasons)])


def _loss_text(value: float, *, is_probability: bool) -> str:
    return f"{100 * value:.0f}%" if is_probability else f"{value:.1f} points"


def _summary_text(summary: ReviewSummary) -> str:
    from limina.analysis.summary import draw_graph

    record, parts = summary.record, []
    unit = "chance to win" if record.game.spec.scale.is_probability else "expected points"
    for player, name in enumerate(record.names):
        accuracy, values = summary.accuracy(player), summary.graph(player)
        if accuracy is None or not values:
            continue
        marks = {"?": "mistake", "??": "blunder"}
        counts = [f"{summary.count_marks(player, '!')} brilliant"]
        counts += [pluralize(summary.count_marks(player, mark), word) for mark, word in marks.items()]
        parts.append(f"\n{printable(name)}: accuracy {accuracy:.1f}%, {', '.join(counts)}; {unit}:")
        parts.append(draw_graph(values, is_probability=record.game.spec.scale.is_probability))
    if summary.par is not None:
        parts.append(f"\nPar of this deal, with all cards known in advance: {par_text(summary.par)}")
    return "\n".join(parts).lstrip("\n") if parts else "There is no turn to review."
