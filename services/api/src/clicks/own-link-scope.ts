import type { CommonQueryMethods } from "slonik";
import { ApiError } from "../errors.ts";
import type { ClickScope } from "./click-store.ts";
import { findOwnLinkId } from "./queries.ts";

/** @throws ApiError if the user has no such link */
export async function ownLinkScope(
  db: Pick<CommonQueryMethods, "maybeOne">,
  { userId, shortCode }: { userId: number; shortCode: string },
): Promise<ClickScope> {
  const link = await findOwnLinkId(db, { userId, shortCode });
  if (link === null) throw new ApiError("link-not-found");
  return { userId, link };
}
