import type { NewLink } from "@tapthru/proto/http/create-links";
import type { Link } from "@tapthru/proto/http/links";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";
import { type CreateLinksDependencies, createOwnLinks } from "./create-links.ts";
import { linkReply } from "./link-reply.ts";

export interface CreatedLink {
  isNew: boolean;
  link: Link;
}

/** Creates links as part of a request. The results are in the order of the links. */
export async function createForUser(
  deps: CreateLinksDependencies,
  ctx: Context,
  userId: number,
  links: readonly (NewLink | ApiError)[],
  keyOf: (index: number) => string | undefined,
): Promise<(CreatedLink | ApiError)[]> {
  const { redisBudget: budget, whileWaiting } = ctx.state;
  const request = { userId, links, keyOf, budget, whileWaiting };
  return (await createOwnLinks(deps, request)).map((result) => {
    if (result instanceof ApiError) return result;
    const link = linkReply(result.link, deps.publicBaseUrl);
    return link.invalid ? new ApiError("unusable-link") : { isNew: result.isNew, link };
  });
}

/** @throws ApiError if the link cannot be created */
export async function createOneForUser(
  deps: CreateLinksDependencies,
  ctx: Context,
  userId: number,
  newLink: NewLink,
  key?: string,
): Promise<CreatedLink> {
  const [result] = await createForUser(deps, ctx, userId, [newLink], () => key);
  if (result === undefined || result instanceof ApiError) throw result ?? new ApiError("internal");
  return result;
}
