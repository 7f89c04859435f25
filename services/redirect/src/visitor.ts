import type { IncomingHttpHeaders } from "node:http";
import { type Device, parseUserAgent, type UserAgent } from "@tapthru/proto/rules/agents/agent";
import { ESCAPED_PARAMETER } from "@tapthru/proto/rules/app-escape";
import {
  type AppOpeningStrategy,
  type AppOpeningTable,
  chooseStrategy,
} from "@tapthru/proto/rules/app-opening";
import { LRUCache } from "lru-cache";

/** What an agent alone decides, the same for all who send it. */
export interface Client extends UserAgent {
  /** How the page opens the app; null for who gets no page. */
  opening: Opening | null;
}

interface Opening {
  row: AppOpeningStrategy;
  tableVersion: string;
}

export interface Visitor {
  client: Client;
  /** The browser fetched ahead of a tap that may never come. */
  isPrefetch: boolean;
  /** Comes by our own way out of an in-app browser. */
  isEscaped: boolean;
  /** The raw query of the request, without its question mark. */
  query: string;
}

/** Longer ones are rare: they are read again each time. */
const CACHED_AGENT_MAX_LENGTH = 512;
const CACHED_AGENTS = 2_000;

/** Reads agents once for each strategy table. */
export function createClientReader(currentTable: () => AppOpeningTable) {
  const known = new LRUCache<string, Client>({ max: CACHED_AGENTS });
  let table = currentTable();

  return (userAgent: string): Client => {
    if (table !== currentTable()) {
      table = currentTable();
      known.clear();
    }
    const before = known.get(userAgent);
    if (before !== undefined) return before;
    const client = readClient(userAgent, table);
    if (userAgent.length <= CACHED_AGENT_MAX_LENGTH) known.set(userAgent, client);
    return client;
  };
}
export type ClientReader = ReturnType<typeof createClientReader>;

function readClient(userAgent: string, table: AppOpeningTable): Client {
  const agent = parseUserAgent(userAgent, table.apps);
  const row = chooseStrategy(table, agent);
  return { ...agent, opening: row === null ? null : { row, tableVersion: table.version } };
}

export function visitorFrom(
  headers: IncomingHttpHeaders,
  url: string,
  readClientOf: ClientReader,
): Visitor {
  const queryAt = url.indexOf("?");
  const query = queryAt === -1 ? "" : url.slice(queryAt + 1);
  return {
    client: readClientOf(headers["user-agent"] ?? ""),
    isPrefetch: isPrefetch(headers),
    isEscaped: query !== "" && query.split("&").includes(`${ESCAPED_PARAMETER}=1`),
    query,
  };
}

/** As what a request counts: only people who asked for the page themselves count as people. */
export type VisitorKind = Device | "prefetch";

export function visitorKind({ client, isPrefetch }: Visitor, method: string): VisitorKind {
  const { device } = client;
  const isPerson = device === "ios" || device === "android" || device === "desktop";
  if (!isPerson) return device;
  if (method === "HEAD") return "bot";
  return isPrefetch ? "prefetch" : device;
}

/** `Sec-Purpose` is today's word; Chrome's links, Firefox before 115 and old Safari had their own. */
function isPrefetch(headers: IncomingHttpHeaders): boolean {
  return (
    startsWith(headers["sec-purpose"], "prefetch") ||
    startsWith(headers.purpose, "prefetch") ||
    startsWith(headers["x-moz"], "prefetch") ||
    startsWith(headers["x-purpose"], "preview")
  );
}

function startsWith(header: string | string[] | undefined, word: string): boolean {
  return typeof header === "string" && header.toLowerCase().startsWith(word);
}
