import { createPrivateKey, createPublicKey, hkdfSync, sign } from "node:crypto";

/** What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** Signs statements with an Ed25519 key. @param secret from which the key is derived */
export function createStatementKey(secret: string) {
  const seed = Buffer.from(hkdfSync("sha256", secret, "", "tapthru statements", 32));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "jwk" }).x ?? "";
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  return {
    /** Base64url. It is also the id of the key. */
    publicKey,
    /** @returns a JWS in its compact form (RFC 7515, 8037) */
    sign(statement: object): string {
      const signed = `${encode({ alg: "EdDSA", kid: publicKey })}.${encode(statement)}`;
      return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
    },
  };
}
