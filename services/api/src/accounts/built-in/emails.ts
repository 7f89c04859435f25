import { randomUUID } from "node:crypto";
import { type EmailToSend, JOBS } from "@tapthru/proto/jobs/catalogue";
import { paths } from "@tapthru/proto/rules/paths";
import { createJobProducer } from "@tapthru/runtime/jobs/producer";
import type { Logger } from "@tapthru/runtime/logger";
import type { RequestRedis } from "@tapthru/runtime/redis/redis";
import { createSealer } from "@tapthru/runtime/sealer";

/** Queues emails that the worker sends. All methods throw RedisUnavailableError. */
export type Emails = ReturnType<typeof createEmails>;

interface EmailsOptions {
  redis: RequestRedis;
  /** ENCRYPTION_KEYS */
  secrets: readonly string[];
  publicBaseUrl: string;
  logger: Logger;
}

export function createEmails({ redis, secrets, publicBaseUrl, logger }: EmailsOptions) {
  const producer = createJobProducer({ jobs: JOBS, redis, logger });
  const sealer = createSealer(secrets);

  function queue(email: EmailToSend): Promise<void> {
    const id = randomUUID();
    const sealed = sealer.seal(JSON.stringify(email), id);
    return producer.add("send-email", { id, sealed }, { requestId: null });
  }

  // In the fragment, which browsers do not send: no log and no Referer has the token.
  const withToken = (path: string, token: string) => `${publicBaseUrl}${path}#token=${token}`;

  return {
    /** Rejects if emails cannot be queued. */
    check: () => redis.run((client) => client.ping()),
    sendConfirmation: (to: string, token: string) =>
      queue({ kind: "confirm-email", to, url: withToken(paths.confirmEmail, token) }),
    sendPasswordReset: (to: string, token: string) =>
      queue({ kind: "reset-password", to, url: withToken(paths.resetPassword, token) }),
    /** To somebody whose address was used to sign up again. */
    sendExistingAccount: (to: string) =>
      queue({ kind: "existing-account", to, url: `${publicBaseUrl}${paths.login}` }),
    sendInvitation: (to: string, url: string) => queue({ kind: "invitation", to, url }),
  };
}
