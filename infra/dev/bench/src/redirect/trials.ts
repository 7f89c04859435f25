import { UNKNOWN_LETTERS } from "./codes.ts";
import type { Servers } from "./servers.ts";
import type { Visits } from "./visits.ts";

type Origin = "service" | "bare" | "nginx" | "gateway" | "bareGateway";

/** One line of the table: the server, its peer and the visits. */
export interface Trial {
  label: string;
  server: Origin & keyof Servers;
  peer: (Origin & keyof Servers) | null;
  visits: Visits;
  /** Expected status, checked before the trial. */
  status: number;
}

const SERVED = { server: "service", peer: "bare", status: 302 } as const;

export const ONE_LINK: readonly Trial[] = [
  { ...SERVED, label: "bare Fastify 302", server: "bare", peer: null, visits: {} },
  { ...SERVED, label: "bare nginx 302", server: "nginx", visits: {} },
  { ...SERVED, label: "a link in memory", visits: {} },
  { ...SERVED, label: "a phone's page", visits: { agent: "phone" }, status: 200 },
  { ...SERVED, label: "a preview card", visits: { agent: "crawler" }, status: 200 },
  {
    ...SERVED,
    label: "a link in memory, through the gateway, beside nginx and bare Fastify",
    server: "gateway",
    peer: "bareGateway",
    visits: {},
  },
];

/** Trials with the given number of links in Redis. */
export function manyLinks(links: number): Trial[] {
  const count = links.toLocaleString("en");
  return [
    { ...SERVED, label: `one of ${count} links`, visits: {} },
    { ...SERVED, label: `Zipf over ${count} links`, visits: { links, spread: "zipf" } },
    { ...SERVED, label: `uniform over ${count} links`, visits: { links, spread: "uniform" } },
  ];
}

export const UNKNOWN_CODES: Trial = {
  ...SERVED,
  label: "unknown codes",
  visits: { links: 10 ** 7, spread: "uniform", letters: UNKNOWN_LETTERS },
  status: 404,
};

export const WITHOUT_REDIS: readonly Trial[] = [
  { ...SERVED, label: "a link in memory, Redis stopped", visits: {} },
];
