import { holdPage } from "../hold-page.ts";
import { sendWhenAllowed } from "./too-many-requests.ts";

/**
 * Sends items in as few requests as their maximum size allows, mostly one, until one fails. While more than one is left, the browser
 * asks before it leaves the page. Never rejects.
 */
export async function sendInParts<Item, Reply>(
  items: readonly Item[],
  size: number,
  send: (part: Item[]) => Promise<Reply>,
): Promise<{ rest: readonly Item[]; replies: Reply[]; error: unknown }> {
  const replies: Reply[] = [];
  let rest = items;
  const release = holdPage(() => rest.length > size);
  try {
    do {
      const part = rest.slice(0, size);
      replies.push(await sendWhenAllowed(() => send(part)));
      rest = rest.slice(size);
    } while (rest.length > 0);
    return { rest, replies, error: null };
  } catch (error) {
    return { rest, replies, error };
  } finally {
    release();
  }
}
