import type { TableView } from "@cardroom/sdk";
import { type CSSProperties, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "../app/hooks.js";
import type { RoomPort } from "../app/ports.js";
import { betPoint, boardPoint, lookOf, type Point, type Size, seatPoints, seatsInOrder } from "../layout/stage.js";
import { Board } from "./Board.js";
import { deeds, winnings } from "./deeds.js";
import { Bet, Seat } from "./Seat.js";

interface Props {
  readonly room: Pick<RoomPort, "clock">;
  readonly view: TableView;
  readonly money: (amount: number) => string;
  readonly onSit: ((seat: number) => void) | null;
  /** Of a hand that is played again. */
  readonly again?: Again;
}

export interface Again {
  /** Whose turn it was. */
  readonly acting: number | null;
  /** By seat, a word at its name. */
  readonly badges: ReadonlyMap<number, Badge>;
}

export interface Badge {
  readonly text: string;
  /** For who hears it. */
  readonly name: string;
}

/** The felt with all that lies and sits around it. */
export function Stage({ room, view, money, onSit, again }: Props) {
  const texts = useTexts();
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>({ width: 900, height: 560 });
  useLayoutEffect(() => {
    const stage = ref.current;
    if (!stage) return;
    const measure = () => setSize({ width: stage.clientWidth, height: stage.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(stage);
    return () => observer.disconnect();
  }, []);
  const seats = view.state?.seats ?? [];
  const look = lookOf(size);
  const points = seatPoints(Math.max(1, seats.length), size, look);
  const done = deeds(view.log);
  const won = winnings(view.state?.hand ?? null);
  const order = seatsInOrder(seats.length, view.seat);
  return (
    <div ref={ref} className="stage" data-look={look.name} data-testid="stage">
      <div className="felt" aria-hidden="true" />
      <Board
        room={room}
        view={view}
        money={money}
        quiet={again !== undefined}
        style={at(boardPoint(size, look), look.board)}
      />
      <ol className="seats" aria-label={texts.table.felt}>
        {order.map((number, place) => {
          const box = place === 0 ? look.own : look.seat;
          return (
            <Seat
              key={number}
              room={room}
              view={view}
              number={number}
              deed={done.get(number)}
              won={won.get(number) ?? 0}
              acting={again ? again.acting === number : view.turn?.seat === number}
              badge={again?.badges.get(number)}
              betHere={look.bet === null}
              money={money}
              style={at(points[place] ?? { x: 0, y: 0 }, box)}
              onSit={onSit && (() => onSit(number))}
            />
          );
        })}
      </ol>
      {order.map((number, place) => {
        const bet = seats[number]?.bet ?? 0;
        const point = points[place];
        const spot = point && betPoint(point, place === 0, size, look);
        return bet > 0 && spot ? (
          <Bet key={number} amount={bet} number={number} money={money} style={at(spot, null)} />
        ) : null;
      })}
    </div>
  );
}

function at({ x, y }: Point, box: Size | null): CSSProperties {
  const place = { left: `${x}px`, top: `${y}px` };
  return box ? { ...place, width: `${box.width}px`, height: `${box.height}px` } : place;
}
