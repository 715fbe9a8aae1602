import { lazy, Suspense, useState } from "react";
import { AccountScreen } from "../account/AccountScreen.js";
import { Spade } from "../auth/SignIn.js";
import { LobbyScreen } from "../lobby/LobbyScreen.js";
import { useKeys } from "../table/keys.js";
import { TableScreen } from "../table/TableScreen.js";
import { dayAndTime } from "../texts/moment.js";
import { Dialog } from "../ui/Dialog.js";
import { Menu, MenuItem, MenuLine } from "../ui/Menu.js";
import { ConnectionDot, ConnectionNote } from "./ConnectionNote.js";
import { useHere } from "./context.js";
import { useObservable, useTexts } from "./hooks.js";
import { KeysDialog } from "./KeysDialog.js";
import { Offers } from "./Offers.js";
import { SettingsDialog } from "./SettingsDialog.js";
import { Tabs } from "./Tabs.js";

/** Fetched when somebody wants to see them. */
const HandScreen = lazy(() => import("../replayer/HandScreen.js").catch(() => ({ default: NotFetched })));
const HandsScreen = lazy(() => import("../replayer/HandsScreen.js").catch(() => ({ default: NotFetched })));
const StatementScreen = lazy(() => import("../statement/StatementScreen.js").catch(() => ({ default: NotFetched })));

/** The room, once one is in: the head with the tabs, and one page of it. */
export function Shell() {
  const { visit, signOut, toSignIn } = useHere();
  const texts = useTexts();
  const route = useObservable(visit.route);
  const tables = useObservable(visit.tables);
  useObservable(visit.room.connection);
  const [asked, setAsked] = useState<"settings" | "keys" | null>(null);
  useKeys({ "?": () => setAsked("keys") });
  const who = visit.room.player ?? texts.nav.guest;
  const opened = route.page === "table" ? tables.find(({ table }) => table.id === route.table) : undefined;
  return (
    <div className="shell" data-page={route.page}>
      <header className="head">
        <a className="brand" href="#/" aria-label={`${texts.name}, ${texts.nav.lobby}`}>
          <Spade />
          <span className="brand-name">{texts.name}</span>
        </a>
        <Tabs />
        <ConnectionDot />
        <Menu label={`${who}, ${texts.nav.menu}`} trigger={<bdi className="who">{who}</bdi>} testId="main-menu">
          {!visit.guest && (
            <>
              <MenuItem onSelect={() => visit.go({ page: "account" })} testId="menu-account">
                {texts.nav.account}
              </MenuItem>
              <MenuItem onSelect={() => visit.go({ page: "statement" })} testId="menu-statement">
                {texts.nav.statement}
              </MenuItem>
              <MenuItem onSelect={() => visit.go({ page: "hands", table: null })} testId="menu-hands">
                {texts.nav.hands}
              </MenuItem>
            </>
          )}
          <MenuItem onSelect={() => setAsked("settings")} testId="menu-settings">
            {texts.nav.settings}
          </MenuItem>
          <MenuItem onSelect={() => setAsked("keys")} testId="menu-keys">
            {texts.nav.keys}
          </MenuItem>
          <MenuLine />
          {visit.guest ? (
            <MenuItem onSelect={toSignIn} testId="menu-sign-in">
              {texts.sign.title}
            </MenuItem>
          ) : (
            <MenuItem onSelect={signOut} testId="menu-sign-out">
              {texts.sign.out}
            </MenuItem>
          )}
        </Menu>
      </header>
      <ConnectionNote />
      <Offers />
      {route.page === "lobby" && <LobbyScreen />}
      {route.page === "account" && <AccountScreen />}
      <Suspense fallback={<Loading />}>
        {route.page === "statement" && <StatementScreen />}
        {route.page === "hands" && <HandsScreen key={route.table} table={route.table} />}
        {route.page === "hand" && (
          <HandScreen key={`${route.table}/${route.hand}`} table={route.table} hand={route.hand} />
        )}
      </Suspense>
      {opened && <TableScreen key={opened.table.id} opened={opened} />}
      <NoticeList />
      <Reminder />
      {asked === "settings" && <SettingsDialog onClose={() => setAsked(null)} />}
      {asked === "keys" && <KeysDialog onClose={() => setAsked(null)} />}
    </div>
  );
}

function Loading() {
  const texts = useTexts();
  return (
    <main className="page">
      <p className="page-note" role="status">
        {texts.loading}
      </p>
    </main>
  );
}

/** Without a network, or where a newer page has taken the place of this one. */
function NotFetched() {
  const texts = useTexts();
  return (
    <main className="page start-page">
      <p className="page-note" role="status">
        {texts.start.failed}
      </p>
      <button type="button" className="button" onClick={() => location.reload()}>
        {texts.start.again}
      </button>
    </main>
  );
}

function NoticeList() {
  const { visit } = useHere();
  const notices = useObservable(visit.notices);
  return (
    <div className="notices" role="status" aria-live="polite" data-testid="notices">
      {notices.map(({ key, text }) => (
        <p key={key} className="notice">
          {text}
        </p>
      ))}
    </div>
  );
}

/** How long one has been here, as often as one wants to be told. */
function Reminder() {
  const { visit } = useHere();
  const texts = useTexts();
  const reminder = useObservable(visit.reminder);
  if (reminder === null) return null;
  const close = () => visit.reminder.set(null);
  return (
    <Dialog title={texts.reminder.title} onClose={close} testId="reminder">
      <p>{texts.reminder.told(reminder.minutes, dayAndTime(reminder.since))}</p>
      <div className="dialog-buttons">
        <button
          type="button"
          className="button"
          onClick={() => {
            close();
            visit.go({ page: "account" });
          }}
        >
          {texts.reminder.limits}
        </button>
        <button type="button" className="button button-strong" onClick={close}>
          {texts.reminder.on}
        </button>
      </div>
    </Dialog>
  );
}
