export { type Answer, type Failure, type Later, type OwnCode, SignedOut } from "./answer.js";
export type { ServerClock } from "./clock.js";
export { course } from "./course.js";
export type { HandState, SeatState, TableEvent, TableSnapshot } from "./fold.js";
export type { Frozen } from "./frozen.js";
export type { Socket, SocketConstructor, Timers } from "./host.js";
export type { Connection, Token } from "./line.js";
export {
  type Filter,
  filterStakes,
  filterTables,
  type Hall,
  hasFreeSeat,
  type Lobby,
  type Row,
  type Stake,
} from "./lobby.js";
export type * from "./messages.js";
export type { Observable } from "./observable.js";
export type { Place, PlacesByStructure } from "./places.js";
export { Room, type RoomOptions } from "./room.js";
export {
  type AtStake,
  type Booked,
  type Heed,
  type Period,
  type Purse,
  type Sat,
  type Statement,
  type Sums,
  statement,
} from "./statement.js";
export type { Table, TableView, Turn } from "./table.js";
