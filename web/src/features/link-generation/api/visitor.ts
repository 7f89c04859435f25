import type { QueryClient } from "@tanstack/react-query";
import type { visitor as Visitor } from "@tapthru/proto/http/visitor";
import { HttpError } from "../../../lib/http/http-client.ts";

const path: (typeof Visitor)["path"] = "/api/visitor";

/**
 * Requests the claim cookie once, before the first link is created. The visitor can then claim the link even if the
 * response that creates it is lost. HTTP errors are ignored, so that they do not prevent creating the link.
 */
export async function ensureClaimCookie(queryClient: QueryClient): Promise<void> {
  try {
    await queryClient.ensureQueryData({ queryKey: [path], gcTime: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}
