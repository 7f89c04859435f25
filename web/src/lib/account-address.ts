import { ACCOUNT_PATH, accountPath, paths } from "@tapthru/proto/rules/paths";

const OF_ADDRESS = new RegExp(`^${ACCOUNT_PATH}(?=/|$)`, "i");

/** The paths of all pages begin with that of the account in which this document works. "/" is the user's own. */
export const basename = () => OF_ADDRESS.exec(globalThis.location?.pathname ?? "")?.[0] ?? "/";

/** The id of that account. Null: the user's own. */
export function namedAccount(): number | null {
  const id = basename().split("/")[2];
  return id === undefined ? null : Number(id);
}

/** Opened as a new document: nothing of the account before remains. @param account null: the user's own */
export const dashboardOf = (account: { id: number } | null, path: string = paths.dashboard) =>
  account === null ? path : accountPath(account.id, path);
