/** The header that names the account in which a request acts. Without it, the caller's own, or that of the API key. */
export const ACCOUNT_HEADER = "Tapthru-Account";

/** Its value for the account of the caller. Without a login or a key, the request is refused, also where visitors may call. */
export const OWN_ACCOUNT = "own";
