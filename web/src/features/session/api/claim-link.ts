import type { Link, updateLink as UpdateLink } from "@tapthru/proto/http/links";
import { messages } from "@tapthru/proto/rules/messages";
import { callApi } from "../../../lib/http/call-api.ts";

/** Attaches a link created while signed out to a user. */
export async function claimLink(shortCode: string, userId: number): Promise<Link> {
  try {
    return await callApi<typeof UpdateLink>("PATCH", "/api/links/:shortCode", {
      params: { shortCode },
      body: { userId },
      renewsSession: false,
    });
  } catch (cause) {
    throw new Error(messages.failedToClaimLink, { cause });
  }
}
