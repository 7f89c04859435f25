import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sendRequest } from "../testing/send-request.ts";
import { type RunningGateway, startGateway } from "../testing/start-gateway.ts";

const IDENTITY = "/identitytoolkit.googleapis.com";
const HOST = process.env.TEST_FIREBASE_EMULATOR_HOST ?? "";

describe.skipIf(HOST === "")("the real emulator behind the gateway", () => {
  const ACCOUNT = { email: "gateway@t.example", password: "secret-1" };
  const ADMIN = { Authorization: "Bearer owner" };
  let real: RunningGateway;
  beforeAll(async () => {
    real = await startGateway({ emulator: HOST });
    const { status } = await post(`http://${HOST}`, "accounts:signUp?key=demo", ACCOUNT);
    expect(status).toBe(200);
  });
  afterAll(() => real.stop());

  const post = (origin: string, call: string, body: object) =>
    sendRequest(`${origin}${IDENTITY}/v1/${call}`, {
      method: "POST",
      headers: { ...ADMIN, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });

  it("signs users in", async () => {
    const { text } = await post(real.url, "accounts:signInWithPassword?key=demo", ACCOUNT);

    expect(JSON.parse(text)).toMatchObject({ email: ACCOUNT.email, idToken: expect.any(String) });
  });

  it("does not take a caller for its administrator, although it would", async () => {
    const call = "accounts:lookup?key=demo";
    const byEmail = { email: [ACCOUNT.email] };
    expect((await post(`http://${HOST}`, call, byEmail)).text).toContain(ACCOUNT.email);
    const { status, text } = await post(real.url, call, byEmail);

    expect(status).toBe(400);
    expect(text).not.toContain(ACCOUNT.email);
  });
});
