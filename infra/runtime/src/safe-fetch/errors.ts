const SENTENCES = {
  "refused-url": "This address may not be asked.",
  "refused-address": "This host does not stand on the public internet.",
  unreachable: "The host could not be reached.",
  "bad-answer": "The host gave an answer that cannot be read.",
  timeout: "The host took too long to answer.",
} as const;

export type SafeFetchErrorCode = keyof typeof SENTENCES;

/**
 * Why a request failed. Contains no text from a resolver or the remote side, and no cause: it must reach neither a
 * response nor a log.
 */
export class SafeFetchError extends Error {
  override readonly name = "SafeFetchError";
  readonly code: SafeFetchErrorCode;

  constructor(code: SafeFetchErrorCode) {
    super(SENTENCES[code]);
    this.code = code;
  }
}
