/** Views of tables and of the lobby to look at. */
import type {
  AccountView,
  EventView,
  Frozen,
  Hall,
  LedgerView,
  PlacesByStructure,
  ResultsView,
  Row,
  SeatState,
  Stake,
  TableView,
  Turn,
} from "@cardroom/sdk";

const NAMES = ["Ann", "Ben", "Cora", "Marikit_99", "dax", "Eleanor-Rigby", "Florante", "Gus.T", "hana", "Ivo"];

export interface Wish {
  readonly seats: number;
  readonly own?: number | null;
  readonly scene: "turn" | "first" | "waiting" | "showdown" | "idle" | "out";
  readonly game?: "nl" | "fl";
}

export function tableView({ seats: count, own = 0, scene, game = "nl" }: Wish): TableView {
  const now = Date.now();
  const seats: (SeatState | null)[] = Array.from({ length: count }, (_, seat) => ({
    seat,
    player: NAMES[seat] ?? "x",
    stack: [84_350, 120_000, 4_250, 1_000_000, 50_000, 99_999, 23_450, 61_000, 75_500, 31_000][seat] ?? 0,
    topup: 0,
    status: "active" as const,
    exit: null,
    bet: 0,
    in_hand: true,
    folded: false,
    all_in: false,
    bank: 20_000,
    ...(seat === own ? { plan: null, pre: null, refill: 0, owes: { small: false, big: false } } : {}),
  }));
  const set = (seat: number, change: Partial<SeatState>) => {
    const old = seats[seat];
    if (old) seats[seat] = { ...old, ...change };
  };
  let board = ["Ts", "Qd", "2c"];
  let turn: Turn | null = null;
  let shown: { seat: number; cards: string[] }[] = [];
  let hole = own === null ? [] : ["As", "Ad"];
  let pot = 26_500;
  let pots: NonNullable<TableView["state"]>["hand"] extends infer H
    ? H extends { pots: infer P }
      ? P
      : never
    : never = [{ amount: 26_500, seats: [0, 1] }];
  const log: EventView[] = [
    {
      e: "hand_started",
      number: 218,
      at: now,
      button: count - 1,
      small_blind: 0,
      big_blind: 1,
      dealt: [0, 1],
      fresh: false,
      missed_small: [],
      missed_big: [],
    },
    { e: "posted", seat: 0, post: "small_blind", amount: 500 },
    { e: "posted", seat: 1, post: "big_blind", amount: 1000 },
    { e: "acted", seat: 1, do: "raise", to: 3500, paid: 2500, cause: "own" },
    { e: "acted", seat: 0, do: "call", to: 3500, paid: 3000, cause: "own" },
    { e: "board_dealt", street: "flop", cards: board },
  ];
  for (let seat = 3; seat < count; seat += 3) set(seat, { folded: true });
  if (count > 6) set(count - 1, { status: "out", in_hand: false });
  if (scene === "turn" || scene === "first" || scene === "waiting") {
    set(1, { bet: 6_000 });
    if (count > 2) set(2, { bet: 4_250, all_in: true, stack: 0 });
    log.push({ e: "acted", seat: 1, do: "bet", to: 6000, paid: 6000, cause: "own" });
    if (count > 2) log.push({ e: "acted", seat: 2, do: "call", to: 4250, paid: 4250, cause: "own" });
    set(4, { bet: 6_000 });
    if (count > 4) log.push({ e: "acted", seat: 4, do: "call", to: 6000, paid: 6000, cause: "own" });
    pots = [
      { amount: 18_250, seats: [0, 1, 2, 4] },
      { amount: 8_250, seats: [0, 1, 4] },
    ];
    const seat = scene === "waiting" ? 1 : (own ?? 0);
    turn = {
      hand: 218,
      number: 7,
      seat,
      deadline: now + 11_000,
      price: scene === "first" ? 0 : 6_000,
      to_call: scene === "first" ? 0 : 6_000,
      call_to: scene === "first" ? 0 : 6_000,
      check: scene === "first",
      verb: scene === "first" ? "bet" : "raise",
      min_to: game === "fl" ? 12_000 : scene === "first" ? 1_000 : 12_000,
      max_to: game === "fl" ? 12_000 : 84_350,
      step: scene === "first" ? 1_000 : 6_000,
    };
  }
  if (scene === "showdown") {
    board = ["Ts", "Qd", "2c", "Td", "7h"];
    shown = [
      { seat: 0, cards: ["As", "Ad"] },
      { seat: 1, cards: ["Qs", "Qh"] },
      { seat: 2, cards: ["Th", "9h"] },
    ];
    hole = own === null ? [] : ["As", "Ad"];
    set(2, { all_in: true });
    pots = [
      { amount: 30_000, seats: [0, 1, 2], rake: 1500, shares: [[1, 28_500]] },
      { amount: 18_500, seats: [0, 1], rake: 0, shares: [[1, 18_500]] },
      { amount: 8_000, seats: [0, 3], rake: 0, shares: [[0, 8_000]] },
    ];
    pot = 0;
    log.push(
      { e: "shown", seat: 1, cards: ["Qs", "Qh"] },
      { e: "shown", seat: 2, cards: ["Th", "9h"] },
      { e: "pot_won", pot: 0, amount: 30_000, rake: 1500, contenders: [0, 1, 2], shares: [[1, 28_500]] },
    );
  }
  if (scene === "out" && own !== null) set(own, { status: "out", in_hand: false, owes: { small: true, big: true } });
  if (scene === "out") hole = [];
  if (scene === "idle") {
    for (let seat = 1; seat < count; seat += 2) seats[seat] = null;
    for (let seat = 0; seat < count; seat += 2) set(seat, { in_hand: false, status: "waiting" });
    hole = [];
  }
  const ownSeat = own === null ? null : (seats[own] ?? null);
  const names = seats.map((seat) => seat?.player ?? null);
  const known = {
    table: "php-5-10-1",
    status: "live" as const,
    refusal: null,
    seq: 99,
    state: {
      settings: {
        game,
        currency: "PHP" as const,
        small_blind: 500,
        big_blind: 1000,
        small_bet: 0,
        big_bet: 0,
        ante: 0,
        ante_by: "each" as const,
        rake: "php",
        seats: count,
        minimum: 10_000,
        maximum: 100_000,
        clock_ms: 15_000,
        pause_ms: 3_000,
        time_bank_ms: 30_000,
        delay_s: 0,
      },
      button: count - 1,
      hands: 218,
      next_hand_at: scene === "showdown" || scene === "idle" ? now + 4_000 : null,
      closing: false,
      frozen: false,
      seats,
      hand:
        scene === "idle"
          ? null
          : {
              number: 218,
              button: count - 1,
              small_blind: 0,
              big_blind: 1,
              street: "flop" as const,
              board,
              pot,
              pots,
              shown,
              over: scene === "showdown",
              voided: false,
            },
      turn,
      log,
    },
    seat: own,
    own: ownSeat,
    hole,
    log,
    names,
    away: count > 4 ? [3] : [],
    inBank: false,
    lateMs: 0,
  };
  return turn !== null && turn.seat === own ? { ...known, yourTurn: true, turn } : { ...known, yourTurn: false, turn };
}

