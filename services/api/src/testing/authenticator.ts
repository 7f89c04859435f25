import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
/** In CBOR: a text or bytes of less than 256 bytes. */
const cbor = (value: string | Buffer) => {
  const bytes = Buffer.from(value);
  const kind = typeof value === "string" ? 0x60 : 0x40;
  return Buffer.concat([Buffer.from(bytes.length < 24 ? [kind + bytes.length] : [kind + 24, bytes.length]), bytes]);
};
/** A user was present, and entered their PIN. */
const VERIFIED = 0x05;

export function createAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const credential = randomBytes(16);
  const id = credential.toString("base64url");
  const authData = (flags: number, ...rest: Buffer[]) =>
    Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags, 0, 0, 0, 0]), ...rest]);
  const reply = (type: string, challenge: unknown, create: (clientData: Buffer) => Record<string, Buffer>) => {
    const clientData = Buffer.from(JSON.stringify({ type, challenge, origin }));
    const parts = Object.entries({ clientDataJSON: clientData, ...create(clientData) });
    const response = Object.fromEntries(parts.map(([name, bytes]) => [name, bytes.toString("base64url")]));
    return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
  };
  return {
    create: ({ challenge }: { challenge?: unknown }) =>
      reply("webauthn.create", challenge, () => {
        const key = [Buffer.from("a5010203262001", "hex"), Buffer.from("21", "hex"), cbor(Buffer.from(x, "base64url"))];
        const point = [...key, Buffer.from("22", "hex"), cbor(Buffer.from(y, "base64url"))];
        const attested = authData(VERIFIED | 0x40, Buffer.alloc(16), Buffer.from([0, credential.length]), credential);
        const data = Buffer.concat([attested, ...point]);
        const none = [cbor("fmt"), cbor("none"), cbor("attStmt"), Buffer.from("a0", "hex"), cbor("authData")];
        return { attestationObject: Buffer.concat([Buffer.from("a3", "hex"), ...none, cbor(data)]) };
      }),
    use: ({ challenge }: { challenge?: unknown }) =>
      reply("webauthn.get", challenge, (clientData) => {
        const authenticatorData = authData(VERIFIED);
        const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
        return { authenticatorData, signature };
      }),
  };
}
