import { AsyncLocalStorage } from "node:async_hooks";
import type { ActorKind } from "@tapthru/proto/activity";
import type { CommonQueryMethods } from "slonik";

export interface Actor {
  kind: ActorKind;
  /** Null for a visitor, job or command. */
  userId: number | null;
  /** The name of a key, job or command. */
  name: string | null;
  requestId: string | null;
  /** 16 bytes in hexadecimal; null if there is no network address. */
  addressHash: string | null;
  /** Called at the start of each transaction that changes something. Rejects if the actor may not do it any more. */
  authorize?: (transaction: Pick<CommonQueryMethods, "maybeOne" | "maybeOneFirst">) => Promise<void>;
}

const actors = new AsyncLocalStorage<Actor>();

export function actAs<T>(actor: Actor, work: () => T): T {
  return actors.run(actor, work);
}

/** @returns null if nothing is added to the activity: what happens only follows from something that was */
export function currentActor(): Actor | null {
  return actors.getStore() ?? null;
}

/** Nothing that the work changes is in the activity, because it only follows from a change that is. */
export function withoutActor<T>(work: () => T): T {
  return actors.exit(work);
}

export function actAsJob<T>(name: string, work: () => T): T {
  return actAs({ kind: "job", userId: null, name, requestId: null, addressHash: null }, work);
}
