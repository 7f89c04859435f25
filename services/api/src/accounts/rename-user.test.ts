import { User } from "@tapthru/proto/accounts";
import { ERRORS } from "@tapthru/proto/errors";
import { beforeEach, describe, expect, it } from "vitest";
import { signUpUser, type TestUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let user: TestUser;
const api = await startApi();
beforeEach(async () => {
  await api.empty();
  user = await signUpUser(api);
});

const rename = (body: unknown, headers: Record<string, string> = user.browser, uid = user.uid) =>
  api.request("PATCH", `/api/users/${uid}`, headers, body);
async function storedName({ uid, browser }: TestUser = user): Promise<string> {
  const response = await api.request("GET", `/api/users/${uid}`, browser);
  return User.parse(await response.json()).username;
}

describe("PATCH /api/users/:firebaseUid", () => {
  it("changes the username by the rules of the sign-up", async () => {
    const response = await rename({ username: "  Ａnna  " });
    expect([response.status, await response.json()]).toEqual([200, { ...user.user, username: "Anna" }]);
    expect(await storedName()).toBe("Anna");
  });

  it("refuses a name that looks like another user's, and accepts another form of one's own", async () => {
    const other = await signUpUser(api);
    await rename({ username: "Anna" });
    const response = await rename({ username: "ANNA\u200b" }, other.browser, other.uid);
    expect([response.status, await response.text()]).toEqual([409, ERRORS["username-taken"].message]);
    expect(await storedName(other)).toBe(other.user.username);
    expect((await rename({ username: "ANNA" })).status).toBe(200);
  });
});
