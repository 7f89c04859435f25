import type { VisitRequest } from "../visit-request.ts";

const MAX_REMOTE_ADDRESSES = 1_000;

/**
 * Returns `request.ip`, at a fraction of its cost for the usual request: one with a single forwarded address, from a
 * proxy that was seen before.
 */
export function createClientAddress(): (request: VisitRequest) => string {
  const isProxy = new Map<string, boolean>();
  return (request) => {
    const remote = request.raw.socket.remoteAddress ?? "";
    const forwarded = request.headers["x-forwarded-for"];
    if (forwarded === undefined || forwarded === remote) return remote;
    const isSingle = typeof forwarded === "string" && !/[, ]/.test(forwarded);
    if (!isSingle) return request.ip ?? "";
    const known = isProxy.get(remote);
    if (known !== undefined) return known ? forwarded : remote;
    const address = request.ip ?? "";
    if (isProxy.size >= MAX_REMOTE_ADDRESSES) isProxy.clear();
    isProxy.set(remote, address === forwarded);
    return address;
  };
}
