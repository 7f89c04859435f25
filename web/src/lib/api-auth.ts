import type { GeneratedLink } from "@tapthru/proto/generate";

export interface ApiAuth {
  /** Waits until it is known who is signed in. Null without a login. */
  headers(): Promise<Record<string, string> | null>;
  /** Opens a new backend session, for a change or to read. Resolves to false if that failed. */
  renew(isChange?: boolean): Promise<boolean>;
  /** Keeps a link that was created while signed out for the user who signs in. Logs a failure. */
  keepLink(link: GeneratedLink): Promise<void>;
}

const SIGNED_OUT: ApiAuth = {
  headers: async () => null,
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

/**
 * Headers that identify the signed-in user and name their account, for calls that also work without a session: the api refuses
 * them if the login has ended. Null for a guest.
 */
export function authHeaders(): Promise<Record<string, string> | null> {
  return access.headers();
}

export function keepLink(link: GeneratedLink): Promise<void> {
  return access.keepLink(link);
}

export function renewSession(isChange: boolean): Promise<boolean> {
  return access.renew(isChange);
}
