import type { QueryClient } from "@tanstack/react-query";
import type { visitor as Visitor } from "@tapthru/proto/http/visitor";
import { HttpError } from "../../../lib/http-client.ts";

const path: (typeof Visitor)["path"] = "/api/visitor";

/**
 * Asks once for the cookie that lets a visitor claim links later, so that a lost reply to the first
 * link loses no claim. A server that refuses it does not stop the link.
 */
export async function ensureVisitor(queryClient: QueryClient): Promise<void> {
  try {
    await queryClient.ensureQueryData({ queryKey: [path], gcTime: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
  }
}
