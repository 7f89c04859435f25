import { type AmazonStandIn, startAmazonStandIn } from "@tapthru/amazon-stand-in/stand-in";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DOCUMENTED_CALLS, sendExample } from "../testing/documented-calls.ts";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { bearer, newBrowser, signUpUser, type TestUser } from "../testing/test-user.ts";

let amazon: AmazonStandIn;
let api: TestApi;
beforeAll(async () => {
  amazon = await startAmazonStandIn();
  api = await startTestApi({ EGRESS_STAND_IN_URL: amazon.url });
});
afterAll(async () => {
  // Fails if a reply differs from the document.
  await api.stop();
  await amazon.stop();
});

/** Errors by which the api says that a request is malformed. */
const MALFORMED = /^(bad-|invalid-|malformed-|unsupported-|key-|login-|missing-scope-)/;

function headersFor(user: TestUser, access: readonly (readonly string[])[]) {
  const credentials = access.find((all) => all.includes("session")) ?? access[0] ?? [];
  return {
    ...(credentials.includes("session") ? user.browser : newBrowser(api)),
    ...(credentials.includes("firebaseToken") && bearer(user.token)),
    accept: "application/problem+json",
  };
}

it.each(DOCUMENTED_CALLS)("the api understands the example of $name", async (documented) => {
  const user = await signUpUser(api);
  const headers = headersFor(user, documented.access);
  const response = await sendExample(api, documented, headers);
  const text = await response.text();
  if (response.headers.get("content-type") !== "application/problem+json") {
    expect(Object.keys(documented.call.replies)).toContain(String(response.status));
  } else expect(JSON.parse(text).code).not.toMatch(MALFORMED);
});
