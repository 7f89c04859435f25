import type { IncomingHttpHeaders } from "node:http";
import { OTHER_PROGRAM, PRETENDER } from "@tapthru/proto/clicks/keys";
import { type Device, parseUserAgent, programIn, type UserAgent } from "@tapthru/proto/rules/agents/agent";
import { ESCAPED_PARAMETER } from "@tapthru/proto/rules/app-opening/app-escape";
import {
  type AppOpeningStrategy,
  type AppOpeningTable,
  chooseStrategy,
} from "@tapthru/proto/rules/app-opening/app-opening";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { type AgentClass, classifyAgent, sendsBrowserHeaders } from "./classify-agent.ts";

/** The facts of a request that a visit needs. `ip` is the visitor's. */
export type VisitRequest = Pick<FastifyRequest, "method" | "url" | "headers"> & {
  /** It is computed at each read, and unknown after the client has disconnected. */
  readonly ip: string | undefined;
};

export interface Client extends UserAgent {
  /** The program's name, if it is no person. */
  program: string;
  agentClass: AgentClass;
  /** True if the browser sends Accept-Language and Sec-Fetch headers with each page view. */
  sendsBrowserHeaders: boolean;
  /** How the page opens the app; null if the client gets no such page. */
  opening: Opening | null;
}

/** How the page opens the app, by a version of the strategy table. */
export interface Opening {
  strategy: AppOpeningStrategy;
  tableVersion: string;
}

export interface Visitor {
  client: Client;
  /** True if the browser prefetches the page, before any tap. */
  isPrefetch: boolean;
  /** True if Google's proxy prefetches the page for a browser that it hides. */
  isProxiedPrefetch: boolean;
  /** True if the visitor left an in-app browser through the page's own link. */
  isEscaped: boolean;
  /** The raw query of the request without the question mark. */
  query: string;
}

/** Length in characters. Longer agents are rare and are not cached. */
const MAX_CACHED_AGENT_LENGTH = 512;
const MAX_CACHED_AGENTS = 2_000;

/** Parses each User-Agent once per strategy table. */
export function createClientParser(currentTable: () => AppOpeningTable) {
  const cache = new LRUCache<string, Client>({ max: MAX_CACHED_AGENTS });
  let table = currentTable();

  return (userAgent: string): Client => {
    if (table !== currentTable()) {
      table = currentTable();
      cache.clear();
    }
    const cached = cache.get(userAgent);
    if (cached !== undefined) return cached;
    const client = parseAgent(userAgent, table);
    if (userAgent.length <= MAX_CACHED_AGENT_LENGTH) cache.set(userAgent, client);
    return client;
  };
}
export type ClientParser = ReturnType<typeof createClientParser>;

function parseAgent(userAgent: string, table: AppOpeningTable): Client {
  const agent = parseUserAgent(userAgent, table.apps);
  const strategy = chooseStrategy(table, agent);
  return {
    ...agent,
    agentClass: classifyAgent(userAgent, agent),
    program: programIn(userAgent) ?? OTHER_PROGRAM,
    sendsBrowserHeaders: sendsBrowserHeaders(userAgent, agent),
    opening: strategy && { strategy, tableVersion: table.version },
  };
}

const BROWSER_HEADERS = ["accept-language", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-fetch-user"];

export function visitorFrom(
  { headers, url }: Pick<VisitRequest, "headers" | "url">,
  parseClient: ClientParser,
): Visitor {
  const queryAt = url.indexOf("?");
  const query = queryAt === -1 ? "" : url.slice(queryAt + 1);
  const client = parseClient(headers["user-agent"] ?? "");
  const isPretended = client.sendsBrowserHeaders && !BROWSER_HEADERS.some((name) => headers[name]);
  return {
    client: isPretended ? { ...client, agentClass: "bot", program: PRETENDER } : client,
    isPrefetch: isPrefetch(headers),
    isProxiedPrefetch: String(headers["sec-purpose"]).includes("anonymous-client-ip"),
    isEscaped: query !== "" && query.split("&").includes(`${ESCAPED_PARAMETER}=1`),
    query,
  };
}

/** How a request is counted. Only a visitor's own page view counts under their device. */
export type VisitorKind = Device | "prefetch";

export function visitorKind({ client, isPrefetch }: Visitor, method: string): VisitorKind {
  const { device } = client;
  const isVisitor = device === "ios" || device === "android" || device === "desktop";
  if (!isVisitor) return device;
  if (method === "HEAD") return "bot";
  return isPrefetch ? "prefetch" : device;
}

/** `Sec-Purpose` is standard. Chrome's `<link rel=prefetch>`, Firefox before 115 and older Safari send the others. */
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
