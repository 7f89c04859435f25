import { describe, expect, it } from "vitest";
import { sendFailure } from "./mailer.ts";

describe("sendFailure", () => {
  it.each([
    [{ code: "EDNS", command: "CONN" }, "postponed", false],
    [{ code: "ETLS", command: "STARTTLS" }, "postponed", false],
    [{ code: "EAUTH", command: "AUTH PLAIN", responseCode: 535 }, "postponed", false],
    [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 450 }, "postponed", true],
    [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 550 }, "failed", true],
    [{ code: "EENVELOPE", command: "API" }, "failed", true],
    [{ code: "EENVELOPE", command: "MAIL FROM", responseCode: 421 }, "postponed", false],
    [{ code: "EMESSAGE", command: "DATA", responseCode: 451 }, "postponed", false],
    [{ code: "EMESSAGE", command: "DATA", responseCode: 554 }, "failed", true],
    // The server may have accepted the message.
    [{ code: "ETIMEDOUT", command: "CONN" }, "failed", false],
    [{ code: "ECONNECTION", command: "CONN" }, "failed", false],
    [{}, "failed", false],
  ] as const)("%j is %s", (error, result, isOfRecipient) => {
    expect(sendFailure(error)).toEqual({ result, isOfRecipient });
  });
});
