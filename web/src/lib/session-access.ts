/** What calls to the api need of the session. */
export interface SessionAccess {
  /** The ID token of who is signed in, else null. */
  getToken(): Promise<string | null>;
  /** Opens the backend's session again, and says whether it is there now. */
  renew(): Promise<boolean>;
}

const SIGNED_OUT: SessionAccess = { getToken: async () => null, renew: async () => false };

let access = SIGNED_OUT;

/** From now on calls use this session; gives the function that ends it. */
export function setSessionAccess(session: SessionAccess): () => void {
  access = session;
  return () => {
    if (access === session) access = SIGNED_OUT;
  };
}

/** Headers that say who is signed in, for calls that work without a session too. */
export async function authHeaders(): Promise<Record<string, string>> {
  const token = await access.getToken();
  return token ? { Authorization: `Bearer ${token}` } : {};
}

export function renewSession(): Promise<boolean> {
  return access.renew();
}