const BLINDS = [500, 1000, 2000, 5000, 10_000, 20_000];

export function hall(): Hall {
  const stakes: Stake[] = [];
  const tables: Row[] = [];
  BLINDS.forEach((big, at) => {
    const stake = {
      game: "nl" as const,
      currency: "PHP" as const,
      small_blind: big / 2,
      big_blind: big,
      small_bet: 0,
      big_bet: 0,
    };
    const structure = `nl-PHP-${big / 2}-${big}`;
    stakes.push({ structure, ...stake, tables: 2, taken: 9 + at, seats: 18, waiting: at % 3 });
    for (const number of [1, 2]) {
      const players = NAMES.slice(0, 9).map((name, seat) => ((seat + at + number) % 3 ? name : null));
      tables.push({
        table: `php-${big / 200}-${big / 100}-${number}`.replace(".", "x"),
        structure,
        ...stake,
        seats: 9,
        taken: players.filter(Boolean).length,
        active: 5,
        waiting: 1,
        players,
        average_pot: big * 12 + 350,
        flop_permille: 312,
        hands_hour: 74,
        acting_ms: 4200,
        state: at === 2 ? "closing" : "open",
        minimum: big * 10,
        maximum: big * 100,
        delay_s: at === 5 ? 30 : 0,
        time_bank_ms: at > 3 ? 30_000 : 0,
        watching: at,
      });
    }
  });
  const fixed = {
    game: "fl" as const,
    currency: "USD" as const,
    small_blind: 150,
    big_blind: 300,
    small_bet: 300,
    big_bet: 600,
  };
  stakes.push({ structure: "fl-USD-150-300", ...fixed, tables: 1, taken: 0, seats: 6, waiting: 0 });
  tables.push({
    table: "usd-3-6",
    structure: "fl-USD-150-300",
    ...fixed,
    seats: 6,
    taken: 0,
    active: 0,
    waiting: 0,
    players: [null, null, null, null, null, null],
    average_pot: null,
    flop_permille: null,
    hands_hour: null,
    acting_ms: null,
    state: "open",
    minimum: 3000,
    maximum: null,
    delay_s: 0,
    time_bank_ms: 0,
    watching: 0,
  });
  return { now: Date.now() + 3_600_000, stakes, tables };
}

