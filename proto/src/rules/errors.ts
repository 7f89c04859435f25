import { LINK_ERRORS } from "./link-errors.ts";
import { LOGIN_ERRORS } from "./login-errors.ts";
import { messages } from "./messages.ts";

interface ErrorDefinition {
  /** HTTP status. */
  status: number;
  /** One sentence for users: the text/plain body, and `title` of a problem. */
  message: string;
}

const { smallPages } = messages;

/**
 * All error responses of the api, including those that the gateway sends on its behalf, by stable code. Clients must rely
 * on the code, not on the message. Codes may be added; a code is never renamed or given another meaning, because open tabs of an
 * earlier release depend on it.
 */
export const ERRORS = {
  ...LINK_ERRORS,
  ...LOGIN_ERRORS,
  "account-deleted": { status: 403, message: messages.accountDeleted },
  "account-not-found": { status: 404, message: messages.accountNotFound },
  "address-too-long": { status: 414, message: smallPages.addressTooLong.sentence },
  "bad-gateway": { status: 502, message: messages.unavailable },
  "bad-idempotency-key": { status: 400, message: messages.badIdempotencyKey },
  "bad-key": { status: 401, message: messages.badKey },
  "bad-origin": { status: 403, message: messages.foreignOrigin },
  "bad-token": { status: 401, message: messages.badToken },
  "body-too-large": { status: 413, message: messages.bodyTooLarge },
  "csv-expected": { status: 415, message: messages.csvExpected },
  "domain-not-found": { status: 404, message: messages.domainNotFound },
  "domain-not-usable": { status: 422, message: messages.domainNotUsable },
  "domain-refused": { status: 422, message: messages.domainMalformed },
  "domains-off": { status: 403, message: messages.domainsOff },
  "email-differs": { status: 422, message: messages.emailDiffers },
  "email-taken": { status: 409, message: messages.emailTaken },
  "gateway-timeout": { status: 504, message: smallPages.tooSlow.sentence },
  "headers-too-large": { status: 431, message: smallPages.headersTooLarge.sentence },
  "http-version-not-supported": { status: 505, message: smallPages.oldHttp.sentence },
  "idempotency-key-reused": { status: 422, message: messages.idempotencyKeyReused },
  "import-empty": { status: 422, message: messages.emptyFile },
  "import-file-too-large": { status: 413, message: messages.importFileTooLarge },
  "import-format-unknown": { status: 422, message: messages.unknownFileFormat },
  "import-not-ended": { status: 409, message: messages.importNotEnded },
  "import-not-found": { status: 404, message: messages.importNotFound },
  "import-not-started": { status: 409, message: messages.importNotStarted },
  "import-running": { status: 409, message: messages.importRunning },
  "import-started": { status: 409, message: messages.importStarted },
  "import-too-many-columns": { status: 422, message: messages.tooManyImportColumns },
  "import-too-many-lines": { status: 422, message: messages.tooManyImportLines },
  "import-unreadable": { status: 422, message: messages.unreadableFile },
  internal: { status: 500, message: messages.internalError },
  "invalid-body": { status: 422, message: messages.malformedRequest },
  "invalid-query": { status: 400, message: messages.malformedRequest },
  "invitation-invalid": { status: 403, message: messages.invitationInvalid },
  "key-not-allowed": { status: 403, message: messages.keyNotAllowed },
  "key-required": { status: 401, message: messages.keyRequired },
  "label-not-found": { status: 404, message: messages.labelNotFound },
  "label-taken": { status: 409, message: messages.labelTaken },
  "link-expired": { status: 410, message: messages.linkExpired },
  "link-not-available": { status: 410, message: messages.linkNotAvailable },
  "link-not-found": { status: 404, message: messages.linkNotFound },
  "link-taken-down": { status: 403, message: messages.linkNotAvailable },
  "login-required": { status: 401, message: messages.loginRequired },
  "malformed-body": { status: 400, message: messages.malformedRequest },
  "malformed-request": { status: 400, message: messages.malformedRequest },
  "method-not-allowed": { status: 405, message: messages.methodNotAllowed },
  "missing-scope-clicks-read": { status: 403, message: messages.missingScope("clicks:read") },
  "missing-scope-links-read": { status: 403, message: messages.missingScope("links:read") },
  "missing-scope-links-write": { status: 403, message: messages.missingScope("links:write") },
  "not-a-short-link": { status: 422, message: messages.notAShortLink },
  "not-allowed": { status: 403, message: messages.notAllowed },
  "not-configured": { status: 503, message: messages.adsNotConfigured },
  "not-found": { status: 404, message: messages.notFound },
  "not-implemented": { status: 501, message: smallPages.notOffered.sentence },
  "pattern-not-found": { status: 404, message: messages.patternNotFound },
  "recent-login-required": { status: 403, message: messages.recentLoginRequired },
  "root-link-fixed": { status: 422, message: messages.rootLinkFixed },
  "short-link-failed": { status: 502, message: messages.failedToProcessShortLink },
  "short-link-too-slow": { status: 504, message: messages.failedToProcessShortLink },
  "sign-up-closed": { status: 403, message: messages.signUpClosed },
  "slug-taken": { status: 409, message: messages.slugTaken },
  "too-many-domains": { status: 409, message: messages.tooManyDomains },
  "too-many-keys": { status: 409, message: messages.tooManyKeys },
  "too-many-labels": { status: 422, message: messages.tooManyLabels },
  "too-many-labels-on-link": { status: 422, message: messages.tooManyLabelsOnLink },
  "too-many-requests": { status: 429, message: messages.tooManyRequests },
  "too-many-short-codes": { status: 409, message: messages.tooManyShortCodes },
  "too-many-patterns": { status: 409, message: messages.tooManyPatterns },
  "too-many-webhooks": { status: 409, message: messages.tooManyWebhooks },
  unavailable: { status: 503, message: messages.unavailable },
  "unsupported-media-type": { status: 415, message: messages.jsonExpected },
  "upload-too-slow": { status: 408, message: messages.uploadTooSlow },
  "username-taken": { status: 409, message: messages.usernameTaken },
  "webhook-disabled": { status: 409, message: messages.webhookIsDisabled },
  "webhook-not-found": { status: 404, message: messages.webhookNotFound },
  "webhook-secret-renewed": { status: 409, message: messages.webhookSecretRenewed },
  "webhooks-not-configured": { status: 503, message: messages.webhooksNotConfigured },
  "webhook-url-refused": { status: 422, message: messages.webhookUrlRefused },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof ERRORS;
