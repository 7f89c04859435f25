import { paths } from "@tapthru/proto/rules/paths";
import { isPathHere } from "./leave.ts";

/** It is in the address of /login and /signup: a new document, a login at another site and a reload lose the state of the router. */
const RETURN_PARAM = "from";

/** Where a login leads. Null if its address does not say it. */
export function returnPath(search: string): string | null {
  const from = new URLSearchParams(search).get(RETURN_PARAM) ?? "";
  return isPathHere(from) ? from : null;
}

/** The page of the login, or of the sign-up, after which another page opens. */
export const returningTo = (from: string, page: string = paths.login) =>
  `${page}?${new URLSearchParams({ [RETURN_PARAM]: from })}`;
