import { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { createPostWebhook } from "@tapthru/core/platform/safe-fetch/webhook-fetch";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { NEVER, useDatabase } from "../testing/test-database.ts";
import { addOwnLinks, addUser, testSecrets } from "../testing/test-webhooks.ts";
import { backUpLinks } from "./back-up-links.ts";

const database = await useDatabase();
const KEY = { accessKeyId: "KEY", secretAccessKey: "a secret", region: "eu-north-1" };
const NO_KEY = { accessKeyId: "", secretAccessKey: "", region: "" };
const putFile = createPostWebhook({ standInUrl: null, userAgent: "test", allowsLocal: true });
const { logger } = createTestLogger();
const run = () => backUpLinks({ db: database.db, logger, putFile, webhookSecrets: testSecrets }, {}, { signal: NEVER });
const results = () => database.rows("SELECT host, backup_error, backed_up_at FROM domains ORDER BY id");

let userId: number;
beforeEach(async () => {
  userId = await addUser(database);
});

async function addDomain(host: string, target: object, sealed = testSecrets.seal(JSON.stringify(target), userId)) {
  await database.rows(
    `INSERT INTO domains (user_id, host, proof, backup_host, sealed_backup, backup_due_at)
     VALUES ($1, $2, '', 'store.example', $3, now())`,
    [userId, host, sealed],
  );
}

async function startStore(status = 200) {
  const received: { request: IncomingMessage; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ request, body: await buffer(request) });
    response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/my links.tar.gz` };
}

/** As Amazon's documentation says: "Authenticating Requests (AWS Signature Version 4)". */
function signatureOf({ method, url, headers }: IncomingMessage): string {
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const date = String(headers["x-amz-date"]);
  const names = "host;x-amz-content-sha256;x-amz-date".split(";");
  const canonical = [method, url, "", ...names.map((name) => `${name}:${headers[name]}`), "", names.join(";")];
  const hash = createHash("sha256")
    .update([...canonical, headers["x-amz-content-sha256"]].join("\n"))
    .digest("hex");
  const scope = [date.slice(0, 8), KEY.region, "s3", "aws4_request"];
  const key = scope.reduce(hmac, Buffer.from(`AWS4${KEY.secretAccessKey}`));
  return hmac(key, ["AWS4-HMAC-SHA256", date, scope.join("/"), hash].join("\n")).toString("hex");
}

it("puts the pages of a domain's links into a store once a day, signed with the user's key", async () => {
  const { received, url } = await startStore();
  await addDomain("go.example", { url: new URL(url).href, ...KEY });
  await addOwnLinks(database, userId, { name: "lamp", count: 3 });
  await database.rows("UPDATE links SET short_code = short_code || '@go.example'");
  await run();
  await run();
  const [{ request, body } = expect.fail("nothing was sent"), ...others] = received;
  expect(others).toEqual([]);
  expect(request.method).toBe("PUT");
  expect(request.headers).toMatchObject({ "content-length": String(body.length), "content-type": "application/gzip" });
  expect(request.headers.authorization).toContain(`Signature=${signatureOf(request)}`);
  expect(
    String(gunzipSync(body))
      .match(/lamp\d\/index.html/g)
      ?.sort(),
  ).toEqual([1, 2, 3].map((n) => `lamp${n}/index.html`));
  expect(await results()).toEqual([{ host: "go.example", backup_error: null, backed_up_at: expect.any(Date) }]);
});

it("notes why a file was not sent, and sends the others", async () => {
  const { received, url } = await startStore();
  const refusing = await startStore(403);
  await addDomain("a.example", {}, "not sealed");
  await addDomain("b.example", { url: refusing.url, ...NO_KEY });
  await addDomain("c.example", { url: "https://10.0.0.1/x", ...NO_KEY });
  await addDomain("d.example", { url, ...NO_KEY });
  await run();
  expect((await results()).map(({ backup_error }) => backup_error)).toEqual([
    ...[null, "The address responded with status 403.", "This address is not allowed.", null],
  ]);
  expect(received.map(({ request }) => request.headers.authorization)).toEqual([undefined]);
  expect(await database.rows("SELECT kind FROM failed_items")).toEqual([{ kind: "back-up-links" }]);
});

it("sends nothing for a user who is disabled", async () => {
  const { received, url } = await startStore();
  await addDomain("go.example", { url, ...NO_KEY });
  await database.rows("UPDATE users SET state = 'disabled'");
  await run();
  expect(received).toEqual([]);
});
