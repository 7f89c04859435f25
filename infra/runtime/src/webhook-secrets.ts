import { createSealer } from "./sealer.ts";

/** Encrypts the secrets of webhooks for storage. Those of another user's row cannot be opened. */
export interface WebhookSecrets {
  seal(secret: string, userId: number): string;
  /** @throws SealError */
  open(sealed: string, userId: number): string;
}

/** @param keys WEBHOOK_KEYS, newest first */
export function createWebhookSecrets(keys: readonly string[]): WebhookSecrets {
  const sealer = createSealer(keys);
  const ownerOf = (userId: number) => `webhooks of user ${userId}`;
  return {
    seal: (secret, userId) => sealer.seal(secret, ownerOf(userId)),
    open: (sealed, userId) => sealer.open(sealed, ownerOf(userId)),
  };
}
