import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { server } from "../../testing/server.ts";
import { isProviderUnreachable } from "./failures.ts";
import { createFirebaseProvider } from "./firebase.ts";

const ACCOUNTS = "https://identitytoolkit.googleapis.com/v1/accounts:*";
const HEADERS = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };

test.each([429, 503])("Firebase's reply %i is no refusal, but a network failure", async (status) => {
  const body = { error: { code: status, message: "UNAVAILABLE", status: "UNAVAILABLE" } };
  server.use(
    http.options(ACCOUNTS, () => new HttpResponse(null, { headers: HEADERS })),
    http.post(ACCOUNTS, () => HttpResponse.json(body, { status, headers: HEADERS })),
  );
  const provider = createFirebaseProvider({ apiKey: "key", projectId: "tapthru" });
  const error = await provider.logIn("anna@example.com", "secret1").catch((cause) => cause);
  expect(isProviderUnreachable(error)).toBe(true);
});
