import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { server } from "../../testing/server.ts";
import { isProviderUnreachable } from "./failures.ts";
import { createFirebaseProvider } from "./firebase.ts";

test.each([429, 503])(
  "Firebase's reply %i is no refusal, but a network failure",
  async (status) => {
    const body = { error: { code: status, message: "UNAVAILABLE", status: "UNAVAILABLE" } };
    server.use(http.post("*/v1/accounts:*", () => HttpResponse.json(body, { status })));
    const provider = createFirebaseProvider({
      options: { apiKey: "key", projectId: "demo-tapthru" },
      emulatorUrl: location.origin,
    });
    const error = await provider.signIn("anna@example.com", "secret1").catch((cause) => cause);
    expect(isProviderUnreachable(error)).toBe(true);
  },
);
