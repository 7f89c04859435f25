import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { ERRORS } from "@tapthru/proto/errors";
import { beforeEach, describe, expect, it } from "vitest";
import { product } from "../testing/test-links.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada } = await startWorld();
beforeEach(() => api.query("TRUNCATE all_links, link_changes, products, retired_codes CASCADE"));

async function send(
  method: string,
  path: string,
  { authorization, cookie, body }: { authorization: string[]; cookie: string | undefined; body: object | undefined },
): Promise<[status: number | undefined, text: string]> {
  const headers = [
    ...authorization.flatMap((value) => ["Authorization", value]),
    ...(cookie === undefined ? [] : ["Cookie", cookie]),
    "Host",
    "localhost:8080",
    "Origin",
    api.publicBaseUrl,
    "Content-Type",
    "application/json",
  ];
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request(api.url + path, { method, headers }, resolve).on("error", reject);
    sent.end(body && JSON.stringify(body));
  });
  return [response.statusCode, await text(response)];
}

type Route = [method: string, path: string, body: () => object | undefined];

const malformed = (token: string): [string, string[]][] => [
  ["Basic", ["Basic YWRhOnBhc3N3b3Jk"]],
  ["no scheme", [token]],
  ["another scheme with the token", [`Token ${token}`]],
  ["the scheme alone", ["Bearer"]],
  ["an empty token", ["Bearer "]],
  ["an empty header", [""]],
  ["two tokens", [`Bearer ${token} ${token}`]],
  ["two tokens separated by a comma", [`Bearer ${token}, Bearer ${token}`]],
  ["two headers", [`Bearer ${token}`, `Bearer ${token}`]],
  ["a valid header before a malformed one", [`Bearer ${token}`, "Basic YQ=="]],
  ["quotes", [`Bearer "${token}"`]],
  ["characters that no token has", ["Bearer a{b}\u00e9"]],
];

describe.each<Route>([
  ["POST", "/api/generate", () => ({ url: product })],
  ["POST", "/api/users", () => ({ firebaseUid: ada.uid, email: ada.email, username: "ada" })],
  ["POST", "/api/login", () => ({ firebaseUid: ada.uid })],
  ["GET", "/api/users/{uid}", () => undefined],
])("%s %s", (method, path, body) => {
  const request = (authorization: string[], cookie?: string) =>
    send(method, path.replace("{uid}", ada.uid), { authorization, cookie, body: body() });

  it("responds 401 to an Authorization header that is not a valid Bearer", async () => {
    for (const [title, authorization] of malformed(ada.token)) {
      const response = [title, ...(await request(authorization))];
      expect(response).toEqual([title, 401, ERRORS["bad-token"].message]);
    }
    expect(await api.query("SELECT FROM links")).toEqual([]);
  });

  it("accepts the scheme in any case", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER "]) {
      const [status] = await request([`${scheme} ${ada.token}`]);
      expect([200, 201]).toContain(status);
    }
  });
});
