import { beforeAll, expect, it } from "vitest";

const calls = `http://${process.env.TEST_FIREBASE_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1`;
const known = { email: "known@t.example", password: "secret-1" };

async function send(call: string, body: object) {
  const response = await fetch(`${calls}/accounts:${call}?key=demo`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: JSON.parse(await response.text()) };
}

beforeAll(async () => {
  await send("signUp", known);
});

it("logs in a user who has signed up", async () => {
  const { status, json } = await send("signInWithPassword", known);

  expect(status).toBe(200);
  expect(json).toMatchObject({ email: known.email, registered: true });
});

it("returns the same error for a wrong password and an unknown email, as Firebase does", async () => {
  const wrong = await send("signInWithPassword", { ...known, password: "secret-2" });
  const unknown = await send("signInWithPassword", { ...known, email: "unknown@t.example" });

  expect(wrong.json.error.message).toBe("INVALID_LOGIN_CREDENTIALS");
  expect(unknown).toEqual(wrong);
});
