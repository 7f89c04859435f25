import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { ResolveShortLink } from "./find-destination.ts";

/** Short links that one worker looks up at once, for all imports. */
const LOOK_UPS_AT_ONCE = 2;
/** At most five look-ups a second. */
const MIN_LOOK_UP_MS = 400;

/** Limits how fast imports request Amazon's short links. Look-ups above the limit wait. */
export function limitLookUps(resolve: ResolveShortLink): ResolveShortLink {
  const limit = pLimit(LOOK_UPS_AT_ONCE);
  return (url) =>
    limit(async () => {
      const [resolution] = await Promise.all([resolve(url), delay(MIN_LOOK_UP_MS)]);
      return resolution;
    });
}
