import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface Cipher {
  /** Encrypts with the newest key. @param owner the same owner must be given to `decrypt` */
  encrypt(text: string, owner: string): string;
  /** @throws DecryptionError if the key is unknown, the text was modified, or the owner differs */
  decrypt(encrypted: string, owner: string): string;
}

export class DecryptionError extends Error {
  override readonly name = "DecryptionError";
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: key id, a dot, then nonce, tag and ciphertext in base64url. @param secrets newest first; the others only decrypt */
export function createCipher(secrets: readonly string[]): Cipher {
  const keys = secrets.map(deriveKey);
  const [newest] = keys;
  if (newest === undefined) throw new TypeError("createCipher needs at least one secret");

  return {
    encrypt(text, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, newest.key, nonce).setAAD(Buffer.from(owner));
      const cipherText = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      const packed = Buffer.concat([nonce, cipher.getAuthTag(), cipherText]);
      return `${newest.id}.${packed.toString("base64url")}`;
    },

    decrypt(encrypted, owner) {
      const [id = "", text = ""] = encrypted.split(".");
      const match = keys.find((key) => key.id === id);
      if (match === undefined) throw new DecryptionError("No key for this encrypted text");
      const packed = Buffer.from(text, "base64url");
      const nonce = packed.subarray(0, NONCE_BYTES);
      const tag = packed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const cipherText = packed.subarray(NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv(CIPHER, match.key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
        return decipher.update(cipherText, undefined, "utf8") + decipher.final("utf8");
      } catch (cause) {
        throw new DecryptionError("The encrypted text was modified or belongs to another owner", { cause });
      }
    },
  };
}

/** The id identifies the key without revealing anything about it. */
function deriveKey(secret: string): { id: string; key: Buffer } {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "", `tapthru encrypted texts, ${purpose}`, bytes));
  return { id: derive("id", 6).toString("base64url"), key: derive("key", 32) };
}

/** Encrypts the secrets of webhooks for storage. A secret that was encrypted for one user cannot be decrypted for another. */
export interface WebhookSecrets {
  encrypt(secret: string, userId: number): string;
  /** @throws DecryptionError */
  decrypt(encrypted: string, userId: number): string;
}

/** @param keys WEBHOOK_KEYS, newest first */
export function createWebhookSecrets(keys: readonly string[]): WebhookSecrets {
  const cipher = createCipher(keys);
  const ownerOf = (userId: number) => `webhooks of user ${userId}`;
  return {
    encrypt: (secret, userId) => cipher.encrypt(secret, ownerOf(userId)),
    decrypt: (encrypted, userId) => cipher.decrypt(encrypted, ownerOf(userId)),
  };
}

export interface CertificateKeys {
  /** @param owner a host, or the address of an authority's directory */
  encrypt(key: string, owner: string): string;
  /** @throws DecryptionError */
  decrypt(encrypted: string, owner: string): string;
}

/** @param keys ENCRYPTION_KEYS, newest first */
export function createCertificateKeys(keys: readonly string[]): CertificateKeys {
  const cipher = createCipher(keys);
  const ownerOf = (owner: string) => `certificate of ${owner}`;
  return {
    encrypt: (key, owner) => cipher.encrypt(key, ownerOf(owner)),
    decrypt: (encrypted, owner) => cipher.decrypt(encrypted, ownerOf(owner)),
  };
}
