import type { Servers } from "./servers.ts";
import type { Visits } from "./visits.ts";

type ServerName = "service" | "fastify" | "node" | "nginx" | "gateway" | "bareGateway";
type ShortenerName = "kutt" | "chhotoUrl";

/** One line of a table: the server, its peer and the visits. */
export interface Trial {
  label: string;
  server: (ServerName | ShortenerName) & keyof Servers;
  peer: (ServerName & keyof Servers) | null;
  visits: Visits;
  /** By default the same, from a desktop. */
  peerVisits?: Visits;
  /** Expected status, checked before the trial. */
  status: number;
}

export const REDIRECTED = { server: "service", peer: "fastify", status: 302, visits: {} } as const;

export const LINK_IN_MEMORY: Trial = { ...REDIRECTED, label: "a link in memory" };

export const PEERS: readonly Trial[] = [
  { ...REDIRECTED, label: "bare Fastify", server: "fastify", peer: null },
  { ...REDIRECTED, label: "bare node:http", server: "node" },
  { ...REDIRECTED, label: "bare nginx", server: "nginx" },
];

export const SHORTENERS: readonly Trial[] = [
  { ...REDIRECTED, label: "Kutt", server: "kutt" },
  { ...REDIRECTED, label: "chhoto-url", server: "chhotoUrl", status: 307 },
];

export const OTHER_RESPONSES: readonly Trial[] = [
  { ...REDIRECTED, label: "an app-opening page", visits: { agent: "phone" }, status: 200 },
  { ...REDIRECTED, label: "a preview card", visits: { agent: "crawler" }, status: 200 },
  {
    ...REDIRECTED,
    label: "a link in memory, through the gateway, beside nginx and bare Fastify",
    server: "gateway",
    peer: "bareGateway",
  },
];
