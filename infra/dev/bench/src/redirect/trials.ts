import { UNKNOWN_LETTERS } from "./codes.ts";
import type { Servers } from "./servers.ts";
import type { Visits } from "./visits.ts";

type Origin = "service" | "bare" | "nginx" | "gateway" | "bareGateway";

/** One line of the table: who is visited how, and who is visited beside him. */
export interface Trial {
  what: string;
  of: Origin & keyof Servers;
  beside: (Origin & keyof Servers) | null;
  visits: Visits;
  /** Of an answer, looked at before. */
  status: number;
}

const SERVED = { of: "service", beside: "bare", status: 302 } as const;

export const ONE_LINK: readonly Trial[] = [
  { ...SERVED, what: "bare Fastify 302", of: "bare", beside: null, visits: {} },
  { ...SERVED, what: "bare nginx 302", of: "nginx", visits: {} },
  { ...SERVED, what: "a link in memory", visits: {} },
  { ...SERVED, what: "a phone's page", visits: { agent: "phone" }, status: 200 },
  { ...SERVED, what: "a preview card", visits: { agent: "crawler" }, status: 200 },
  {
    ...SERVED,
    what: "a link in memory, by the gateway beside nginx and bare Fastify",
    of: "gateway",
    beside: "bareGateway",
    visits: {},
  },
];

/** With that many links in Redis. */
export function manyLinks(links: number): Trial[] {
  const count = links.toLocaleString("en");
  return [
    { ...SERVED, what: `one of ${count} links`, visits: {} },
    { ...SERVED, what: `Zipf over ${count} links`, visits: { links, spread: "zipf" } },
    { ...SERVED, what: `uniform over ${count} links`, visits: { links, spread: "uniform" } },
  ];
}

export const UNKNOWN_CODES: Trial = {
  ...SERVED,
  what: "unknown codes",
  visits: { links: 10 ** 7, spread: "uniform", letters: UNKNOWN_LETTERS },
  status: 404,
};

export const WITHOUT_REDIS: readonly Trial[] = [
  { ...SERVED, what: "a link in memory, Redis stopped", visits: {} },
];
