import { UNKNOWN_LETTERS } from "../redirect/codes.ts";
import { REDIRECTED, type Trial } from "../redirect/trials.ts";

/** Compares with visits of one link, by the same service. */
const BESIDE_ONE = { ...REDIRECTED, peer: "service", peerVisits: {} } as const;

/** Trials with this number of links in Redis. */
export function manyLinks(links: number): Trial[] {
  const count = links.toLocaleString("en");
  return [
    { ...REDIRECTED, label: `one of ${count} links` },
    { ...BESIDE_ONE, label: `Zipf over ${count} links`, visits: { links, spread: "zipf" } },
    { ...BESIDE_ONE, label: `uniform over ${count} links`, visits: { links, spread: "uniform" } },
  ];
}

export const UNKNOWN_CODES: Trial = {
  ...BESIDE_ONE,
  label: "unknown codes",
  visits: { links: 10 ** 7, spread: "uniform", letters: UNKNOWN_LETTERS },
  status: 404,
};

export const WITHOUT_REDIS: Trial = { ...REDIRECTED, label: "a link in memory, Redis stopped" };
