import { TAG_MAX_LENGTH } from "../limits.ts";
import { parseStorePage } from "./amazon-url.ts";
import { setTag } from "./set-tag.ts";
import { tagHealth } from "./tag-health.ts";

/** Accepts every known tag. `tagHealth` checks the usual form. */
export const TAG_PATTERN: RegExp = new RegExp(`^[A-Za-z0-9][\\w.-]{0,${TAG_MAX_LENGTH - 1}}$`);

/** As `setTag`. The fragment stays. @returns null also if the address has a tag already */
export function addTag(url: string, tag: string): string | null {
  const [address = ""] = url.trim().split("#", 1);
  const page = parseStorePage(address);
  if (page === null || tagHealth(page).kind !== "none") return null;
  const tagged = setTag(address, tag);
  return tagged && tagged + url.trim().slice(address.length);
}
