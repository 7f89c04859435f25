import { useMutation, useQueryClient } from "@tanstack/react-query";
import { tag as tagSchema } from "@tapthru/proto/fields";
import { LINKS_BATCH_MAX_COUNT } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import { callApi } from "../../lib/http/call-api.ts";
import { errorText } from "../../lib/http/http-client.ts";
import { sendInParts } from "../../lib/http/send-in-parts.ts";
import { listLinkIds } from "../../lib/link-ids.ts";
import { refreshAfter } from "../../lib/link-lists.ts";
import { linkCountText } from "../../lib/names.ts";
import type { ChannelTag } from "./store-values.ts";

/** @param count how many links have the tags now @param areLeft whether some of those without a tag could not be given it */
export function savedText({ linkCount: count, areLeft }: { linkCount: number; areLeft: boolean }): string {
  const given = count === 0 ? "" : ` ${linkCountText(count)} now ${count === 1 ? "has" : "have"} the tag.`;
  return `Saved.${given}${areLeft ? " Some links without a tag did not get it." : ""}`;
}

const FAILED = "Not saved. Please try again.";

/**
 * Saves the valid changes; an empty tag is removed, and links of the channel to the store without a tag get a new one. Returns the changes
 * that were not saved, and how many links now have the others.
 */
export function useSaveStores() {
  const queryClient = useQueryClient();
  return useMutation({
    // Later changes follow earlier ones.
    scope: { id: "stores" },
    mutationFn: async (changes: readonly ChannelTag[]) => {
      const results = await Promise.all(changes.map(async (change) => ({ change, ...(await save(change)) })));
      const failures = results.flatMap(({ change, message }) => (message === undefined ? [] : { change, message }));
      const linkCount = results.reduce((sum, { linkCount = 0 }) => sum + linkCount, 0);
      return { failures, linkCount, areLeft: results.some(({ areLeft }) => areLeft) };
    },
    onSettled: () => refreshAfter(queryClient, "PUT /api/channels/:id/tags"),
  });
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
