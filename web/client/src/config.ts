/** What the page is told at its start by `config.json`, which lies beside it. */
export interface Config {
  /** The room's WebSocket address. */
  readonly ws: string;
  readonly cognito: Pool;
  /** A room on the player's own machine. */
  readonly local: boolean;
}

export interface Pool {
  /** Null: AWS's own, of the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly clientId: string;
  readonly userPoolId: string;
}

/** Throws a TypeError where it is none. */
export function configOf(value: unknown): Config {
  const config = fields(value);
  const pool = fields(config["cognito"]);
  const endpoint = pool["endpoint"] ?? null;
  return {
    ws: address(config["ws"], /^wss?:\/\//),
    cognito: {
      endpoint: endpoint === null ? null : address(endpoint, /^https?:\/\//),
      region: text(pool["region"]),
      clientId: text(pool["clientId"]),
      userPoolId: text(pool["userPoolId"]),
    },
    local: config["local"] === true,
  };
}

export async function fetchConfig(): Promise<Config> {
  const answer = await fetch("./config.json", { cache: "no-store" });
  if (!answer.ok) throw new TypeError("there is no config.json");
  return configOf(await answer.json());
}

function fields(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new TypeError("not an object");
  return value as Record<string, unknown>;
}

function text(value: unknown): string {
  if (typeof value !== "string" || value === "") throw new TypeError("a text is missing");
  return value;
}

function address(value: unknown, form: RegExp): string {
  const url = text(value);
  if (!form.test(url)) throw new TypeError("not an address");
  return url;
}
