import type { Db } from "@tapthru/core/platform/postgres/postgres";
import type { updateLink as updateLinkCall } from "@tapthru/proto/http/links";
import type { Context } from "koa";
import type * as z from "zod/mini";
import { countUserRequest } from "../http/guards.ts";
import type { RateLimit } from "../http/rate-limits.ts";
import { replaceLabels } from "../labels/labels.ts";
import { changeCode } from "./change-code.ts";
import { changeDestination, type DestinationDependencies } from "./change-destination.ts";
import { changeTag } from "./change-tags.ts";
import type { LinkRow } from "./link-row.ts";
import { getLink, updateLink } from "./user-links.ts";

export interface EditDependencies extends DestinationDependencies {
  db: Db<"any" | "maybeOne" | "oneFirst" | "query" | "transaction">;
  hasDomains: boolean;
  addressOf(request: Context["req"]): string;
  /** Counts changes of slugs, domains and destinations. */
  generateLimit: RateLimit;
}

type Change = Omit<z.output<typeof updateLinkCall.body>, "userId">;

/** Makes the one change of a link of the user. */
export async function editUserLink(
  deps: EditDependencies,
  ctx: Context,
  link: { userId: number; shortCode: string },
  { slug, domain, url, labels: refs, labelsRevision: revision = "", ...change }: Change,
): Promise<LinkRow> {
  const { userId } = link;
  const { channelId, tagSource, ...edit } = change;
  const { redisBudget, whileWaiting, requestId } = ctx.state;
  if (slug !== undefined || domain !== undefined) {
    await countUserRequest(deps.generateLimit, ctx, userId);
    return changeCode(deps, { ...link, slug, domain }, redisBudget);
  }
  if (url !== undefined) {
    const address = deps.addressOf(ctx.req);
    await countUserRequest(deps.generateLimit, ctx, userId);
    const requester = { userId, address, requestId };
    return changeDestination(deps, { ...link, url, requester, budget: redisBudget, whileWaiting });
  }
  if (channelId !== undefined || tagSource !== undefined) {
    return changeTag(deps, link, { channelId, tagSource }, redisBudget);
  }
  if (refs !== undefined) {
    const { id: linkId } = await getLink(deps.db, link);
    await replaceLabels(deps.db, { userId, linkId, refs, revision });
    return getLink(deps.db, link);
  }
  return updateLink(deps, link, edit, redisBudget);
}
