import type { GeneratedLink } from "@tapthru/proto/generate";

/** The part of the session that API calls use. */
export interface ApiAuth {
  /** The ID token of the signed-in user, else null. */
  getToken(): Promise<string | null>;
  /** Opens a new backend session. Resolves to false if that failed. */
  renew(): Promise<boolean>;
  /** Keeps a link that was created while signed out for the user who signs in. Logs a failure. */
  keepLink(link: GeneratedLink): Promise<void>;
}

const SIGNED_OUT: ApiAuth = {
  getToken: async () => null,
  renew: async () => false,
  keepLink: async () => {},
};

let access = SIGNED_OUT;

/** Sets the session that API calls use. Returns a function that removes it. */
export function setApiAuth(session: ApiAuth): () => void {
  access = session;
  return () => {
    if (access === session) access = SIGNED_OUT;
  };
}

/** Headers that identify the signed-in user, for calls that also work without a session. */
export async function authHeaders(): Promise<Record<string, string>> {
  const token = await access.getToken();
  return token ? { Authorization: `Bearer ${token}` } : {};
}

export function keepLink(link: GeneratedLink): Promise<void> {
  return access.keepLink(link);
}

export function renewSession(): Promise<boolean> {
  return access.renew();
}
