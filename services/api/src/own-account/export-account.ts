import { Readable } from "node:stream";
import type { LinkHistory } from "@tapthru/proto/http/link-history";
import { type AccountExport, ExportedLink, exportAccount } from "@tapthru/proto/http/own-account";
import type { RedisBudget } from "@tapthru/runtime/redis/budget";
import type { CommonQueryMethods } from "slonik";
import * as z from "zod/mini";
import { findSessionUser } from "../accounts/session-user.ts";
import { userReply } from "../accounts/user-reply.ts";
import { connectionReply } from "../amazon-ads/connection-reply.ts";
import { findConnection } from "../amazon-ads/queries.ts";
import type { ClickStore, ExportedClicks } from "../clicks/click-store.ts";
import { keyEventReply, keyReply } from "../keys/key-reply.ts";
import { findKeyEvents, findKeys } from "../keys/queries.ts";
import { linkHistories } from "../links/link-history.ts";
import { linkReply } from "../links/link-reply.ts";
import { listLinks } from "../links/own-links.ts";
import { patternReply } from "../patterns/pattern-reply.ts";
import { findPatterns } from "../patterns/queries.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { LiveSession } from "../sessions/sessions.ts";
import { listUserSessions } from "../sessions/user-sessions.ts";
import { findStoreTags } from "../stores/queries.ts";

const LINKS_PER_PAGE = 200;

const Head = z.omit(exportAccount.replies[200], { links: true });
type Head = Omit<AccountExport, "links">;

type LinksPage = Awaited<ReturnType<typeof listLinks>>;

interface LinkWithClicks {
  row: LinksPage["links"][number];
  clicks: ExportedClicks;
  history: LinkHistory;
}

export interface ExportDependencies {
  db: Pick<CommonQueryMethods, "any" | "maybeOne">;
  clickStore: Pick<ClickStore, "export">;
  sessionStore: Pick<SessionStore, "list">;
  publicBaseUrl: string;
}

/**
 * Streams all data of a user as the JSON of `AccountExport`. Resolves after the first queries to Postgres and Redis
 * succeed, and reads further links while streaming.
 */
export async function accountExport(
  deps: ExportDependencies,
  session: Pick<LiveSession, "userId" | "firebaseUid">,
  budget: RedisBudget,
): Promise<Readable> {
  const { db, clickStore, sessionStore, publicBaseUrl } = deps;
  const { userId, firebaseUid } = session;
  const user = await findSessionUser(db, session);
  const [sessions, amazonAds, storeTags, patterns, keys, keyEvents, firstPage] = await Promise.all([
    listUserSessions(sessionStore, session, budget),
    findConnection(db, userId),
    findStoreTags(db, userId),
    findPatterns(db, userId),
    findKeys(db, userId),
    findKeyEvents(db, userId),
    listLinks(db, { userId, limit: LINKS_PER_PAGE, order: "newest" }),
  ]);
  const head: Head = {
    exportedAt: new Date().toISOString(),
    user: { ...userReply(user), firebaseUid },
    sessions: sessions.map(({ createdAt, lastSeenAt, userAgent }) => ({
      createdAt: new Date(createdAt).toISOString(),
      lastSeenAt: new Date(lastSeenAt).toISOString(),
      userAgent,
    })),
    amazonAds: amazonAds && connectionReply(amazonAds),
    storeTags: [...storeTags],
    linkPatterns: patterns.map((pattern) => patternReply(pattern, publicBaseUrl)),
    apiKeys: keys.map(keyReply),
    apiKeyEvents: keyEvents.map(keyEventReply),
  };

  async function withClicks({ links }: LinksPage): Promise<LinkWithClicks[]> {
    const ids = links.map(({ id }) => id);
    const [clicks, histories] = await Promise.all([
      clickStore.export(userId, ids),
      linkHistories(db, ids, publicBaseUrl),
    ]);
    return links.map((row) => ({
      row,
      clicks: clicks.get(row.id) ?? [],
      history: histories.get(row.id) ?? { destinations: [], shortCodes: [] },
    }));
  }

  async function* pages(first: LinkWithClicks[]): AsyncGenerator<LinkWithClicks[]> {
    yield first;
    for (let { next } = firstPage; next; ) {
      const query = { userId, limit: LINKS_PER_PAGE, order: "newest", cursor: next } as const;
      const page = await listLinks(db, query);
      yield await withClicks(page);
      next = page.next;
    }
  }
  const serializeLink = ({ row, ...rest }: LinkWithClicks) =>
    JSON.stringify(z.parse(ExportedLink, { ...linkReply(row, publicBaseUrl), ...rest }));
  const firstLinks = await withClicks(firstPage);
  return Readable.from(streamJson(z.parse(Head, head), pages(firstLinks), serializeLink));
}

async function* streamJson<Row>(
  head: Head,
  pages: AsyncIterable<readonly Row[]>,
  serialize: (row: Row) => string,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"links":[`;
  let separator = "";
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield separator + rows.map(serialize).join(",\n");
    separator = ",\n";
  }
  yield "]}\n";
}
