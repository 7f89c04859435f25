type Json = Record<string, unknown>;

const load = () => import("@simplewebauthn/browser");

export const supportsPasskeys = () => typeof PublicKeyCredential === "function";

/** Returns true if the user has closed the browser's dialog, or has opened another one. */
export const isPasskeyCancelled = ({ name }: Error) => name === "NotAllowedError" || name === "AbortError";

export async function requestPasskey(options: Json): Promise<Json> {
  const { startAuthentication } = await load();
  return { ...(await startAuthentication({ optionsJSON: options as never })) };
}

export async function createPasskey(options: Json): Promise<Json> {
  const { startRegistration } = await load();
  return { ...(await startRegistration({ optionsJSON: options as never })) };
}
