import { StoreTag } from "@tapthru/proto/http/stores";
import * as z from "zod/mini";

const STORAGE_KEY = "store_tags";

/** The tags that a visitor without an account added to links, one for each store. */
export function readStoredTags(): StoreTag[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return z.safeParse(z.array(StoreTag), stored).data ?? [];
  } catch {
    return [];
  }
}

export function saveTagInBrowser(added: StoreTag): void {
  const others = readStoredTags().filter(({ marketplace }) => marketplace !== added.marketplace);
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...others, added]));
  } catch {
    // Storage may be forbidden. The tag must then be entered again.
  }
}
