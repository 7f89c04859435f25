import pLimit from "p-limit";
import { CALM, type HostMood, isResting, moodAfter } from "./host-rest.ts";
import type { MetadataSource, PageRef } from "./source.ts";

interface Manners {
  /** How many pages are read at once. */
  atOnce: number;
  /** What is left in peace together; of a small number. */
  hostOf(page: PageRef): string;
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** Asks a source for few pages at once, and nothing of a host that refuses again and again. */
export function createPoliteSource(
  source: MetadataSource,
  { atOnce, hostOf, now = Date.now }: Manners,
): MetadataSource {
  const limit = pLimit(atOnce);
  const moods = new Map<string, HostMood>();
  const moodOf = (host: string) => moods.get(host) ?? CALM;
  return {
    freshForMs: source.freshForMs,
    read: (page, signal) =>
      limit(async () => {
        signal.throwIfAborted();
        const host = hostOf(page);
        if (isResting(moodOf(host), now())) return { kind: "nothing", outcome: "resting" };
        const reading = await source.read(page, signal);
        moods.set(host, moodAfter(moodOf(host), reading, now()));
        return reading;
      }),
  };
}
