import type { ChildProcess } from "node:child_process";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { startTestMailServer, type TestMailServer } from "./testing/test-mail-server.ts";
import { createTestRedis, type TestRedis } from "./testing/test-redis.ts";
import { addOwnLinks, addUser } from "./testing/test-webhooks.ts";
import { startWorker, stopWorker } from "./testing/test-worker.ts";

const WAIT_OPTIONS = { timeout: 60_000, interval: 50 };

let database: TestDatabase;
let redis: TestRedis;
let mailServer: TestMailServer;
const running: ChildProcess[] = [];

beforeEach(async () => {
  [database, redis, mailServer] = await Promise.all([createTestDatabase(), createTestRedis(), startTestMailServer()]);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => stopWorker(worker, "SIGKILL")));
  await mailServer.stop();
  await Promise.all([database.drop(), redis.remove()]);
});

async function start(): Promise<ChildProcess> {
  const worker = await startWorker({
    databaseUrl: database.url,
    redisUrl: redis.server.url,
    storeUrl: "http://127.0.0.1:9",
    mailUrl: mailServer.url,
  });
  running.push(worker);
  return worker;
}

/** Adds a user to whom an email is due. */
async function addReader(name: string): Promise<void> {
  const id = await addUser(database);
  await addOwnLinks(database, id, { name });
  await database.rows("UPDATE users SET email_is_verified = true, email = $1 || '@t.example' WHERE id = $2", [
    name,
    id,
  ]);
  await database.rows(
    `UPDATE link_health SET state = 'product-gone', since = now() - interval '2 days', is_stale = false
     WHERE link_id IN (SELECT id FROM links WHERE user_id = $1)`,
    [id],
  );
}

it("an email whose worker was killed while the server accepted it is not sent again", async () => {
  await addReader("lamp");
  mailServer.accept = () => new Promise(() => {});
  const worker = await start();
  await vi.waitFor(() => expect(mailServer.received).toHaveLength(1), WAIT_OPTIONS);
  await stopWorker(worker, "SIGKILL");
  mailServer.accept = () => {};
  // The next worker sends by the ids of users: the email to the first one would be before that to the second one.
  await addReader("desk");
  await start();
  const isSent = `SELECT FROM digests JOIN users ON users.id = user_id
    WHERE email = 'desk@t.example' AND sent_at IS NOT NULL`;
  await vi.waitFor(async () => expect(await database.rows(isSent)).toHaveLength(1), WAIT_OPTIONS);
  expect(mailServer.received.flatMap(({ to }) => to)).toEqual(["lamp@t.example", "desk@t.example"]);
}, 180_000);
