export const CHANNELS_KEY = "channels_of_new_links";

/** What the users of this browser chose last for new links. */
export function storedChannels(): string | null {
  try {
    return localStorage.getItem(CHANNELS_KEY);
  } catch {
    return null;
  }
}
