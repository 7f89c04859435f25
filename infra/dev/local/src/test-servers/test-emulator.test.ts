import { beforeAll, expect, it } from "vitest";

const calls = `http://${process.env.TEST_FIREBASE_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1`;
const known = { email: "known@t.example", password: "secret-1" };

async function ask(call: string, body: object) {
  const response = await fetch(`${calls}/accounts:${call}?key=demo`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: JSON.parse(await response.text()) };
}

beforeAll(async () => {
  await ask("signUp", known);
});

it("logs in whoever has signed up", async () => {
  const { status, answer } = await ask("signInWithPassword", known);

  expect(status).toBe(200);
  expect(answer).toMatchObject({ email: known.email, registered: true });
});

it("tells a wrong password from an unknown e-mail as little as real projects do", async () => {
  const wrong = await ask("signInWithPassword", { ...known, password: "secret-2" });
  const unknown = await ask("signInWithPassword", { ...known, email: "unknown@t.example" });

  expect(wrong.answer.error.message).toBe("INVALID_LOGIN_CREDENTIALS");
  expect(unknown).toEqual(wrong);
});
