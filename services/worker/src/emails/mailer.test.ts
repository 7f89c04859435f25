import { describe, expect, it } from "vitest";
import { sendFailure } from "./mailer.ts";

describe("sendFailure", () => {
  it.each([
    [{ code: "EDNS", command: "CONN" }, "postponed", false, false],
    [{ code: "ETLS", command: "STARTTLS" }, "postponed", false, false],
    [{ code: "EAUTH", command: "AUTH PLAIN", responseCode: 535 }, "postponed", false, false],
    [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 450 }, "postponed", true, false],
    [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 550 }, "failed", true, true],
    [{ code: "EENVELOPE", command: "RCPT TO", responseCode: 554, response: "5.7.1" }, "failed", true, false],
    [{ code: "EENVELOPE", command: "API" }, "failed", true, true],
    [{ code: "EENVELOPE", command: "MAIL FROM", responseCode: 421 }, "postponed", false, false],
    [{ code: "EMESSAGE", command: "DATA", responseCode: 451 }, "postponed", false, false],
    [{ code: "EMESSAGE", command: "DATA", responseCode: 554 }, "failed", true, false],
    // The server may have accepted the message.
    [{ code: "ETIMEDOUT", command: "CONN" }, "failed", false, false],
    [{ code: "ECONNECTION", command: "CONN" }, "failed", false, false],
    [{}, "failed", false, false],
  ] as const)("%j is %s", (error, result, isOfRecipient, isDeadAddress) => {
    expect(sendFailure(error)).toEqual({ result, isOfRecipient, isDeadAddress });
  });
});
