/** The channels that the users of this browser chose last for new links. */
export const CHANNELS_KEY = "channels_of_new_links";
/** The tags that a guest entered, one for each store. */
export const TAGS_KEY = "store_tags";

/** Addresses that a visitor found in their files, one a line, until they are imported. */
export const FOUND_LINKS_KEY = "found_links";

type Place = "localStorage" | "sessionStorage";

/** A text that is stored in the browser. Null without one, or if storage is forbidden. */
export function readText(key: string, place: Place = "localStorage"): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null;
  }
}

/** Does nothing if storage is forbidden. @param text null removes it */
export function writeText(key: string, text: string | null, place: Place = "localStorage"): void {
  try {
    if (text === null) globalThis[place].removeItem(key);
    else globalThis[place].setItem(key, text);
  } catch {
    // The user must then choose or log in again.
  }
}
