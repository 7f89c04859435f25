import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface Sealer {
  /** Encrypts with the newest key. @param owner the same owner must be given to `open` */
  seal(text: string, owner: string): string;
  /** @throws SealError if the key is unknown, the text was modified, or the owner differs */
  open(sealed: string, owner: string): string;
}

export class SealError extends Error {
  override readonly name = "SealError";
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: key id, a dot, then nonce, tag and ciphertext in base64url. @param secrets newest first; the others only decrypt */
export function createSealer(secrets: readonly string[]): Sealer {
  const keys = secrets.map(deriveKey);
  const [newest] = keys;
  if (newest === undefined) throw new TypeError("createSealer needs at least one secret");

  return {
    seal(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, newest.key, nonce).setAAD(Buffer.from(owner));
      const cipherText = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      const packed = Buffer.concat([nonce, cipher.getAuthTag(), cipherText]);
      return `${newest.id}.${packed.toString("base64url")}`;
    },

    open(sealed, owner) {
      const [id = "", text = ""] = sealed.split(".");
      const match = keys.find((key) => key.id === id);
      if (match === undefined) throw new SealError("No key for this sealed text");
      const packed = Buffer.from(text, "base64url");
      const nonce = packed.subarray(0, NONCE_BYTES);
      const tag = packed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const cipherText = packed.subarray(NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv(CIPHER, match.key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
        return decipher.update(cipherText, undefined, "utf8") + decipher.final("utf8");
      } catch (cause) {
        throw new SealError("The sealed text was modified or belongs to another owner", { cause });
      }
    },
  };
}

/** The id identifies the key without revealing anything about it. */
function deriveKey(secret: string): { id: string; key: Buffer } {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "", `tapthru sealed texts, ${purpose}`, bytes));
  return { id: derive("id", 6).toString("base64url"), key: derive("key", 32) };
}

/** Encrypts the secrets of webhooks for storage. A secret that was sealed for one user cannot be opened for another. */
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

export interface CertificateKeys {
  /** @param owner a host, or the address of an authority's directory */
  seal(key: string, owner: string): string;
  /** @throws SealError */
  open(sealed: string, owner: string): string;
}

/** @param keys ENCRYPTION_KEYS, newest first */
export function createCertificateKeys(keys: readonly string[]): CertificateKeys {
  const sealer = createSealer(keys);
  const ownerOf = (owner: string) => `certificate of ${owner}`;
  return {
    seal: (key, owner) => sealer.seal(key, ownerOf(owner)),
    open: (sealed, owner) => sealer.open(sealed, ownerOf(owner)),
  };
}
