"""PHH, the poker hand history format of the University of Toronto (phh-std), written and read.

One TOML table a hand, in a file of many (`.phhs`) under a number each. Players are p1, p2 ... from
the left of the button, heads-up p1 is the big blind and the lists of antes and blinds are reversed.
What the format has no field for stands in fields of our own, which begin with an underscore as it
asks: the posts in their order and by their kind, the rake, why a hand was void, and of a case what
else it holds. A void hand is one whose actions end before it does, as the format allows, and whose
final stacks are those it began with.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, tzinfo
from decimal import Decimal
from typing import Any, Final

from cardroom.days import moment
from cli.cases import MOST, NO_CURRENCY, Case, CaseAction, CaseError, CasePost, parse_case
from cli.finished import Finished, finished_case
from cli.formats.amounts import decimal
from cli.formats.betting import Betting
from cli.record import unraked
from poker_engine.cards import join_cards
from poker_engine.events import Acted, BoardDealt, Mucked, Posted, Shown
from poker_engine.stakes import Game
from poker_engine.state import BOARD_CARDS, Do, Post, Street

VARIANTS: Final = {Game.NO_LIMIT: "NT", Game.FIXED_LIMIT: "FT"}
GAMES: Final = {code: game for game, code in VARIANTS.items()}
UNKNOWN: Final = "????"
CENTS: Final = 100
MOST_PLAYERS: Final = 10
HEADER: Final = re.compile(r"\[\s*[\"']?[\w.-]+[\"']?\s*\]")
"""Of a hand's own table, in a file of many."""


class PhhError(ValueError):
    """What is wrong with a hand, in one sentence."""


# Writing


def dump(hand: Finished, zone: tzinfo = UTC, zone_name: str = "UTC") -> str:
    """The hand as the fields of one TOML table, each on a line."""
    return _Writer(hand, zone, zone_name).text()


def dump_case(case: Case) -> str:
    """A case, so that `load` gives it back as it was."""
    hand = finished_case(case)
    more = {
        "_id": _quoted(case.id),
        "_source": _quoted(case.source),
        "_unit": _quoted(case.unit),
        "_tags": _list(map(_quoted, case.tags)),
        "_board": _quoted(join_cards(case.board)),
    }
    return _Writer(hand, UTC, "UTC", more).text()


