/** What the client has of the SDK. */
import type { Answer, Lobby, Room, ServerClock, Table } from "@cardroom/sdk";

export type TablePort = Pick<
  Table,
  | "id"
  | "get"
  | "subscribe"
  | "onEvents"
  | "act"
  | "preAct"
  | "sit"
  | "topUp"
  | "autoTopUp"
  | "sitOut"
  | "sitIn"
  | "leave"
  | "show"
  | "refresh"
  | "close"
>;

export interface RoomPort
  extends Pick<
    Room,
    | "connection"
    | "places"
    | "player"
    | "wait"
    | "unwait"
    | "account"
    | "limits"
    | "hands"
    | "hand"
    | "ledger"
    | "results"
    | "dispute"
    | "onReminder"
    | "connect"
    | "close"
    | "wake"
  > {
  readonly clock: Pick<ServerClock, "now">;
  readonly lobby: Pick<Lobby, "get" | "subscribe" | "enter" | "exit">;
  table(id: string): TablePort;
  quickSeat(wish: {
    structure: string;
    chips: number;
    post?: boolean;
  }): Promise<Answer<{ readonly table: TablePort; readonly seat: number | null }>>;
}
