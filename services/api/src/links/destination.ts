import type { RedisBudget } from "@tapthru/core/platform/redis/budget";
import { parseNewDestination, parseStorePage, type StorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { unusableLink } from "@tapthru/proto/rules/link-errors";
import type { DefaultState } from "koa";
import { ApiError } from "../http/errors.ts";

export type Destination = { kind: "page"; originalUrl: string; page: StorePage } | { kind: "short"; url: string };

export interface ResolveDependencies {
  /** Resolves a short link to its store page. Throws ApiError for every other address. */
  resolveShortLink(url: string, budget: RedisBudget): Promise<string>;
}

/** @param pasted the address as sent. @returns ApiError if it is not an Amazon shopping page */
export function parseDestination(pasted: string): Destination | ApiError {
  const originalUrl = pasted.trim();
  const address = parseNewDestination(originalUrl);
  switch (address.kind) {
    case "refused":
      return new ApiError(address);
    case "short":
      return { kind: "short", url: address.url };
    default:
      return { kind: "page", originalUrl, page: address };
  }
}

/** Resolves a short link; a store page is returned unchanged. @throws ApiError if the link cannot be resolved */
export async function resolveDestination(
  deps: ResolveDependencies,
  destination: Destination,
  budget: RedisBudget,
): Promise<Extract<Destination, { kind: "page" }>> {
  if (destination.kind === "page") return destination;
  const originalUrl = await deps.resolveShortLink(destination.url, budget);
  const page = parseStorePage(originalUrl);
  if (page === null) throw new ApiError(unusableLink);
  return { kind: "page", originalUrl, page };
}

export type RequestState = Pick<DefaultState, "log" | "redisBudget" | "isUnlimited" | "releaseSlotDuring">;

/** The store page that an address as sent leads to. @throws ApiError if it is not an Amazon shopping page, or cannot be resolved */
export async function resolvePage(
  deps: ResolveDependencies,
  url: string,
  { redisBudget, releaseSlotDuring }: RequestState,
): Promise<Extract<Destination, { kind: "page" }>> {
  const parsed = parseDestination(url);
  if (parsed instanceof ApiError) throw parsed;
  return parsed.kind === "page" ? parsed : releaseSlotDuring(() => resolveDestination(deps, parsed, redisBudget));
}
