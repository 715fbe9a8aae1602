import { type FormEvent, useState } from "react";
import { useTexts } from "../app/hooks.js";
import { Field } from "../ui/Field.js";
import { Switch } from "../ui/Switch.js";
import { Refused, type SignedIn, type Tokens, type UserPool } from "./userpool.js";

type Step =
  | { readonly at: "in" | "up" | "forgot" }
  | { readonly at: "confirm"; readonly sentTo: string | null }
  | { readonly at: "reset" }
  | { readonly at: "replace"; readonly replace: (password: string) => Promise<SignedIn> };

interface Props {
  readonly pool: UserPool;
  readonly local: boolean;
  /** He was in, and the pool gives no token any more. */
  readonly wasOut: boolean;
  readonly onIn: (tokens: Tokens, onDevice: boolean) => void;
  readonly onGuest: () => void;
}

export function SignIn({ pool, local, wasOut, onIn, onGuest }: Props) {
  const texts = useTexts();
  const { sign } = texts;
  const [step, setStep] = useState<Step>({ at: "in" });
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [visible, setVisible] = useState(false);
  const [keep, setKeep] = useState(false);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [told, setTold] = useState<string | null>(wasOut ? sign.wasOut : null);

  const go = (next: Step) => {
    setStep(next);
    setFault(null);
    setTold(null);
    setCode("");
  };
  const run = async (work: () => Promise<void>) => {
    if (busy) return;
    setBusy(true);
    setFault(null);
    setTold(null);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === "not_confirmed") go({ at: "confirm", sentTo: null });
      setFault(error.code === "other" ? sign.faults.other(error.message) : sign.faults[error.code]);
    } finally {
      setBusy(false);
    }
  };
  const entered = (signed: SignedIn) => {
    if ("tokens" in signed) onIn(signed.tokens, keep);
    else {
      setPassword("");
      go({ at: "replace", replace: signed.replace });
    }
  };
  const player = name.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      switch (step.at) {
        case "in":
          entered(await pool.signIn(player, password));
          return;
        case "up":
          await pool.signUp(player, password, email.trim());
          go({ at: "confirm", sentTo: email.trim() });
          return;
        case "confirm":
          await pool.confirm(player, code.trim());
          if (password === "") go({ at: "in" });
          else entered(await pool.signIn(player, password));
          return;
        case "forgot":
          await pool.forget(player);
          setPassword("");
          go({ at: "reset" });
          return;
        case "reset":
          await pool.replaceForgotten(player, code.trim(), password);
          entered(await pool.signIn(player, password));
          return;
        case "replace":
          entered(await step.replace(password));
          return;
      }
    });
  };
  const title = {
    in: sign.title,
    up: sign.up.title,
    confirm: sign.confirm.title,
    forgot: sign.reset.title,
    reset: sign.reset.title,
    replace: sign.reset.title,
  }[step.at];
  const action = {
    in: sign.submit,
    up: sign.up.submit,
    confirm: sign.confirm.submit,
    forgot: sign.reset.begin,
    reset: sign.reset.submit,
    replace: sign.reset.submit,
  }[step.at];
  const asksName = step.at === "in" || step.at === "up" || step.at === "forgot";
  const asksPassword = step.at !== "confirm" && step.at !== "forgot";
  const isNew = step.at !== "in";
  return (
    <main className="sign-page" data-testid="sign-in">
      <div className="sign-card">
        <p className="brand brand-large">
          <Spade /> {texts.name}
        </p>
        <p className="tagline">{texts.tagline}</p>
        <h1>{title}</h1>
        {!globalThis.isSecureContext && (
          <p className="form-fault" role="alert">
            {texts.start.notSecure}
          </p>
        )}
        {told && (
          <p className="form-note" role="status">
            {told}
          </p>
        )}
        <form className="form" onSubmit={submit} key={step.at}>
          {asksName && (
            <Field
              label={sign.name}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              required
              maxLength={64}
              value={name}
              note={step.at === "up" ? sign.up.nameNote : undefined}
              onChange={(event) => setName(event.target.value)}
              data-testid="sign-name"
            />
          )}
          {step.at === "up" && (
            <Field
              label={sign.up.email}
              name="email"
              type="email"
              autoComplete="email"
              required
              value={email}
              note={sign.up.emailNote}
              onChange={(event) => setEmail(event.target.value)}
              data-testid="sign-email"
            />
          )}
          {step.at === "up" && <p className="form-note">{sign.up.placesNote}</p>}
          {step.at === "confirm" && (
            <p>{step.sentTo === null ? sign.confirm.toldNowhere : sign.confirm.told(step.sentTo)}</p>
          )}
          {step.at === "reset" && <p>{sign.confirm.toldNowhere}</p>}
          {step.at === "replace" && <p>{sign.reset.replace}</p>}
          {(step.at === "confirm" || step.at === "reset") && (
            <>
              {local && (
                <p className="form-note" data-testid="local-code">
                  {sign.localCode} <code>{mailCommand(player)}</code>
                </p>
              )}
              <Field
                label={sign.confirm.code}
                name="code"
                inputMode="numeric"
                autoComplete="one-time-code"
                required
                value={code}
                onChange={(event) => setCode(event.target.value)}
                data-testid="sign-code"
              />
            </>
          )}
          {asksPassword && (
            <>
              <Field
                label={isNew && step.at !== "up" ? sign.reset.newPassword : sign.password}
                name="password"
                type={visible ? "text" : "password"}
                autoComplete={isNew ? "new-password" : "current-password"}
                required
                value={password}
                note={isNew ? sign.up.passwordNote : undefined}
                onChange={(event) => setPassword(event.target.value)}
                data-testid="sign-password"
              />
              <Switch label={sign.showPassword} checked={visible} onChange={setVisible} />
            </>
          )}
          {step.at === "in" && <Switch label={sign.keep} checked={keep} onChange={setKeep} testId="sign-keep" />}
          <p className="form-fault" role="alert" data-testid="sign-fault">
            {fault}
          </p>
          <button type="submit" className="button button-strong button-wide" disabled={busy} data-testid="sign-submit">
            {busy ? sign.working : action}
          </button>
        </form>
        <div className="sign-links">
          {step.at === "in" ? (
            <>
              <button type="button" className="link" onClick={() => go({ at: "up" })} data-testid="to-sign-up">
                {sign.toSignUp}
              </button>
              <button type="button" className="link" onClick={() => go({ at: "forgot" })} data-testid="to-forgot">
                {sign.forgot}
              </button>
            </>
          ) : (
            <button type="button" className="link" onClick={() => go({ at: "in" })} data-testid="to-sign-in">
              {sign.toSignIn}
            </button>
          )}
          {step.at === "confirm" && (
            <button
              type="button"
              className="link"
              data-testid="resend"
              onClick={() =>
                void run(async () => {
                  await pool.resend(player);
                  setTold(sign.confirm.resent);
                })
              }
            >
              {sign.confirm.resend}
            </button>
          )}
        </div>
        <div className="sign-guest">
          <button type="button" className="button button-wide" onClick={onGuest} data-testid="guest">
            {sign.guest}
          </button>
          <p>{sign.guestNote}</p>
        </div>
        {local && <p className="form-note">{sign.localHint}</p>}
      </div>
    </main>
  );
}

/** Shows what the room on one's own machine has mailed. A name that nobody may have is not put into a command. */
export function mailCommand(player: string): string {
  return `.venv/bin/cardroom mail ${/^[A-Za-z][A-Za-z0-9_.-]*$/.test(player) ? player : "NAME"}`;
}

export function Spade() {
  return (
    <svg viewBox="0 0 100 100" width="22" height="22" aria-hidden="true" className="spade">
      <path
        fill="currentColor"
        d="M50 6C62 26 92 42 92 66a19 19 0 0 1-36 9c1 9 4 14 11 19H33c7-5 10-10 11-19a19 19 0 0 1-36-9C8 42 38 26 50 6z"
      />
    </svg>
  );
}
