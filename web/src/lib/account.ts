import type { Role } from "@tapthru/proto/call";
import type { Membership } from "@tapthru/proto/members";
import { paths } from "@tapthru/proto/rules/paths";
import { useMemo, useSyncExternalStore } from "react";
import { readText, writeText } from "./stored-texts.ts";

const KEY = "account";

/** The account of another user in which the pages of this tab work. */
export interface ChosenAccount extends Membership {
  /** Of the member. */
  personId: number;
}

/** A new tab begins with the account that was chosen last. Empty: the user's own. */
const storedText = () => readText(KEY, "sessionStorage") ?? readText(KEY) ?? "";

const parse = (text: string): ChosenAccount | null => (text === "" ? null : JSON.parse(text));

/** Null: the user's own. */
export const chosenAccount = () => parse(storedText());

export function useChosenAccount(): ChosenAccount | null {
  const text = useSyncExternalStore(subscribe, storedText, () => "");
  return useMemo(() => parse(text), [text]);
}

function subscribe(listener: () => void): () => void {
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}

function choose(account: ChosenAccount | null): void {
  const text = account === null ? "" : JSON.stringify(account);
  writeText(KEY, text, "sessionStorage");
  writeText(KEY, text);
  // Browsers send it to other tabs only.
  dispatchEvent(new StorageEvent("storage", { key: KEY }));
}

/** Loads the pages again: nothing of the account before remains. */
export function switchAccount(account: ChosenAccount | null): void {
  choose(account);
  location.assign(paths.dashboard);
}

/** An owner may have changed it meanwhile. */
export function followRole(role: Role): void {
  const account = chosenAccount();
  if (account !== null && account.role !== role) choose({ ...account, role });
}

/** Keeps the account for the user who chose it. @param personId null: nobody is logged in */
export function keepAccountOf(personId: number | null): void {
  const account = chosenAccount();
  if (account !== null && account.personId !== personId) choose(null);
  else writeText(KEY, storedText(), "sessionStorage");
}
