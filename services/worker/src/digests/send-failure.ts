import * as z from "zod/mini";

/** What nodemailer's errors say, without the response of the server, which may contain addresses. */
export const SendError = z.object({
  code: z.optional(z.string()),
  command: z.optional(z.string()),
  responseCode: z.optional(z.int()),
});
export type SendError = z.infer<typeof SendError>;

/** Errors before the message was sent. */
const SETUP_ERRORS: ReadonlySet<string | undefined> = new Set(["EAUTH", "EDNS", "ETLS"]);

export interface SendFailure {
  /** `postponed`: certainly not accepted, and may be later. `failed`: refused for good, or not known. */
  result: "postponed" | "failed";
  /** Whether other recipients may succeed now. */
  isOfRecipient: boolean;
}

export function sendFailure({ code, command, responseCode }: SendError): SendFailure {
  if (SETUP_ERRORS.has(code)) return { result: "postponed", isOfRecipient: false };
  if (responseCode === undefined) return { result: "failed", isOfRecipient: false };
  const isPermanent = responseCode >= 500;
  return {
    result: isPermanent ? "failed" : "postponed",
    isOfRecipient: isPermanent || command === "RCPT TO",
  };
}
