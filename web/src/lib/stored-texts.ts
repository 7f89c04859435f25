/** The channels that the users of this browser chose last for new links. */
export const CHANNELS_KEY = "channels_of_new_links";
/** The tags that a guest entered, one for each store. */
export const TAGS_KEY = "store_tags";

/** A text in local storage. Null without one, or if storage is forbidden. */
export function readText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Does nothing if storage is forbidden. */
export function writeText(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // The user must then choose again.
  }
}
