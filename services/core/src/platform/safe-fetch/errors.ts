const MESSAGES = {
  "refused-url": "This address is not allowed.",
  "refused-address": "This host is not on the public internet.",
  unreachable: "The host could not be reached.",
  "bad-response": "The response of the host could not be read.",
  timeout: "The host took too long to respond.",
} as const;

export type SafeFetchErrorCode = keyof typeof MESSAGES;

/**
 * Why a request failed. Omits the cause and any text from the resolver or the remote server, because that text must not
 * appear in responses or logs.
 */
export class SafeFetchError extends Error {
  override readonly name = "SafeFetchError";
  readonly code: SafeFetchErrorCode;

  constructor(code: SafeFetchErrorCode) {
    super(MESSAGES[code]);
    this.code = code;
  }
}
