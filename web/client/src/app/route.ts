/** Which page is shown, as the address after `#` has it. */
export type Route =
  | { readonly page: "lobby" }
  | { readonly page: "account" }
  | { readonly page: "statement" }
  | { readonly page: "table"; readonly table: string }
  /** One's hands at a table; null: at the one where one played last. */
  | { readonly page: "hands"; readonly table: string | null }
  | { readonly page: "hand"; readonly table: string; readonly hand: number };

const PLACE = /^#\/(table|hands|hand)(?:\/([a-z0-9-]{1,32})(?:\/([1-9][0-9]{0,8}))?)?$/;

export function routeOf(hash: string): Route {
  if (hash === "#/account") return { page: "account" };
  if (hash === "#/statement") return { page: "statement" };
  const [, page, table, hand] = PLACE.exec(hash) ?? [];
  if (page === "hands" && hand === undefined) return { page, table: table ?? null };
  if (page === "table" && table !== undefined && hand === undefined) return { page, table };
  if (page === "hand" && table !== undefined && hand !== undefined) return { page, table, hand: Number(hand) };
  return { page: "lobby" };
}

export function hashOf(route: Route): string {
  switch (route.page) {
    case "lobby":
      return "#/";
    case "account":
      return "#/account";
    case "statement":
      return "#/statement";
    case "table":
      return `#/table/${route.table}`;
    case "hands":
      return route.table === null ? "#/hands" : `#/hands/${route.table}`;
    case "hand":
      return `#/hand/${route.table}/${route.hand}`;
  }
}
