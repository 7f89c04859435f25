import { createHmac, createSecretKey } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Actor, actAs, currentActor } from "@tapthru/core/platform/actor";
import type { Role } from "@tapthru/proto/call";
import { MCP_PATH } from "@tapthru/proto/mcp";
import type { Context } from "koa";
import { isMember, requireRoleStill } from "./acting.ts";

declare module "koa" {
  interface DefaultState {
    keyName?: string;
    addressHashOf(request: IncomingMessage): string | null;
  }
}

const OPERATOR_PATHS = "/api/operator/";

/**
 * The actor of what a request changes.
 * @param caller what the guard returned
 * @param role that a member needs
 */
export function requestActor(ctx: Context, caller: unknown, role: Role | null = null): Actor {
  const { keyName = null, requestId, personId } = ctx.state;
  const { userId = null } = personId === undefined ? (Object(caller) as Partial<Actor>) : { userId: personId };
  return {
    kind: kindOfActor(ctx.path, { hasKey: keyName !== null, isUser: userId !== null }),
    userId,
    name: keyName,
    requestId,
    addressHash: ctx.state.addressHashOf(ctx.req),
    ...(role !== null && isMember(caller) && { authorize: (tx) => requireRoleStill(tx, caller, role) }),
  };
}

function kindOfActor(path: string, { hasKey, isUser }: { hasKey: boolean; isUser: boolean }): Actor["kind"] {
  if (path === MCP_PATH) return "mcp";
  if (path.startsWith(OPERATOR_PATHS) && isUser) return "operator";
  if (hasKey) return "key";
  return isUser ? "user" : "visitor";
}

/** The rest of a request of a visitor who turned out to be this user, as by their login. */
export function actAsUser<T>(userId: number, work: () => T): T {
  const actor = currentActor();
  return actor?.kind === "visitor" ? actAs({ ...actor, kind: "user", userId }, work) : work();
}

/** The hash of the client's network, by which operators find what else came from there. Null: the client has disconnected. */
export function createAddressHash(secret: string, addressOf: (request: IncomingMessage) => string) {
  const key = createSecretKey(createHmac("sha256", secret).update("network addresses of the audit log").digest());
  return (request: IncomingMessage): string | null =>
    request.socket.remoteAddress === undefined
      ? null
      : createHmac("sha256", key).update(addressOf(request)).digest("hex").slice(0, 32);
}
