import { expect, it } from "vitest";
import * as z from "zod/mini";
import { freePort } from "../testing/free-port.ts";
import { startRawServer } from "../testing/raw-server.ts";
import { createTestLogger } from "../testing/test-logger.ts";
import { ClickHouseUnavailableError, createClickHouse } from "./clickhouse.ts";

const PASSWORD = "never-logged";

function connect(port: number) {
  const { logger, lines } = createTestLogger();
  const url = `http://user:${PASSWORD}@127.0.0.1:${port}/clicks`;
  const clickHouse = createClickHouse({ url, applicationName: "test", timeoutMs: 3_000, logger });
  return { clickHouse, lines };
}

async function respond(status: string, headers: string, body: string) {
  const { port } = await startRawServer((socket) => {
    socket.once("data", () =>
      socket.end(`HTTP/1.1 ${status}\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`),
    );
  });
  return connect(port);
}

const one = z.object({ n: z.int() });

it("is unavailable without a server, and logs this once, without the password", async () => {
  const { clickHouse, lines } = connect(await freePort());
  for (let i = 0; i < 2; i++)
    await expect(clickHouse.rows(one, "SELECT 1 AS n", {})).rejects.toThrow(ClickHouseUnavailableError);
  expect(clickHouse.isAvailable).toBe(false);
  expect(lines.map(({ event }) => event)).toEqual(["dependency_unavailable"]);
  expect(JSON.stringify(lines)).not.toContain(PASSWORD);
});

it("is unavailable if the server does not respond in time", async () => {
  const { port } = await startRawServer(() => {});
  const { clickHouse } = connect(port);
  await expect(clickHouse.insert("clicks", [{ n: 1 }], "token")).rejects.toThrow(ClickHouseUnavailableError);
});

it.each([
  ["516", "Code: 516. DB::Exception: user: Authentication failed. (AUTHENTICATION_FAILED)"],
  ["60", "Code: 60. DB::Exception: Table clicks does not exist. (UNKNOWN_TABLE)"],
  ["252", "Code: 252. DB::Exception: Too many parts. (TOO_MANY_PARTS)"],
  ["62", "Code: 62. DB::Exception: Syntax error. (SYNTAX_ERROR)"],
])("is unavailable while the server refuses with code %s, unless the query is wrong", async (code, message) => {
  const header = `x-clickhouse-exception-code: ${code}\r\n`;
  const { clickHouse } = await respond("500 Internal Server Error", header, message);
  const error = await clickHouse.command("SELECT 1").catch((error: unknown) => error);
  expect(error instanceof ClickHouseUnavailableError).toBe(code !== "62");
});

it("returns rows", async () => {
  const { clickHouse } = await respond("200 OK", "", '{"n":1}\n{"n":2}\n');
  expect(await clickHouse.rows(one, "SELECT n", {})).toEqual([{ n: 1 }, { n: 2 }]);
  expect(clickHouse.isAvailable).toBe(true);
});
