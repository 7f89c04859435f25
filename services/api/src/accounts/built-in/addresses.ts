import { randomBytes } from "node:crypto";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { sql } from "slonik";
import * as z from "zod/mini";
import { ApiError } from "../../errors.ts";

/**
 * Decides which user has an email address. The library identifies a login by its unique column `email`. Anyone can sign up with any address,
 * which is in `address`: the first has it in `email` too, each further one a placeholder, until one of them confirms it.
 */
export type Addresses = ReturnType<typeof createAddresses>;

const PLACEHOLDER_DOMAIN = "unconfirmed.invalid";
const Nothing = z.object({});

/** A login that no one can enter: RFC 2606 reserves the domain. */
export function placeholderEmail(): string {
  return `${randomBytes(16).toString("hex")}@${PLACEHOLDER_DOMAIN}`;
}

export function createAddresses(db: Db<"query" | "exists">) {
  /**
   * Takes an address from the identity that has it without having confirmed it.
   * @param accountId of the identity that may keep it, at an OpenID provider
   */
  async function takeFromUnconfirmed(email: string, accountId = ""): Promise<void> {
    await db.query(sql.type(Nothing)`
      UPDATE identity."user" AS owner SET email = ${placeholderEmail()}
      WHERE email = ${email} AND NOT "emailVerified" AND NOT EXISTS (
        SELECT FROM identity.account WHERE "userId" = owner.id AND "accountId" = ${accountId}
      )
    `);
  }

  /** Whether another identity has confirmed the address of this one. */
  const isConfirmedByOther = (userId: string) =>
    db.exists(sql.type(Nothing)`
      SELECT FROM identity."user" AS own
      JOIN identity."user" AS other ON other.email = own.address
      WHERE own.id = ${userId} AND other.id <> own.id AND other."emailVerified"
    `);

  return {
    takeFromUnconfirmed,
    isConfirmedByOther,

    /** @throws ApiError if another identity has confirmed the address */
    async prepareConfirmation(userId: string): Promise<void> {
      if (await isConfirmedByOther(userId)) throw new ApiError("email-link-invalid");
    },

    /** Gives a confirmed address to its identity. */
    async assignConfirmed(userId: string): Promise<void> {
      await db.query(sql.type(Nothing)`
        UPDATE identity."user" AS other SET email = ${placeholderEmail()}
        FROM identity."user" AS own
        WHERE own.id = ${userId} AND other.email = own.address AND other.id <> own.id
          AND NOT other."emailVerified"
      `);
      await db.query(sql.type(Nothing)`
        UPDATE identity."user" SET email = address WHERE id = ${userId} AND email <> address
      `);
    },
  };
}
