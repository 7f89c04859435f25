import { randomUUID } from "node:crypto";
import { createCipher } from "@tapthru/core/platform/cipher";
import { createJobProducer } from "@tapthru/core/platform/jobs/producer";
import { queuePrefix } from "@tapthru/core/platform/jobs/queue";
import type { Logger } from "@tapthru/core/platform/logger";
import type { RedisClient } from "@tapthru/core/platform/redis/client";
import type { RequestRedis } from "@tapthru/core/platform/redis/redis";
import { type EmailToSend, JOBS } from "@tapthru/proto/jobs/catalogue";
import { paths } from "@tapthru/proto/rules/paths";

/** Queues emails that the worker sends. All methods throw RedisUnavailableError. */
export type Emails = ReturnType<typeof createEmails>;

export interface Recipient {
  to: string;
  /** The user name of the account. Absent unless the address is known to be the user's: strangers choose names. */
  displayName?: string | undefined;
  /** When the account was created, by which people know it without a name. */
  createdAt?: string;
}

const EMAIL_MAX_BYTES = 8_192;

/** The same for all addresses of a mailbox that providers derive from one, as `an.na+shop@` from `anna@`. */
const mailboxOf = (address: string) =>
  address.toLowerCase().replace(/^([^+@]*)[^@]*/, (_, name: string) => name.replaceAll(".", ""));

export function createEmails(options: {
  redis: RequestRedis;
  /** ENCRYPTION_KEYS */
  secrets: readonly string[];
  publicBaseUrl: string;
  /** Null without a limit. */
  maxPerHour: number | null;
  dailyPseudonym(address: string): string;
  logger: Logger;
}) {
  const { redis, secrets, publicBaseUrl, maxPerHour, dailyPseudonym, logger } = options;
  const producer = createJobProducer({ jobs: JOBS, redis, logger });
  const cipher = createCipher(secrets);

  /** Strangers can have emails sent to any address: there are not more of them than its owner would ask for. */
  async function queue(email: EmailToSend): Promise<void> {
    const key = `emails:${email.kind}:${dailyPseudonym(mailboxOf(email.to))}`;
    const count = async (client: RedisClient) => {
      await client.set(key, 0, "EX", 3_600, "NX");
      return await client.incr(key);
    };
    if (maxPerHour !== null && (await redis.run(count)) > maxPerHour) return;
    const id = randomUUID();
    const encrypted = cipher.encrypt(JSON.stringify(email), id);
    await producer.add("send-email", { id, encrypted }, { requestId: null });
  }

  // In the fragment, which browsers do not send: no log and no Referer has the token.
  const withToken = (path: string, token: string) => `${publicBaseUrl}${path}#token=${token}`;

  return {
    /** Rejects if emails cannot be queued, also because Redis is full: it writes as much as one. */
    check: () =>
      redis.run(async (client) => {
        const key = `${queuePrefix(client)}:room`;
        await client.set(key, "-".repeat(EMAIL_MAX_BYTES), "EX", 60);
        await client.set(key, "", "EX", 60);
      }),
    sendConfirmation: (account: Recipient, token: string) =>
      queue({ kind: "confirm-email", ...account, url: withToken(paths.confirmEmail, token) }),
    sendEmailChange: (account: Recipient, token: string) =>
      queue({ kind: "change-email", ...account, url: withToken(paths.confirmEmail, token) }),
    sendPasswordReset: (account: Recipient, token: string) =>
      queue({ kind: "reset-password", ...account, url: withToken(paths.resetPassword, token) }),
    sendExistingAccount: (to: string) => queue({ kind: "existing-account", to, url: `${publicBaseUrl}${paths.login}` }),
    sendNotice: (kind: EmailToSend["kind"], account: Recipient) =>
      queue({ kind, ...account, url: `${publicBaseUrl}${paths.security}` }),
    sendInvitation: (to: string, url: string) => queue({ kind: "invitation", to, url }),
  };
}
