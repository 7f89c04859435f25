import { tag as tagSchema } from "@tapthru/proto/fields";
import { LINKS_BATCH_MAX_COUNT } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { useCall } from "../../kit/use-call.ts";
import { callApi } from "../../lib/http/call-api.ts";
import { errorText, SaidError } from "../../lib/http/http-client.ts";
import { sendInParts } from "../../lib/http/send-in-parts.ts";
import { listLinkIds } from "../../lib/link-ids.ts";
import { linkCountText } from "../../lib/names.ts";
import type { ChannelTag } from "./store-values.ts";

/** @param count how many links have the tags now @param areLeft whether some of those without a tag could not be given it */
export function savedText({ linkCount: count, areLeft }: { linkCount: number; areLeft: boolean }): string {
  const given = count === 0 ? "" : ` ${linkCountText(count)} now ${count === 1 ? "has" : "have"} the tag.`;
  return `Saved.${given}${areLeft ? " Some links without a tag did not get it." : ""}`;
}

const FAILED = "Not saved. Please try again.";

/** The changes that were not saved, each with the message for its field. The others are. */
export class NotSaved extends SaidError {
  readonly failures: readonly { change: ChannelTag; message: string }[];
  constructor(failures: NotSaved["failures"]) {
    super(failures[0]?.message ?? FAILED);
    this.failures = failures;
  }
}

/**
 * Saves the valid changes; an empty tag is removed, and links of the channel to the store without a tag get a new one.
 * @param done says in a toast how many links now have the tags
 */
export const useSaveStores = (done?: typeof savedText) =>
  // Later changes follow earlier ones.
  useCall("PUT /api/channels/:id/tags", { send: saveAll, isQueued: true, done });

async function saveAll(changes: readonly ChannelTag[]) {
  const results = await Promise.all(changes.map(async (change) => ({ change, ...(await save(change)) })));
  const failures = results.flatMap(({ change, message }) => (message === undefined ? [] : { change, message }));
  if (failures.length > 0) throw new NotSaved(failures);
  const linkCount = results.reduce((sum, { linkCount = 0 }) => sum + linkCount, 0);
  return { linkCount, areLeft: results.some(({ areLeft }) => areLeft) };
}

type Saved = { message?: string; linkCount?: number; areLeft?: boolean };

async function save(change: ChannelTag): Promise<Saved> {
  const { channelId, marketplace, tag } = change;
  const params = { id: String(channelId) };
  const problem = tag === "" ? undefined : z.safeParse(tagSchema, tag).error?.issues[0]?.message;
  if (problem !== undefined) return { message: problem };
  try {
    if (tag === "") {
      await callApi("DELETE /api/channels/:id/tags/:marketplace", { params: { ...params, marketplace } });
      return {};
    }
    const { linkCount } = await callApi("PUT /api/channels/:id/tags", { params, body: { marketplace, tag } });
    // The tag is saved then.
    const given = await giveToUntagged(change).catch(() => ({ linkCount: 0, areLeft: true }));
    return { ...given, linkCount: linkCount + given.linkCount };
  } catch (error) {
    return { message: errorText(error, FAILED) };
  }
}

async function giveToUntagged({ channelId, marketplace }: ChannelTag) {
  const linkIds = await listLinkIds({ show: "no-tag", channel: String(channelId), store: marketplace });
  if (linkIds.length === 0) return { linkCount: 0, areLeft: false };
  const { replies } = await sendInParts(linkIds, LINKS_BATCH_MAX_COUNT, (ids) =>
    callApi("PUT /api/links/bulk/channel", { body: { ids, channelId, usesChannelTag: true }, keepalive: true }),
  );
  const linkCount = replies.flatMap(({ results }) => results).filter(({ error }) => error === null).length;
  return { linkCount, areLeft: linkCount < linkIds.length };
}
