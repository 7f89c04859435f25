import { addTag } from "@tapthru/proto/rules/amazon/add-tag";
import { setTag } from "@tapthru/proto/rules/amazon/set-tag";
import { tagHealthIn } from "@tapthru/proto/rules/amazon/tag-health";
import type { Judgement, Reason } from "./judge-address.ts";
import type { FoundLink } from "./read-files.ts";

/** `lost`: pays nothing; `unclear`: its text does not say what it pays; `others`: the tag is none of the user's. */
export type Group = "lost" | "unclear" | "others" | "pays";

const UNCLEAR: readonly Reason[] = ["short", "wrapped", "onelink", "several", "unusual", "attribution"];
/** Whoever wrote them, they pay nobody. */
const ANYBODYS: readonly Reason[] = ["placeholder", "broken"];

export function groupOf({ reason, tags }: Judgement, own: ReadonlySet<string>): Group {
  const isOthers = tags.length > 0 && !tags.some((tag) => own.has(tag)) && !ANYBODYS.includes(reason);
  if (isOthers) return "others";
  if (reason === "sound") return "pays";
  return UNCLEAR.includes(reason) ? "unclear" : "lost";
}

export function sortLinks(links: readonly FoundLink[], own: ReadonlySet<string>): Record<Group, FoundLink[]> {
  const groups: Record<Group, FoundLink[]> = { lost: [], unclear: [], others: [], pays: [] };
  for (const link of links) groups[groupOf(link, own)].push(link);
  return groups;
}

/** The address that was meant, with the first of the tags that its store pays. Null if it is not known. */
export function repairedUrl({ meant, marketplace, reason }: Judgement, own: Iterable<string>): string | null {
  if (meant === null || marketplace === null) return meant;
  const tag = [...own].find((each) => tagHealthIn(marketplace, each).kind === "sound");
  if (tag === undefined) return meant;
  return (reason === "foreign" || reason === "placeholder" ? setTag(meant, tag) : addTag(meant, tag)) ?? meant;
}

/** How many places have each tag, most frequent first, without examples of guides. */
export function countTags(links: readonly FoundLink[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tags, reason, places } of links) {
    if (reason === "placeholder" || reason === "attribution") continue;
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + places.length);
  }
  return new Map([...counts].sort(([, one], [, other]) => other - one));
}

/** The most frequent one, if no other is in half as many places: it may be a rival's. */
export function guessOwn([first, second]: ReadonlyMap<string, number>): string[] {
  return first && 2 * (second?.[1] ?? 0) < first[1] ? [first[0]] : [];
}