class _Writer:
    def __init__(
        self, hand: Finished, zone: tzinfo, zone_name: str, more: Mapping[str, str] | None = None
    ) -> None:
        self._hand = hand
        self._zone, self._zone_name = zone, zone_name
        self._more = more
        self._betting = Betting(hand)
        self._actions: list[str] = []
        self._beyond_price = False
        """A call goes beyond the price as a reader sees it: a big blind was posted short."""

    def text(self) -> str:
        self._play()
        return "".join(f"{name} = {value}\n" for name, value in self._fields().items())

    # The actions

    def _play(self) -> None:
        hand, betting = self._hand, self._betting
        for number, player in enumerate(hand.players, start=1):
            cards = UNKNOWN if player.hole is None else join_cards(player.hole)
            self._actions.append(f"d dh p{number} {cards}")
        for step in hand.steps:
            if isinstance(step, Posted):
                betting.post(step)
        betting.begin(self._first())
        shown_up = False
        dealt = 0
        for step in hand.steps:
            if isinstance(step, Acted):
                self._act(step)
            elif isinstance(step, BoardDealt):
                self._check_through()
                if betting.closed_for_good and not shown_up:
                    self._show_down()
                    shown_up = True
                self._actions.append(f"d db {join_cards(step.cards)}")
                dealt += len(step.cards)
                betting.next_street()
        contested = sum(betting.live) > 1
        if hand.void is None:
            self._check_through()
            if contested and not shown_up:
                self._show_down()
        else:
            contested = shown_up
            self._actions.append("# void: every chip goes back where it came from")
        self._show_more(contested)

    def _first(self) -> int:
        """After the last of those who put in most; a late post does not move the first turn."""
        late = {
            self._betting.place[step.seat]
            for step in self._hand.steps
            if isinstance(step, Posted) and step.post is Post.LIVE
        }
        bets = [0 if place in late else bet for place, bet in enumerate(self._betting.bets)]
        most = max(range(len(bets)), key=lambda place: (bets[place], place))
        return (most + 1) % len(bets)

    def _act(self, step: Acted) -> None:
        betting = self._betting
        place = betting.place[step.seat]
        while betting.waiting and betting.waiting[0] != place:
            self._nothing_to_decide(betting.waiting[0])
        name = f"p{place + 1}"
        if not betting.waiting:
            # A reader has ended the betting: the action changes nothing, and is kept as a remark.
            words = f"{name} {step.do}"
            self._actions.append(
                f"# {words} to {self._amount(step.to)}" if step.to else f"# {words}"
            )
            return
        if step.do is Do.FOLD:
            betting.fold(place)
            self._actions.append(f"{name} f")
        elif step.do is Do.CHECK:
            betting.stay(place)
            self._actions.append(f"{name} cc")
        elif step.do is Do.CALL and betting.bets[place] + step.paid <= betting.price:
            betting.stay(place, step.paid)
            self._actions.append(f"{name} cc")
        elif betting.matched_by_all(place):
            remark = f"{step.do} to {self._amount(step.to)}"
            betting.stay(place, max(0, betting.price - betting.bets[place]))
            self._actions.append(f"{name} cc # {remark}")
        else:
            self._beyond_price |= step.do is Do.CALL
            betting.push(place, step.paid)
            self._actions.append(f"{name} cbr {self._amount(step.to)}")

    def _check_through(self) -> None:
        while self._betting.open:
            self._nothing_to_decide(self._betting.waiting[0])

    def _nothing_to_decide(self, place: int) -> None:
        """Nobody asked him (RULES 3.5); a reader waits for his check."""
        self._betting.stay(place)
        self._actions.append(f"p{place + 1} cc")

    def _show_down(self) -> None:
        hand = self._hand
        shown = [step.seat for step in hand.steps if isinstance(step, Shown)]
        order = [seat for seat in dict.fromkeys(shown) if seat in hand.live]
        order += [seat for seat in hand.live if seat not in order]
        mucked = {step.seat for step in hand.steps if isinstance(step, Mucked)}
        for seat in order:
            name = f"p{self._betting.place[seat] + 1}"
            cards = hand.player(seat).hole
            if seat in mucked or cards is None:
                self._actions.append(f"{name} sm")
            else:
                self._actions.append(f"{name} sm {join_cards(cards)}")

    def _show_more(self, contested: bool) -> None:
        """What somebody turned up who need not, as a remark."""
        for step in self._hand.steps:
            if isinstance(step, Shown) and not (contested and step.seat in self._hand.live):
                name = f"p{self._betting.place[step.seat] + 1}"
                self._actions.append(f"# {name} shows {join_cards(step.cards)}")

    # The fields

    def _fields(self) -> dict[str, str]:
        hand = self._hand
        stakes = hand.stakes
        antes, blinds = self._forced()
        fields = {
            "variant": _quoted(VARIANTS[stakes.game]),
            "ante_trimming_status": "true" if self._trims(antes) else "false",
            "antes": self._amounts(antes),
            "blinds_or_straddles": self._amounts(blinds),
        }
        if stakes.game is Game.FIXED_LIMIT:
            fields["small_bet"] = self._amount(stakes.small_bet)
            fields["big_bet"] = self._amount(stakes.big_bet)
        else:
            fields["min_bet"] = self._amount(1 if self._beyond_price else stakes.big_blind)
        fields["starting_stacks"] = self._amounts([one.stack for one in hand.players])
        fields["actions"] = _list(map(_quoted, self._actions))
        fields |= self._told()
        fields["_stakes"] = self._amounts([stakes.small_blind, stakes.big_blind, stakes.ante])
        fields["_positions"] = _list(
            "0" if seat is None else str(seat + 1)
            for seat in (hand.button, hand.small_blind, hand.big_blind)
        )
        fields["_posts"] = _list(
            _quoted(f"p{self._betting.place[one.seat] + 1} {one.post} {self._amount(one.amount)}")
            for one in hand.steps
            if isinstance(one, Posted)
        )
        if hand.rake:
            fields["_rake"] = self._amounts([pot.rake for pot in hand.pots])
            fields["_stacks_without_rake"] = self._amounts(self._without_rake())
        return fields | dict(self._more or {})

    def _told(self) -> dict[str, str]:
        """What is known of when and where it was."""
        hand = self._hand
        fields: dict[str, str] = {}
        if hand.started is not None:
            at = moment(hand.started, self._zone)
            fields |= {
                "time": at.strftime("%H:%M:%S"),
                "time_zone": _quoted(self._zone_name),
                "day": str(at.day),
                "month": str(at.month),
                "year": str(at.year),
            }
        if hand.number:
            fields |= {"hand": str(hand.number), "table": _quoted(hand.table)}
        fields["seats"] = _list(str(one.seat + 1) for one in hand.players)
        fields["seat_count"] = str(hand.seats)
        if hand.number:
            fields["players"] = _list(_quoted(one.name) for one in hand.players)
        fields["finishing_stacks"] = self._amounts([one.final for one in hand.players])
        if hand.void is not None:
            fields["_void"] = _quoted(hand.void)
        if hand.pots:
            won = dict.fromkeys((one.seat for one in hand.players), 0)
            for pot in hand.pots:
                for seat, chips in pot.shares:
                    won[seat] += chips
            fields["winnings"] = self._amounts(list(won.values()))
        if hand.stakes.currency != NO_CURRENCY:
            fields["currency"] = _quoted(hand.stakes.currency)
        return fields

    def _forced(self) -> tuple[list[int], list[int]]:
        """Antes with dead posts, and blinds: a late post below zero, as it moves no turn."""
        antes, blinds = ([0] * len(self._hand.players) for _ in range(2))
        for step in self._hand.steps:
            if not isinstance(step, Posted):
                continue
            place = self._betting.place[step.seat]
            if step.post in (Post.ANTE, Post.DEAD):
                antes[place] += step.amount
            elif step.post is Post.LIVE:
                blinds[place] -= step.amount
            else:
                blinds[place] += step.amount
        if len(antes) == 2:
            antes.reverse()
            blinds.reverse()
        return antes, blinds

    def _trims(self, antes: list[int]) -> bool:
        """Everybody's own ante counts in what he may win; one for all, and dead posts, do not."""
        steps = [step for step in self._hand.steps if isinstance(step, Posted)]
        dead = any(step.post is Post.DEAD for step in steps)
        return any(antes) and not dead and sum(step.post is Post.ANTE for step in steps) > 1

    def _without_rake(self) -> list[int]:
        hand = self._hand
        order = self._betting.place
        stacks = {one.seat: one.final for one in hand.players}
        for pot in hand.pots:
            for seat, chips in pot.shares:
                stacks[seat] -= chips
            for seat, chips in unraked(pot, order):
                stacks[seat] += chips
        return [stacks[one.seat] for one in hand.players]

    def _amount(self, amount: int) -> str:
        return decimal(amount, self._hand.unit)

    def _amounts(self, amounts: list[int]) -> str:
        return _list(map(self._amount, amounts))


