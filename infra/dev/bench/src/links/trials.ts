import { UNKNOWN_LETTERS } from "../redirect/codes.ts";
import { REDIRECTED, type Trial } from "../redirect/trials.ts";

/** Trials with this number of links in Redis. */
export function manyLinks(links: number): Trial[] {
  const count = links.toLocaleString("en");
  return [
    { ...REDIRECTED, label: `one of ${count} links` },
    { ...REDIRECTED, label: `Zipf over ${count} links`, visits: { links, spread: "zipf" } },
    { ...REDIRECTED, label: `uniform over ${count} links`, visits: { links, spread: "uniform" } },
  ];
}

export const UNKNOWN_CODES: Trial = {
  ...REDIRECTED,
  label: "unknown codes",
  visits: { links: 10 ** 7, spread: "uniform", letters: UNKNOWN_LETTERS },
  status: 404,
};

export const WITHOUT_REDIS: Trial = { ...REDIRECTED, label: "a link in memory, Redis stopped" };
