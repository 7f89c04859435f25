import { messages } from "./messages.ts";

/** Errors of the calls for pages only, which the OpenAPI document does not have: logins and the operator's page. */
export const LOGIN_ERRORS = {
  "breached-password": { status: 422, message: messages.passwordBreached },
  "code-used": { status: 401, message: messages.codeUsed },
  "email-link-invalid": { status: 410, message: messages.emailLinkInvalid },
  "email-link-of-other-account": { status: 403, message: messages.emailLinkOfOtherAccount },
  "email-not-configured": { status: 503, message: messages.emailNotConfigured },
  "login-expired": { status: 401, message: messages.loginExpired },
  "passkey-refused": { status: 401, message: messages.passkeyRefused },
  "too-many-passkeys": { status: 409, message: messages.tooManyPasskeys },
  "wrong-code": { status: 401, message: messages.wrongCode },
  "wrong-credentials": { status: 401, message: messages.invalidEmailOrPassword },
} as const;