def _list(items: Any) -> str:
    return "[" + ", ".join(items) + "]"


def _quoted(text: str) -> str:
    """As a basic string of TOML."""
    named = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    return '"' + "".join(named.get(one) or _escaped(one) for one in text) + '"'


def _escaped(one: str) -> str:
    if 0xD800 <= ord(one) <= 0xDFFF:
        return "\\ufffd"  # No text of UTF-8 holds it.
    return one if one.isprintable() else f"\\U{ord(one):08x}"


# Reading


def split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The hands of a file, one at a time, with the line on which each begins: a whole file that
    is one hand, or tables under a number each.
    """
    began, gathered = 1, list[str]()
    for number, line in enumerate(lines, start=1):
        if HEADER.fullmatch(line.strip()):
            if any(one.strip() and not one.lstrip().startswith("#") for one in gathered):
                yield began, "".join(gathered)
            began, gathered = number + 1, []
        else:
            gathered.append(line)
    if any(one.strip() and not one.lstrip().startswith("#") for one in gathered):
        yield began, "".join(gathered)


def load(text: str, name: str = "") -> Case:
    """The case of one hand. `name` is what it is called where it has none. Raises PhhError.

    Its final stacks are empty where the hand does not say them, or only after a rake.
    """
    try:
        fields = tomllib.loads(text, parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        raise PhhError(f"not TOML: {str(error)[:80]}") from None
    try:
        return _Reader(fields, name).case()
    except CaseError as error:
        raise PhhError(str(error)) from None
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
        if isinstance(error, PhhError):
            raise
        if isinstance(error, KeyError):
            raise PhhError(f"`{str(error.args[0])[:40]}` is missing") from None
        raise PhhError("a field is not what the format has there") from None


class _Reader:
    def __init__(self, fields: dict[str, Any], name: str) -> None:
        self._fields = fields
        self._name = name
        if "_void" in fields:
            raise PhhError("the hand was void")
        if fields["variant"] not in GAMES:
            raise PhhError("`variant` must be NT or FT: no other game is played here")
        self._game = GAMES[fields["variant"]]
        self._unit = CENTS if _has_decimals(fields) else 1
        stacks = self._list("starting_stacks")
        if not 2 <= len(stacks) <= MOST_PLAYERS:
            raise PhhError("`starting_stacks` must be of 2 to 10 players")
        self._stacks = [self._amount(one) for one in stacks]
        count = len(self._stacks)
        numbers = [_whole(one) - 1 for one in fields.get("seats", range(1, count + 1))]
        own = "_positions" in fields
        """Seats are those of a case only in a file of ours; elsewhere the last is the button."""
        self._seats = numbers if own and "_id" in fields else list(range(count))
        if sorted(self._seats) != list(range(count)):
            raise PhhError("`seats` are not those of a case")
        self._at = dict(zip(numbers, self._seats, strict=True))

    def case(self) -> Case:
        fields = self._fields
        self._left = list(self._stacks)
        self._bets = [0] * len(self._stacks)
        self._live = [True] * len(self._stacks)
        posts, positions, (small, big, ante) = self._posts()
        self._big = big
        for post in posts:
            place = self._seats.index(post.seat)
            self._left[place] -= post.amount
            if post.post not in (Post.ANTE, Post.DEAD):
                self._bets[place] += post.amount
        self._price = max(self._bets)
        self._hole: list[str | None] = [None] * len(self._stacks)
        self._board = ""
        self._actions: list[CaseAction] = []
        for action in self._list("actions"):
            self._take(str(action))
        board = str(fields.get("_board", self._board))
        record = {
            "id": fields.get("_id", self._id()),
            "source": fields.get("_source", "phh"),
            "unit": fields.get("_unit", "1/100" if self._unit == CENTS else "chip"),
            "tags": fields.get("_tags", []),
            "game": self._game.value,
            "seats": len(self._stacks),
            "button": positions[0],
            "sb_seat": positions[1],
            "bb_seat": positions[2],
            "ante": ante,
            "small_blind": small,
            "big_blind": big,
            "stacks": self._by_seat(self._stacks),
            "posts": [
                {"seat": one.seat, "kind": one.post.value, "amount": one.amount} for one in posts
            ],
            "hole": self._by_seat([None if one is None else _pairs(one) for one in self._hole]),
            "board": _pairs(board),
            "actions": [_action(one) for one in self._actions],
            "final_stacks": self._by_seat(self._final() or self._stacks),
        }
        if self._game is Game.FIXED_LIMIT:
            record["small_bet"] = self._amount(fields["small_bet"])
            record["big_bet"] = self._amount(fields["big_bet"])
        case = parse_case(record)
        return case if self._final() else _without_end(case)

    # What was posted

    def _posts(
        self,
    ) -> tuple[list[CasePost], tuple[int | None, int | None, int | None], tuple[int, int, int]]:
        fields = self._fields
        if "_posts" in fields:
            posts = []
            for text in self._list("_posts"):
                player, kind, amount = str(text).split()
                seat = self._seats[self._place(player)]
                posts.append(CasePost(seat, Post(kind), self._amount(Decimal(amount))))
            small, big, ante = (self._amount(one) for one in fields["_stakes"])
            button, *blinds = (
                None if number == 0 else self._at.get(number - 1) for number in fields["_positions"]
            )
            return posts, (button, blinds[0], blinds[1]), (small, big, ante)
        return self._foreign_posts()

    def _foreign_posts(
        self,
    ) -> tuple[list[CasePost], tuple[int | None, int | None, int | None], tuple[int, int, int]]:
        """Told only by the amounts of the antes and blinds."""
        antes = [self._amount(one) for one in self._list("antes")]
        blinds = [self._amount(one) for one in self._list("blinds_or_straddles")]
        count = len(self._stacks)
        if len(antes) != count or len(blinds) != count:
            raise PhhError("`antes` and `blinds_or_straddles` must have one amount a player")
        if count == 2:
            antes.reverse()
            blinds.reverse()
        forced = [place for place, blind in enumerate(blinds) if blind > 0]
        if len(forced) > 2:
            raise PhhError("a straddle is not played here")
        if not forced:
            raise PhhError("`blinds_or_straddles` has no blind")
        big_place = max(forced, key=lambda place: blinds[place])
        small_place = next((place for place in forced if place != big_place), None)
        big = blinds[big_place]
        if self._game is Game.NO_LIMIT:
            big = max(big, self._amount(self._fields["min_bet"]))
        small = blinds[small_place] if small_place is not None else big // 2
        left = list(self._stacks)
        posts: list[CasePost] = []

        def post(place: int | None, kind: Post, amount: int) -> None:
            if place is not None and (paid := min(amount, left[place])) > 0:
                left[place] -= paid
                posts.append(CasePost(self._seats[place], kind, paid))

        for place, ante in enumerate(antes):
            post(place, Post.ANTE, ante)
        post(small_place, Post.SMALL_BLIND, small)
        post(big_place, Post.BIG_BLIND, big)
        for place, blind in enumerate(blinds):
            if blind < 0:
                post(place, Post.LIVE, -blind)
        positions = (
            self._seats[-1],
            None if small_place is None else self._seats[small_place],
            self._seats[big_place],
        )
        return posts, positions, (small, big, max(antes))

    # What was done

    def _take(self, action: str) -> None:
        words, _, remark = (part.strip() for part in action.partition("#"))
        match words.split():
            case ["d", "dh", player, cards]:
                place = self._place(player)
                self._hole[place] = None if "?" in cards else cards
            case ["d", "db", cards]:
                self._board += cards
                self._bets = [0] * len(self._bets)
                self._price = 0
            case [player, "f"]:
                self._live[self._place(player)] = False
                self._act(self._place(player), Do.FOLD, 0)
            case [player, "cc"]:
                self._stay(self._place(player), remark)
            case [player, "cbr", amount]:
                self._push(self._place(player), self._amount(Decimal(amount)))
            case [player, "sm", cards] if "?" not in cards and cards != "-":
                self._hole[self._place(player)] = cards
            case [_, "sm", *_]:
                pass
            case []:
                self._remark(remark.split())
            case _:
                raise PhhError(f"no action of hold'em: {action[:40]!r}")

    def _stay(self, place: int, remark: str) -> None:
        to_call = min(self._price - self._bets[place], self._left[place])
        match remark.split():
            case [("bet" | "raise" | "call") as do, "to", amount]:
                self._act(place, Do(do), self._amount(Decimal(amount)))
                self._pay(place, to_call)
                return
            case _:
                pass
        if to_call > 0:
            self._act(place, Do.CALL, self._bets[place] + to_call)
            self._pay(place, to_call)
        elif self._asked(place):
            self._act(place, Do.CHECK, 0)

    def _push(self, place: int, to: int) -> None:
        preflop = not self._board
        if preflop and self._price < self._big and to <= self._big:
            do = Do.CALL  # Of a big blind that was posted short.
        else:
            do = Do.RAISE if self._price else Do.BET
        self._act(place, do, to)
        self._pay(place, to - self._bets[place])
        self._price = max(self._price, to)

    def _remark(self, words: list[str]) -> None:
        match words:
            case [player, ("bet" | "raise" | "call") as do, "to", amount] if player[:1] == "p":
                self._act(self._place(player), Do(do), self._amount(Decimal(amount)))
            case [player, ("check" | "fold") as do] if player[:1] == "p":
                self._act(self._place(player), Do(do), 0)
            case _:
                pass

    def _asked(self, place: int) -> bool:
        """Not who has matched all his opponents while none of them has chips left (RULES 3.5)."""
        others = [other for other, live in enumerate(self._live) if live and other != place]
        return any(self._left[other] for other in others)

    def _act(self, place: int, do: Do, to: int) -> None:
        street = Street(BOARD_CARDS.index(len(self._board) // 2))
        self._actions.append(CaseAction(street, self._seats[place], do, to))

    def _pay(self, place: int, paid: int) -> None:
        self._left[place] -= paid
        self._bets[place] += paid

    # Values

    def _final(self) -> list[int]:
        """Without rake; empty where that is not said."""
        fields = self._fields
        name = "_stacks_without_rake" if "_rake" in fields else "finishing_stacks"
        if name not in fields:
            return []
        final = [self._amount(one) for one in self._list(name)]
        return final if sum(final) == sum(self._stacks) else []

    def _id(self) -> str:
        table, hand = self._fields.get("table"), self._fields.get("hand")
        named = "/".join(str(one) for one in (table, hand) if one is not None)
        return named or self._name or "phh"

    def _place(self, player: str) -> int:
        place = int(player[1:]) - 1
        if player[:1] != "p" or not 0 <= place < len(self._stacks):
            raise PhhError(f"there is no player {player[:20]!r}")
        return place

    def _list(self, name: str) -> list[Any]:
        value = self._fields[name]
        if not isinstance(value, list):
            raise PhhError(f"`{name}` must be a list")
        return value

    def _amount(self, value: Any) -> int:
        """Raises ValueError where it is no amount that can be paid."""
        if isinstance(value, bool) or not isinstance(value, int | Decimal):
            raise PhhError("an amount must be a number")
        amount = Decimal(value)
        # Before it is made an integer: 1e999999999 would take all memory.
        if not amount.is_finite() or not -MOST <= amount <= MOST:
            raise PhhError("an amount is larger than any number of chips")
        amount *= self._unit
        if amount != int(amount):
            raise PhhError(f"{str(value)[:20]} is no amount in hundredths")
        return int(amount)

    def _by_seat[Value](self, values: list[Value]) -> list[Value]:
        by_seat = dict(zip(self._seats, values, strict=True))
        return [by_seat[seat] for seat in range(len(values))]


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise PhhError("`seats` must be whole numbers")
    return value


def _has_decimals(fields: dict[str, Any]) -> bool:
    """Whether any amount is written with a point."""
    amounts: list[object] = [fields.get("min_bet"), fields.get("small_bet"), fields.get("big_bet")]
    for name in ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks"):
        amounts += fields.get(name) or []
    if any(isinstance(one, Decimal) for one in amounts):
        return True
    return any(" cbr " in str(one) and "." in str(one) for one in fields.get("actions") or [])


def _pairs(cards: str) -> list[str]:
    return [cards[at : at + 2] for at in range(0, len(cards), 2)]


def _action(one: CaseAction) -> dict[str, Any]:
    fields = {"street": one.street.name.lower(), "seat": one.seat, "do": one.do.value}
    return fields if one.do in (Do.FOLD, Do.CHECK) else fields | {"to": one.to}


def _without_end(case: Case) -> Case:
    return replace(case, final_stacks=())
