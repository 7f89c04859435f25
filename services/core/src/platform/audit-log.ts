import { AsyncLocalStorage } from "node:async_hooks";
import type { ActorKind } from "@tapthru/proto/activity";
import { type CommonQueryMethods, sql } from "slonik";
import * as z from "zod/mini";

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

/** Triggers record what the work changes in Postgres as changes of this actor. */
export function actAs<T>(actor: Actor, work: () => T): T {
  return actors.run(actor, work);
}

/** @returns null if changes are not recorded, as they only follow from others */
export function currentActor(): Actor | null {
  return actors.getStore() ?? null;
}

/** The job changes something by itself, not because a person changed something. */
export function actAsJob<T>(name: string, work: () => T): T {
  return actAs({ kind: "job", userId: null, name, requestId: null, addressHash: null }, work);
}

/** Nothing that the work changes is recorded, because it only follows from a change that was. */
export function withoutActor<T>(work: () => T): T {
  return actors.exit(work);
}

/** The setting `tapthru.actor` of a transaction. It is empty if nothing is recorded. */
function actorSetting(): string {
  const actor = currentActor();
  return actor === null ? "" : JSON.stringify({ ...actor, authorize: undefined });
}

/** A statement that is alone in its transaction may have it itself, where further round trips to Postgres would cost too much. */
export const setActor = () => sql.fragment`set_config('tapthru.actor', ${actorSetting()}, true)`;

/**
 * Keeps what the rest of the transaction changes out of the audit log. It only follows from another change in it, such as that a
 * deleted channel loses its tags.
 */
export async function endRecording(transaction: Pick<CommonQueryMethods, "query">): Promise<void> {
  await transaction.query(sql.type(z.object({}))`SELECT set_config('tapthru.actor', '', true)`);
}

/** A change that is not one of a row, such as the end of all sessions. */
export interface Action {
  /** Kind of object and what happened, such as `sessions.ended`. */
  action: string;
  objectId: string;
  /** People know the object by this name. */
  object: string;
  ownerId: number | null;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  /** That of the network address that it is about, instead of the actor's. */
  addressHash?: string;
}

/**
 * Records a change that no trigger sees, in the transaction that makes it, or before it is made elsewhere. As with triggers, nothing is
 * recorded without an actor.
 */
export async function recordAction(db: Pick<CommonQueryMethods, "query">, change: Action): Promise<void> {
  const { action, objectId, object, ownerId, before, after, addressHash = null } = change;
  const json = (columns?: object) => sql.fragment`${columns ? JSON.stringify(columns) : null}::jsonb`;
  await db.query(sql.type(z.object({}))`
    SELECT add_to_audit_log(${action}, ${objectId}, ${object}, ${ownerId}, ${json(before)}, ${json(after)}, ${addressHash})
  `);
}
