import { useState } from "react";
import { useVisit } from "../app/context.js";
import { useMoney, useNumerals, useObservable, useTexts } from "../app/hooks.js";
import type { Opened } from "../app/visit.js";
import { failureText } from "../texts/failure.js";
import { Dialog } from "../ui/Dialog.js";
import { Menu, MenuItem, MenuLine, MenuMark } from "../ui/Menu.js";
import { Announcer } from "./Announcer.js";
import { BuyInDialog } from "./BuyInDialog.js";
import { Controls } from "./Controls.js";
import { HandLog } from "./HandLog.js";
import { useKeys } from "./keys.js";
import { LeaveDialog } from "./LeaveDialog.js";
import { Stage } from "./Stage.js";
import { gameText } from "./stakes.js";
import { AutoTopUpDialog, TopUpDialog } from "./TopUpDialogs.js";
import { useDo } from "./useDo.js";
import { useTableSounds } from "./useTableSounds.js";

type Asked = { readonly sit: number } | "top-up" | "auto-top-up" | "leave" | "log" | null;

/** One table, whole. */
export function TableScreen({ opened }: { opened: Opened }) {
  const { table, chronicle } = opened;
  const visit = useVisit();
  const texts = useTexts();
  const numerals = useNumerals();
  const view = useObservable(table);
  const { state, own } = view;
  const currency = state?.settings.currency ?? "";
  const money = useMoney(currency);
  const does = useDo(currency);
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => setAsked(null);
  useTableSounds(table);
  useKeys({ l: () => setAsked((now) => (now === null ? "log" : now)) });
  if (state === null) {
    const { refusal } = view;
    return (
      <main className="page table-page" data-testid="table" data-status={view.status}>
        <p className="page-note" role="status">
          {refusal ? `${texts.table.refused} ${failureText(refusal, texts, numerals, currency)}` : texts.table.loading}
        </p>
      </main>
    );
  }
  const { settings, hand } = state;
  const name = gameText(settings, money, texts);
  const notes = [
    state.frozen && texts.table.frozen,
    state.closing && texts.table.closing,
    hand?.voided && texts.table.voided,
    view.lateMs > 0 && texts.table.late(Math.round(view.lateMs / 1000)),
  ].filter((note) => typeof note === "string");
  const maySit = !visit.guest && own === null && !state.closing && !state.frozen;
  return (
    <main
      className="page table-page"
      data-testid="table"
      data-table={table.id}
      data-status={view.status}
      data-hand={hand?.number}
      data-seq={view.seq}
    >
      <header className="table-head">
        <h1 className="table-title">
          <bdi>{table.id}</bdi>
          <span className="table-game">{name}</span>
        </h1>
        <span className="table-hand" data-testid="hand-number">
          {hand ? texts.table.hand(hand.number) : texts.table.noHand}
        </span>
        {own && settings.time_bank_ms > 0 && (
          <span className="table-bank" data-testid="time-bank">
            {texts.table.bank(Math.floor((own.bank ?? 0) / 1000))}
          </span>
        )}
        {view.status === "behind" && (
          <span className="table-behind" role="status">
            {texts.line.behind}
          </span>
        )}
        <Menu label={texts.table.menu} trigger={<MenuMark />} testId="table-menu">
          {own && own.exit === null && (
            <>
              <MenuItem onSelect={() => setAsked("top-up")} testId="menu-top-up">
                {texts.own.topUp}
              </MenuItem>
              <MenuItem onSelect={() => setAsked("auto-top-up")} testId="menu-auto-top-up">
                {texts.own.autoTopUp}
              </MenuItem>
              <MenuLine />
              {own.status === "out" ? null : (
                <>
                  <MenuItem onSelect={() => void does(table.sitOut("now"))} testId="menu-sit-out">
                    {texts.own.sitOutNow}
                  </MenuItem>
                  <MenuItem onSelect={() => void does(table.sitOut("big_blind"))} testId="menu-sit-out-blind">
                    {texts.own.sitOutBlind}
                  </MenuItem>
                </>
              )}
              <MenuItem onSelect={() => void does(table.leave("big_blind"))} testId="menu-leave-blind">
                {texts.own.leaveBlind}
              </MenuItem>
              <MenuItem onSelect={() => setAsked("leave")} testId="menu-leave">
                {texts.own.leaveNow}
              </MenuItem>
              <MenuLine />
            </>
          )}
          <MenuItem onSelect={() => setAsked("log")} testId="menu-log">
            {texts.table.log}
          </MenuItem>
          {!visit.guest && (
            <MenuItem onSelect={() => visit.go({ page: "hands", table: table.id })} testId="menu-table-hands">
              {texts.nav.hands}
            </MenuItem>
          )}
          {own === null && (
            <MenuItem onSelect={() => visit.close(table.id)} testId="menu-close">
              {texts.nav.closeTab(table.id)}
            </MenuItem>
          )}
        </Menu>
      </header>
      {notes.length > 0 && (
        <p className="table-notes" role="status">
          {notes.join(" ")}
        </p>
      )}
      <div className="table-body">
        <Stage room={visit.room} view={view} money={money} onSit={maySit ? (seat) => setAsked({ sit: seat }) : null} />
        <Controls table={table} view={view} money={money} onTopUp={() => setAsked("top-up")} />
        <aside className="side" aria-label={texts.table.log}>
          <h2>{texts.table.log}</h2>
          <HandLog view={view} chronicle={chronicle} />
        </aside>
      </div>
      <Announcer room={visit.room} table={table} />
      {asked !== null && typeof asked === "object" && (
        <BuyInDialog
          what={`${name}, ${texts.buyIn.seat(asked.sit + 1)}`}
          currency={currency}
          minimum={settings.minimum}
          maximum={settings.maximum}
          onBuy={({ chips, post }) => table.sit({ seat: asked.sit, chips, post })}
          onClose={close}
        />
      )}
      {asked === "top-up" && own && (
        <TopUpDialog state={state} own={own} onBuy={(chips) => table.topUp(chips)} onClose={close} />
      )}
      {asked === "auto-top-up" && own && (
        <AutoTopUpDialog state={state} own={own} onBuy={(to) => table.autoTopUp(to)} onClose={close} />
      )}
      {asked === "leave" && <LeaveDialog onLeave={() => void does(table.leave("now"))} onClose={close} />}
      {asked === "log" && (
        <Dialog title={texts.table.log} onClose={close} testId="log-dialog" wide>
          <HandLog view={view} chronicle={chronicle} />
        </Dialog>
      )}
    </main>
  );
}
