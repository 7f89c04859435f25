/** The header that names the account in which a request acts. Without it, the caller's own, or that of the API key. */
export const ACCOUNT_HEADER = "Tapthru-Account";
