import { addTestUser, identityFor, testUsers } from "./fake-identity-provider.ts";
import { type Asked, problem, serve } from "./serve.ts";

interface RecordedRequest {
  call: string;
  body: unknown;
  authorization: string | null;
}

/** Fakes the api's users, sessions and claims. */
export function serveAccounts(...emails: string[]) {
  const users = testUsers;
  const requests: RecordedRequest[] = [];
  users.clear();
  for (const email of emails) addTestUser(identityFor(email));

  function record<Body>(call: `POST /${string}`, reply: (body: Body) => unknown) {
    serve<Body>(call, ({ body, headers }: Asked<Body>) => {
      requests.push({ call, body: body ?? null, authorization: headers.get("Authorization") });
      return reply(body);
    });
  }

  record<{ firebaseUid: string; email: string; username: string }>("POST /api/users", (body) => {
    const { firebaseUid: uid, email, username } = body;
    const existing = users.get(uid);
    if (existing) return existing;
    const others = [...users.values()];
    if (others.some((user) => user.username === username)) return problem("username-taken");
    if (others.some((user) => user.email === email)) return problem("email-taken");
    return addTestUser({ uid, email }, username);
  });
  record<{ firebaseUid: string }>("POST /api/login", ({ firebaseUid }) => {
    return users.get(firebaseUid) ?? problem("account-not-found");
  });
  record("POST /api/logout", () => ({ redirectUrl: null }));
  record<{ shortCodes: string[] }>("POST /api/links/bulk/claim", ({ shortCodes }) => {
    return { results: shortCodes.map((shortCode) => ({ shortCode, error: null })) };
  });
  return { users, requests, calls: () => requests.map(({ call }) => call) };
}
