import { ERRORS, type ErrorCode } from "@tapthru/proto/errors";
import { type DefaultBodyType, HttpResponse, http } from "msw";
import { addTestUser, identityFor, testUsers } from "./fake-identity-provider.ts";
import { shortLink } from "./links-server.ts";
import { server } from "./server.ts";

/** A problem response, as the api sends it. */
export function problem(code: ErrorCode): Response {
  const { status, message: title } = ERRORS[code];
  const headers = { "Content-Type": "application/problem+json" };
  return new HttpResponse(JSON.stringify({ title, status, code }), { status, headers });
}

interface RecordedRequest {
  call: string;
  body: DefaultBodyType;
  authorization: string | null;
}

/** Fakes the api's users, sessions and claims. */
export function serveAccounts(...emails: string[]) {
  const users = testUsers;
  const requests: RecordedRequest[] = [];
  users.clear();
  for (const email of emails) addTestUser(identityFor(email));

  async function record<T extends DefaultBodyType>(request: Request): Promise<T> {
    const text = await request.clone().text();
    const body = text ? JSON.parse(text) : null;
    requests.push({
      call: `${request.method} ${new URL(request.url).pathname}`,
      body,
      authorization: request.headers.get("Authorization"),
    });
    return body;
  }

  server.use(
    http.post("/api/users", async ({ request }) => {
      type NewUser = { firebaseUid: string; email: string; username: string };
      const { firebaseUid, email, username } = await record<NewUser>(request);
      const existing = users.get(firebaseUid);
      if (existing) return HttpResponse.json(existing);
      const others = [...users.values()];
      if (others.some((user) => user.username === username)) {
        return problem("username-taken");
      }
      if (others.some((user) => user.email === email)) {
        return problem("email-taken");
      }
      return HttpResponse.json(addTestUser({ uid: firebaseUid, email }, username), { status: 201 });
    }),
    http.post("/api/login", async ({ request }) => {
      const user = users.get((await record<{ firebaseUid: string }>(request)).firebaseUid);
      return user ? HttpResponse.json(user) : problem("account-not-found");
    }),
    http.post("/api/logout", async ({ request }) => {
      await record(request);
      return HttpResponse.json({ redirectUrl: null });
    }),
    http.patch("/api/links/:shortCode", async ({ request, params }) => {
      await record(request);
      return HttpResponse.json(shortLink({ shortCode: String(params.shortCode) }));
    }),
    http.post("/api/links/bulk/claim", async ({ request }) => {
      const { shortCodes } = await record<{ shortCodes: string[] }>(request);
      return HttpResponse.json({ results: shortCodes.map((shortCode) => ({ shortCode, error: null })) });
    }),
    http.get("/api/links", () => HttpResponse.json([])),
  );

  return {
    users,
    requests,
    calls: () => requests.map(({ call }) => call),
  };
}

/**
 * Responds to a call with these replies first, one each, then as before.
 * @returns a function that returns how many of them were sent
 */
export function respondOnceWith(
  method: "get" | "post" | "patch",
  path: string,
  ...replies: (() => Response)[]
): () => number {
  let repliesSent = 0;
  server.use(
    http[method](path, () => {
      const reply = replies[repliesSent];
      if (!reply) return undefined;
      repliesSent += 1;
      return reply();
    }),
  );
  return () => repliesSent;
}
