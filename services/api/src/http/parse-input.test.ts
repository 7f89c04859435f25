import type { DocumentedCall } from "@tapthru/proto/call";
import { CALLS, type CallName } from "@tapthru/proto/calls";
import { messages } from "@tapthru/proto/rules/messages";
import { unknownCurrency } from "@tapthru/proto/rules/messages/earnings-page";
import { describe, expect, it } from "vitest";
import { parseInput } from "./parse-input.ts";

/** What the api replies to the documented example of a call with these changes; null: it is accepted. */
function refusal(name: CallName, part: "body" | "query", change: object): string | null {
  const call = CALLS[name] as DocumentedCall;
  const schema = call[part];
  if (schema === undefined) throw new Error(`${name} has no ${part}`);
  try {
    parseInput(
      schema,
      { ...Object(call.example[part]), ...change },
      part === "body" ? "invalid-body" : "invalid-query",
    );
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const long = (length: number) => "a".repeat(length);
const account = { username: "ada", email: "ada@example.com" };
const past = "2020-01-01T00:00:00Z";

type Row = [name: CallName, change: object, message: string | null];

describe("a body", () => {
  it.each<Row>([
    ["createUser", { username: "ad" }, messages.usernameTooShort],
    ["createUser", { username: " a  " }, messages.usernameTooShort],
    ["createUser", { username: "\u200B".repeat(3) }, messages.usernameTooShort],
    ["createUser", { username: "ada\nb" }, messages.onlyVisibleCharacters],
    ["createUser", { username: long(51) }, messages.usernameTooLong],
    ["createUser", { username: "аda" }, messages.usernameMixesAlphabets],
    ["createUser", { ...account, email: "ada" }, messages.enterValidEmail],
    ["createUser", { email: `${long(243)}@example.com` }, messages.enterValidEmail],
    ["createUser", { username: 7 }, messages.malformedField("username")],
    ["createUser", { id: 1 }, messages.unexpectedField("id")],
    ["createUser", { ["x".repeat(9_000)]: 1 }, messages.malformedRequest],
    ["createUser", { "a\nb": 1 }, messages.malformedRequest],
    ["updateUser", { username: "ab" }, messages.usernameTooShort],
    ["createKey", { name: " " }, messages.keyNameRequired],
    ["createKey", { name: long(51) }, messages.keyNameTooLong],
    ["createKey", { scopes: [] }, messages.scopeRequired],
    ["createKey", { scopes: ["account:delete"] }, messages.malformedField("scopes")],
    ["createKey", { expiresAt: past }, messages.expiryInPast],
    ["createKey", { expiresAt: "tomorrow" }, messages.malformedField("expiresAt")],
    ["createLabel", { name: "" }, messages.labelNameRequired],
    ["createLabel", { name: " \u200B " }, messages.labelNameRequired],
    ["createLabel", { name: long(51) }, messages.labelNameTooLong],
    ["createLabel", { name: "a\nb" }, messages.onlyVisibleCharacters],
    ["createLabel", { colour: "#f00" }, messages.malformedField("colour")],
    ["createWebhook", { events: [] }, messages.webhookEventRequired],
    ["createWebhook", { events: ["link.opened"] }, messages.malformedField("events")],
    ["createWebhook", { url: `https://hooks.example/${long(2_048)}` }, messages.webhookUrlTooLong],
    ["saveStoreTag", { tag: " " }, messages.tagRequired],
    ["saveStoreTag", { tag: "me 21" }, messages.tagMalformed],
    ["saveStoreTag", { tag: "me&x=1" }, messages.tagMalformed],
    ["saveStoreTag", { tag: "-21" }, messages.tagMalformed],
    ["saveStoreTag", { tag: long(65) }, messages.tagMalformed],
    ["saveStoreTag", { marketplace: "pt" }, messages.malformedField("marketplace")],
    ["saveStoreTag", { marketplace: "toString" }, messages.malformedField("marketplace")],
    ["saveOneLinkStore", { marketplace: "com" }, messages.malformedField("marketplace")],
    ["saveOneLinkStore", { marketplace: "com.be" }, messages.malformedField("marketplace")],
    ["saveRoutingSettings", { fallback: "home" }, messages.malformedField("fallback")],
    ["saveLinkRouting", { choice: "yes" }, messages.malformedField("choice")],
    ["saveEarningsRates", { currency: "XYZ" }, unknownCurrency],
    ["saveEarningsRates", { rates: [{ currency: "XYZ", rate: 1 }] }, unknownCurrency],
    ["createLink", { slug: "my lamps" }, messages.slugMalformed],
    ["createLink", { expiresAt: past }, messages.expiryInPast],
    ["createLink", { expiresAt: "9999-12-31T12:00:00Z" }, messages.expiryTooFar],
    ["createLink", { expiresAt: "2999-01-02T00:00:00+20:00" }, null],
    ["createLink", { title: "a\nb" }, messages.onlyVisibleCharacters],
    ["createLink", { labels: [] }, messages.unexpectedField("labels")],
    ["createLinks", { links: [] }, messages.linksCountOutOfRange],
    ["createLinks", { links: Array(501).fill({ url: "x" }) }, messages.linksCountOutOfRange],
    ["deleteLinks", { ids: [] }, messages.malformedField("ids")],
    ["deleteLinks", { ids: Array.from({ length: 1_001 }, (_, id) => id) }, messages.malformedField("ids")],
    ["generate", { userId: 1 }, messages.unexpectedField("userId")],
    ["reportLink", { reason: "boring" }, messages.chooseReason],
    ["reportLink", { reason: undefined }, messages.chooseReason],
    ["updatePattern", { tags: ["a 21"] }, messages.tagMalformed],
    ["addDomain", { host: "" }, messages.domainRequired],
  ])("of %s with %.80j", (name, change, message) => {
    expect(refusal(name, "body", change)).toBe(message);
  });

  it.each([
    [{ nickname: "" }, messages.nicknameRequired],
    [{ nickname: " \n " }, messages.nicknameRequired],
    [{ nickname: "\u200B" }, messages.nicknameRequired],
    [{ nickname: long(201) }, messages.nicknameTooLong],
    [{ title: "" }, messages.titleRequired],
    [{ title: long(201) }, messages.titleTooLong],
    [{ title: "a\0b" }, messages.onlyVisibleCharacters],
    [{ title: "a\ud800" }, messages.onlyVisibleCharacters],
    [{ nickname: null }, messages.malformedField("nickname")],
    [{}, messages.malformedRequest],
    [[], messages.malformedRequest],
    [{ title: "a", labelsRevision: "1" }, messages.malformedRequest],
    [{ expiresAt: past }, messages.expiryInPast],
    [{ fallbackUrl: "https://evil.example/" }, messages.enterValidAmazonUrl],
    [{ fallbackUrl: "https://amzn.to/abc1234" }, messages.fallbackIsShort],
    [{ fallbackUrl: "https://www.amazon.de/gp/redirect.html?location=x" }, messages.invalidAmazonUrl],
    [{ title: "a", shortCode: "x" }, messages.unexpectedField("shortCode")],
    [{ takenDown: false }, messages.unexpectedField("takenDown")],
    [{ constructor: {} }, messages.unexpectedField("constructor")],
  ])("of updateLink that is %.80j", (body, message) => {
    expect(() => parseInput(CALLS.updateLink.body, body, "invalid-body")).toThrow(message);
  });
});

describe("a query", () => {
  it.each([
    ["limit", "0"],
    ["limit", "201"],
    ["limit", "-1"],
    ["limit", "1e2"],
    ["limit", ""],
    ["cursor", "x"],
    ["cursor", "1 OR 1=1"],
    ["cursor", "9".repeat(30)],
    ["cursor", "1~a\0b"],
    ["sort", "oldest"],
    ["store", "toString"],
    ["show", "everything"],
    ["label", "-1"],
    ["q", "a\0b"],
    ["q", long(201)],
    ["domain", "a\0b"],
    ["domain", ""],
    ["createdFrom", "0000-01-01T00:00:00Z"],
    ["createdBefore", `2026-01-01T00:00:00.${"1".repeat(200)}Z`],
  ])("of listLinks with %s=%j", (field, value) => {
    expect(refusal("listLinks", "query", { [field]: value })).toBe(messages.malformedField(field));
  });

  it.each([
    ["getLinkClicks", { from: "2026-02-30" }, "from"],
    ["getLinkClicks", { interval: "year" }, "interval"],
    ["getLinkClicks", { by: "address" }, "by"],
    ["getEarnings", { by: "week" }, "by"],
    ["getEarnings", { limit: "801" }, "limit"],
    ["listLinkPeople", { codes: "a" }, "codes"],
    ["listLinkPeople", { codes: Array(201).fill("abcdef2").join(",") }, "codes"],
    ["exportLinks", { format: "xml" }, "format"],
    ["exportLinks", { ids: "a" }, "ids"],
    ["metadata", { product_id: "a\0b" }, "product_id"],
    ["metadata", { product_id: "../x" }, "product_id"],
    ["metadata", { product_id: long(129) }, "product_id"],
    ["metadata", { marketplace: "__proto__" }, "marketplace"],
  ] as const)("of %s with %.80j", (name, change, field) => {
    expect(refusal(name, "query", change)).toBe(messages.malformedField(field));
  });
});
