import type { DocumentedCall } from "@tapthru/proto/call";
import { CALLS, type CallName } from "@tapthru/proto/calls";
import { ERRORS } from "@tapthru/proto/errors";
import { invalidBody, invalidQuery } from "@tapthru/proto/general-errors";
import { describe, expect, it } from "vitest";
import { parseInput } from "./parse-input.ts";

/** What the api replies to the documented example of a call with these changes; null: it is accepted. */
function refusal(name: CallName, part: "body" | "query", change: object): string | null {
  const call = CALLS[name] as DocumentedCall;
  const schema = call[part];
  if (schema === undefined) throw new Error(`${name} has no ${part}`);
  try {
    parseInput(schema, { ...Object(call.example[part]), ...change }, part === "body" ? invalidBody : invalidQuery);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const long = (length: number) => "a".repeat(length);
const account = { username: "ada", email: "ada@example.com" };
const past = "2020-01-01T00:00:00Z";
const PRODUCT = { marketplace: "de", from: "B0ZZ1Y2X3W", to: "B0ZZ1Y2X3V" };

type Row = [name: CallName, change: object, message: string | null];

describe("a body", () => {
  it.each<Row>([
    ["createUser", { username: "ad" }, "Username must be at least 3 characters"],
    ["createUser", { username: " a  " }, "Username must be at least 3 characters"],
    ["createUser", { username: "\u200B".repeat(3) }, "Username must be at least 3 characters"],
    ["createUser", { username: "ada\nb" }, "Line breaks and control characters are not allowed"],
    ["createUser", { username: long(51) }, "Username must be at most 50 characters"],
    ["createUser", { username: "аda" }, "A word of a username must not mix Latin letters with Cyrillic or Greek ones."],
    ["createUser", { ...account, email: "ada" }, "Please enter a valid email address"],
    ["createUser", { email: `${long(243)}@example.com` }, "Please enter a valid email address"],
    ["createUser", { username: 7 }, "Missing or malformed field: username"],
    ["createUser", { id: 1 }, "Unexpected field: id"],
    ["createUser", { ["x".repeat(9_000)]: 1 }, ERRORS["malformed-request"].message],
    ["createUser", { "a\nb": 1 }, ERRORS["malformed-request"].message],
    ["updateUser", { username: "ab" }, "Username must be at least 3 characters"],
    ["createKey", { name: " " }, "Please enter a name"],
    ["createKey", { name: long(51) }, "Name must be at most 50 characters"],
    ["createKey", { scopes: [] }, "Please choose at least one permission"],
    ["createKey", { scopes: ["account:delete"] }, "Missing or malformed field: scopes"],
    ["createKey", { expiresAt: past }, "The expiry date must be in the future"],
    ["createKey", { expiresAt: "tomorrow" }, "Missing or malformed field: expiresAt"],
    ["createLabel", { name: "" }, "A label needs a name"],
    ["createLabel", { name: " \u200B " }, "A label needs a name"],
    ["createLabel", { name: long(51) }, "The name of a label must be at most 50 characters"],
    ["createLabel", { name: "a\nb" }, "Line breaks and control characters are not allowed"],
    ["createLabel", { colour: "#f00" }, "Missing or malformed field: colour"],
    ["createWebhook", { events: [] }, "Please choose at least one event"],
    ["createWebhook", { events: ["link.opened"] }, "Missing or malformed field: events"],
    ["createWebhook", { url: `https://hooks.example/${long(2_048)}` }, "Address is too long"],
    ["saveStoreTag", { tag: " " }, "Please enter your tag"],
    [
      "saveStoreTag",
      { tag: "me 21" },
      "A tag has only letters, digits, dots, hyphens and underscores, at most 64 in total",
    ],
    [
      "saveStoreTag",
      { tag: "me&x=1" },
      "A tag has only letters, digits, dots, hyphens and underscores, at most 64 in total",
    ],
    [
      "saveStoreTag",
      { tag: "-21" },
      "A tag has only letters, digits, dots, hyphens and underscores, at most 64 in total",
    ],
    [
      "saveStoreTag",
      { tag: long(65) },
      "A tag has only letters, digits, dots, hyphens and underscores, at most 64 in total",
    ],
    ["saveStoreTag", { marketplace: "pt" }, "Missing or malformed field: marketplace"],
    ["saveStoreTag", { marketplace: "toString" }, "Missing or malformed field: marketplace"],
    ["saveOneLinkStore", { marketplace: "com" }, "Missing or malformed field: marketplace"],
    ["saveOneLinkStore", { marketplace: "com.be" }, "Missing or malformed field: marketplace"],
    ["saveRoutingSettings", { fallback: "home" }, "Missing or malformed field: fallback"],
    ["saveLinkRouting", { choice: "yes" }, "Missing or malformed field: choice"],
    ["saveEarningsRates", { currency: "XYZ" }, "This currency is not known."],
    ["saveEarningsRates", { rates: [{ currency: "XYZ", rate: 1 }] }, "This currency is not known."],
    [
      "createLink",
      { slug: "my lamps" },
      "A short link name has 3 to 50 letters a to z, digits, and single hyphens or underscores between them. On own domains 1 is enough",
    ],
    ["createLink", { expiresAt: past }, "The expiry date must be in the future"],
    ["createLink", { expiresAt: "9999-12-31T12:00:00Z" }, "The expiry date must be before December 31, 9999"],
    ["createLink", { expiresAt: "2999-01-02T00:00:00+20:00" }, null],
    ["createLink", { title: "a\nb" }, "Line breaks and control characters are not allowed"],
    ["createLink", { labels: [] }, "Unexpected field: labels"],
    ["createLinks", { links: [] }, "Send 1 to 500 links."],
    ["createLinks", { links: Array(501).fill({ url: "x" }) }, "Send 1 to 500 links."],
    ["deleteLinks", { ids: [] }, "Missing or malformed field: ids"],
    ["deleteLinks", { ids: Array.from({ length: 1_001 }, (_, id) => id) }, "Missing or malformed field: ids"],
    ["generate", { userId: 1 }, "Unexpected field: userId"],
    ["reportLink", { reason: "boring" }, "Please choose a reason"],
    ["reportLink", { reason: undefined }, "Please choose a reason"],
    [
      "saveStoreTag",
      { tag: "a 21" },
      "A tag has only letters, digits, dots, hyphens and underscores, at most 64 in total",
    ],
    ["addDomain", { host: "" }, "Please enter a domain"],
  ])("of %s with %.80j", (name, change, message) => {
    expect(refusal(name, "body", change)).toBe(message);
  });

  it.each([
    [{ nickname: "" }, "Nickname is required"],
    [{ nickname: " \n " }, "Nickname is required"],
    [{ nickname: "\u200B" }, "Nickname is required"],
    [{ nickname: long(201) }, "Nickname must be at most 200 characters"],
    [{ title: "" }, "Title is required"],
    [{ title: long(201) }, "Title must be at most 200 characters"],
    [{ title: "a\0b" }, "Line breaks and control characters are not allowed"],
    [{ title: "a\ud800" }, "Line breaks and control characters are not allowed"],
    [{ nickname: null }, "Missing or malformed field: nickname"],
    [{}, ERRORS["malformed-request"].message],
    [[], ERRORS["malformed-request"].message],
    [{ title: "a", labelsRevision: "1" }, ERRORS["malformed-request"].message],
    [{ expiresAt: past }, "The expiry date must be in the future"],
    [{ fallbackUrl: "https://evil.example/" }, ERRORS["not-an-amazon-link"].message],
    [
      { fallbackUrl: "https://amzn.to/abc1234" },
      "Please paste the long address of the page, which starts with https://www.amazon.",
    ],
    [{ fallbackUrl: "https://www.amazon.de/gp/redirect.html?location=x" }, ERRORS["unusable-link"].message],
    [{ title: "a", shortCode: "x" }, "Unexpected field: shortCode"],
    [{ takenDown: false }, "Unexpected field: takenDown"],
    [{ constructor: {} }, "Unexpected field: constructor"],
  ])("of updateLink that is %.80j", (body, message) => {
    expect(() => parseInput(CALLS.updateLink.body, body, invalidBody)).toThrow(message);
  });
});

it.each<[string, object, boolean]>([
  ["labels of links", { ids: [1], addLabels: ["A"] }, true],
  ["labels without links", { addLabels: ["A"] }, false],
  ["links without labels", { ids: [1] }, false],
  ["nothing", {}, false],
  ["another product", { product: PRODUCT }, true],
  ["another product in some links", { ids: [1], product: PRODUCT }, false],
  ["labels and another product", { ids: [1], addLabels: ["A"], product: PRODUCT }, false],
  ["an undo", { product: { ...PRODUCT, undoOf: "1970-01-01T00:00:00.000Z" } }, true],
  ["an undo of a time that Postgres cannot read", { product: { ...PRODUCT, undoOf: "0000-01-01T00:00:00Z" } }, false],
])("changeLinks with %s, %j, is accepted: %s", (_title, body, isAccepted) => {
  expect(CALLS.changeLinks.body.safeParse(body).success).toBe(isAccepted);
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
    ["createdFrom", "1969-12-31T23:59:59Z"],
    ["createdBefore", `2026-01-01T00:00:00.${"1".repeat(200)}Z`],
  ])("of listLinks with %s=%j", (field, value) => {
    expect(refusal("listLinks", "query", { [field]: value })).toBe(`Missing or malformed field: ${field}`);
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
    expect(refusal(name, "query", change)).toBe(`Missing or malformed field: ${field}`);
  });
});
