type Json = Record<string, unknown>;

/** Safari 16.4 to 18.3 support passkeys, but not their form as JSON. */
export const supportsPasskeys = () =>
  typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;

/** Lets the user choose a passkey. Rejects with a DOMException if they do not. */
export async function requestPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
  return toJson(await navigator.credentials.get({ publicKey }));
}

/** Lets the user create a passkey. Rejects with a DOMException if they do not. */
export async function createPasskey(options: Json): Promise<Json> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
  return toJson(await navigator.credentials.create({ publicKey }));
}

function toJson(credential: Credential | null): Json {
  return { ...(credential as PublicKeyCredential).toJSON() };
}
