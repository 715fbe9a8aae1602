/** Which page is shown, as the address after `#` has it. */
export type Route =
  | { readonly page: "lobby" }
  | { readonly page: "account" }
  | { readonly page: "table"; readonly table: string };

const TABLE = /^#\/table\/([a-z0-9-]{1,32})$/;

export function routeOf(hash: string): Route {
  if (hash === "#/account") return { page: "account" };
  const table = TABLE.exec(hash)?.[1];
  return table === undefined ? { page: "lobby" } : { page: "table", table };
}

export function hashOf(route: Route): string {
  return route.page === "table" ? `#/table/${route.table}` : route.page === "account" ? "#/account" : "#/";
}