export function places(): PlacesByStructure {
  return new Map([
    ["nl-PHP-1000-2000", { structure: "nl-PHP-1000-2000", place: 2, length: 3, table: null, until: null }],
    [
      "nl-PHP-500-1000",
      { structure: "nl-PHP-500-1000", place: 1, length: 2, table: "php-5-10-2", until: Date.now() + 24_000 },
    ],
  ]);
}

export const ACCOUNT: Frozen<AccountView> = {
  player: "Ann",
  standing: "open",
  balances: [
    { currency: "PHP", balance: 1_254_350 },
    { currency: "USD", balance: 50_000 },
  ],
  seats: [],
  lines: [],
  limits: {
    day_ends: 0,
    reminder_minutes: { value: 60, next: null },
    exclude_until: null,
    currencies: [
      {
        currency: "PHP",
        deposit_day: { value: 500_000, next: { value: null, at: Date.now() + 80_000_000 } },
        deposited: 100_000,
        loss_day: { value: null, next: null },
        lost: 4_000,
      },
    ],
  },
};

const NOW = Date.now();
const TODAY = new Date(NOW).toISOString().slice(0, 10);

/** Of one who has played today. */
export const LEDGER: Frozen<LedgerView> = {
  now: NOW,
  zone: "UTC",
  wallets: [{ currency: "PHP", balance: 1_184_500, entries: 3 }],
  entries: (
    [
      ["deposit", 1_000_000, null],
      ["buy_in", -100_000, "php-5-10-1"],
      ["pay_out", 284_500, "php-5-10-1"],
    ] as const
  ).map(([kind, amount, table], place) => ({
    currency: "PHP",
    number: place + 1,
    at: NOW - (3 - place) * 600_000,
    day: TODAY,
    time: `0${place}:15:42`,
    kind,
    amount,
    balance: [1_000_000, 900_000, 1_184_500][place] ?? 0,
    table,
    reference: table === null ? "bank 2024-117" : null,
    who: table === null ? "room" : "Ann",
    why: table === null ? "transfer" : kind,
  })),
  next: null,
};

export const RESULTS: Frozen<ResultsView> = {
  table: "php-5-10-1",
  stake: "nl-PHP-500-1000",
  days: [{ day: TODAY, hands: 84, net: 184_500, rake: 9_250 }],
  unreadable: [],
  last: 90,
  ended: NOW - 900_000,
  next: null,
};
