import { hash } from "node:crypto";
import {
  type ChannelTags,
  findChannelTags,
  NO_CHANNELS,
  newLinkAddresses,
} from "@tapthru/core/links/channel-tags";
import { insertLinks, type LinkToInsert } from "@tapthru/core/links/insert-links";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import type { NewLink } from "@tapthru/proto/http/create-links";
import { SHORT_LINKS_CREATE_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import { sql, UniqueIntegrityConstraintViolationError } from "slonik";
import * as z from "zod/mini";
import { chooseDomain, findUsableDomains, requireAllowedName } from "../domains/link-domains.ts";
import { ApiError } from "../errors.ts";
import type { WhileWaiting } from "../http/shed-load.ts";
import { idempotencyKeyHash, userKey } from "./creator.ts";
import {
  type Destination,
  parseDestination,
  type ResolveDependencies,
  resolveDestination,
} from "./destination.ts";
import {
  INSERTED_LINK,
  LinkRow,
  linkColumns,
  type RecordedLinkRow,
  redirectRecords,
} from "./link-row.ts";
import type { ProjectLinks } from "./project-links.ts";

/** Another request with the same keys can interfere only once; further attempts mean a bug. */
const ATTEMPTS = 3;

export interface CreateLinksDependencies extends ResolveDependencies {
  db: Db<"any" | "transaction">;
  publicBaseUrl: string;
  hasDomains: boolean;
  projectLinks: ProjectLinks;
}

export interface CreateLinksRequest {
  userId: number;
  /** The links, or why one is invalid. */
  links: readonly (NewLink | ApiError)[];
  /** For each link; undefined: without. */
  keyOf(index: number): string | undefined;
  budget: RedisBudget;
  whileWaiting: WhileWaiting;
}

export type CreateResult = { isNew: boolean; link: LinkRow } | ApiError;

interface Item {
  index: number;
  link: NewLink;
  destination: Destination;
  /** Null: the site's own host. */
  domain: string | null;
  /** Hexadecimal hashes; null without a key. */
  key: { keyHash: string; requestHash: string } | null;
}

/** Creates links of a user, or returns those that were created with the same keys. The results are in order. */
export async function createOwnLinks(
  deps: CreateLinksDependencies,
  request: CreateLinksRequest,
): Promise<CreateResult[]> {
  const results: (CreateResult | undefined)[] = [];
  let items = request.links.flatMap((link, index) => {
    const item = link instanceof ApiError ? link : readItem(link, index, request);
    if (!(item instanceof ApiError)) return [item];
    results[index] = item;
    return [];
  });
  const replay = async () => {
    items = await replayKeys(deps, items, results);
  };
  await replay();
  const channels = await findChannels(deps, request);
  items = requireChannels(channels, items, results);
  items = await chooseDomains(deps, request, items, results);
  items = await resolveShortLinks(deps, request, items, results);
  for (let attempt = 0; items.length > 0 && attempt < ATTEMPTS; attempt++) {
    const inserted = await insertItems(deps, request, items, channels);
    if (inserted !== null) {
      for (const { item, row } of inserted) results[item.index] = { isNew: true, link: row };
      // The worker's relay queues the reads of their pages.
      const records = redirectRecords(inserted.map(({ row }) => row));
      await deps.projectLinks(records, request.budget);
      items = items.filter(({ index }) => results[index] === undefined);
    }
    // Another request with the same keys may have created them.
    await replay();
    if (inserted !== null) {
      for (const { index } of items) results[index] = new ApiError("slug-taken");
      items = [];
    }
  }
  return request.links.map((_link, index) => results[index] ?? new ApiError("unavailable"));
}

function readItem(
  link: NewLink,
  index: number,
  { userId, keyOf }: Pick<CreateLinksRequest, "userId" | "keyOf">,
): Item | ApiError {
  const destination = parseDestination(link.url);
  if (destination instanceof ApiError) return destination;
  const key = keyOf(index);
  return {
    index,
    link,
    destination,
    domain: null,
    key:
      key === undefined
        ? null
        : {
            keyHash: idempotencyKeyHash(key, userId).toString("hex"),
            requestHash: hash("sha256", JSON.stringify(link)),
          },
  };
}

/** Adds the results of keys that were used before. @returns the other items */
async function replayKeys(
  { db }: CreateLinksDependencies,
  items: readonly Item[],
  results: (CreateResult | undefined)[],
): Promise<Item[]> {
  const keyHashes = items.flatMap(({ key }) => (key === null ? [] : [key.keyHash]));
  if (keyHashes.length === 0) return [...items];
  const uses = await findKeyUses(db, keyHashes);
  const byKey = new Map(uses.map((use) => [use.keyHash, use]));
  return items.filter(({ index, key }) => {
    const use = key === null ? undefined : byKey.get(key.keyHash);
    if (use === undefined || key === null) return true;
    results[index] = replayOf(use, key.requestHash);
    return false;
  });
}

function replayOf(use: KeyUse, requestHash: string): CreateResult {
  if (use.requestHash !== requestHash) return new ApiError("idempotency-key-reused");
  if (use.takenDown) return new ApiError("unusable-link");
  return { isNew: false, link: use };
}

/** Reads the user's channels if a link names one or uses its tag. */
function findChannels(
  { db }: CreateLinksDependencies,
  { userId, links }: CreateLinksRequest,
): ChannelTags | Promise<ChannelTags> {
  const areNeeded = links.some((link) => {
    return !(link instanceof ApiError) && (link.channelId != null || link.usesChannelTag === true);
  });
  return areNeeded ? findChannelTags(db, userId) : NO_CHANNELS;
}

/** @returns the items whose channel, if they name one, is the user's */
function requireChannels(
  channels: ChannelTags,
  items: readonly Item[],
  results: (CreateResult | undefined)[],
): Item[] {
  return items.filter(({ index, link: { channelId = null } }) => {
    if (channelId === null || channels.has(channelId)) return true;
    results[index] = new ApiError("channel-not-found", { field: "channelId" });
    return false;
  });
}

/** @returns the items that can be on the domain that is wanted, or on the user's default domain */
async function chooseDomains(
  deps: CreateLinksDependencies,
  { userId }: CreateLinksRequest,
  items: readonly Item[],
  results: (CreateResult | undefined)[],
): Promise<Item[]> {
  const domains = await findUsableDomains(deps, userId);
  return items.flatMap((item) => {
    try {
      const domain = chooseDomain(domains, item.link.domain);
      if (item.link.slug !== undefined) requireAllowedName(item.link.slug, domain);
      return [{ ...item, domain }];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      results[item.index] = error;
      return [];
    }
  });
}

/** Resolves at most SHORT_LINKS_CREATE_MAX_COUNT of Amazon's short links. @returns the items whose store page is known */
async function resolveShortLinks(
  deps: CreateLinksDependencies,
  { budget, whileWaiting }: CreateLinksRequest,
  items: readonly Item[],
  results: (CreateResult | undefined)[],
): Promise<Item[]> {
  const short = items.filter(({ destination }) => destination.kind === "short");
  for (const { index } of short.slice(SHORT_LINKS_CREATE_MAX_COUNT)) {
    results[index] = new ApiError("too-many-requests", { message: messages.tooManyShortLinks });
  }
  const wanted = short.slice(0, SHORT_LINKS_CREATE_MAX_COUNT);
  if (wanted.length > 0) {
    await whileWaiting(() =>
      Promise.all(
        wanted.map(async (item) => {
          try {
            item.destination = await resolveDestination(deps, item.destination, budget);
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            results[item.index] = error;
          }
        }),
      ),
    );
  }
  return items.filter(({ index }) => results[index] === undefined);
}

interface InsertedItem {
  item: Item;
  row: RecordedLinkRow;
}

/** Inserts all or, if an error is thrown, none. @returns the items whose slug is not taken; null, without inserting any, if another request used one of the keys */
async function insertItems(
  { db, publicBaseUrl }: CreateLinksDependencies,
  { userId }: CreateLinksRequest,
  items: readonly Item[],
  channels: ChannelTags,
): Promise<InsertedItem[] | null> {
  const links = items.map((item) => toInsert(publicBaseUrl, userId, item, channels));
  try {
    const insert = (connection: typeof db) =>
      insertLinks(connection, { userId }, links, INSERTED_LINK);
    const rows = links.length === 1 ? await insert(db) : await db.transaction(insert);
    return items.flatMap((item, at) => {
      const row = rows[at];
      return row === undefined || row === "slug-taken" ? [] : [{ item, row }];
    });
  } catch (error) {
    const isKeyUsed =
      error instanceof UniqueIntegrityConstraintViolationError &&
      error.constraint === "idempotency_keys_pkey";
    if (isKeyUsed) return null;
    throw error;
  }
}

function toInsert(
  publicBaseUrl: string,
  userId: number,
  { link: { url: _, channelId, usesChannelTag, ...link }, destination, domain, key }: Item,
  channels: ChannelTags,
): LinkToInsert {
  if (destination.kind !== "page") throw new Error("The destination is not resolved");
  return {
    ...newLinkAddresses(publicBaseUrl, destination, { channelId, usesChannelTag }, channels),
    ...link,
    domain,
    idempotencyKey: key && {
      visitorKey: userKey(userId),
      keyHash: Buffer.from(key.keyHash, "hex"),
      requestHash: Buffer.from(key.requestHash, "hex"),
    },
  };
}

const KeyUse = z.extend(LinkRow, {
  keyHash: z.string(),
  requestHash: z.string(),
});
type KeyUse = z.infer<typeof KeyUse>;

/** The links that keys were used for. Hashes are hexadecimal. */
function findKeyUses(db: Db<"any">, keyHashes: readonly string[]) {
  return db.any(sql.type(KeyUse)`
    SELECT ${linkColumns}, encode(key.key_hash, 'hex') AS "keyHash",
      encode(key.request_hash, 'hex') AS "requestHash"
    FROM idempotency_keys key
    JOIN links link USING (short_code) LEFT JOIN products product USING (canonical_url)
    WHERE key.key_hash IN (
      SELECT decode(hash, 'hex') FROM unnest(${sql.array(keyHashes, "text")}) AS hash
    )
  `);
}
