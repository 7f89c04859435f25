/** All that the site stores in a browser, as the privacy policy names it. */
export const STORED_TEXTS = {
  theme: "the theme you chose",
  app_version: "the version of this site",
  reloaded_for: "in a tab, the versions for which it was loaded again",
  signed_in: "the id of the user who is logged in",
  logout_owed: "that a logout is pending",
  channels_of_new_links: "the channels that you chose last for new links",
  qr_colours: "the colours you chose for QR codes",
  store_tags: "without an account, the tags that you added to links",
  recent_links: "without an account, the last links that you created",
  pendingLink: "in a tab, the last of them, until you log in",
  found_links: "in a tab, addresses from your files or that you pasted, until they are imported",
  invitation: "in a tab, the invitation with which you opened it, until it is used",
  member_invitation: "in a tab, the invitation to an account, until you answer it",
} as const;
export type StoredText = keyof typeof STORED_TEXTS;

export const CHANNELS_KEY = "channels_of_new_links";
/** One for each store. */
export const TAGS_KEY = "store_tags";
/** One a line. */
export const FOUND_LINKS_KEY = "found_links";
export const NOT_KEPT =
  "This browser cannot store so many addresses. Put them into a file, and choose it under Import.";

type Place = "localStorage" | "sessionStorage";

/** A text that is stored in the browser. Null without one, or if storage is forbidden. */
export function readText(key: StoredText, place: Place = "localStorage"): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null;
  }
}

/** @param text null removes it @returns false if storage is forbidden or full: the user must then choose or log in again */
export function writeText(key: StoredText, text: string | null, place: Place = "localStorage"): boolean {
  try {
    if (text === null) globalThis[place].removeItem(key);
    else globalThis[place].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
