import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { emailsFile, startMailServer } from "./mail-server.ts";

it("receives emails after a client that disconnected within one", async () => {
  const logsDir = mkdtempSync(join(tmpdir(), "tapthru-mail-"));
  onTestFinished(() => rmSync(logsDir, { recursive: true }));
  const { port } = new URL(await startMailServer(emailsFile({ logsDir })));
  const begin = async (subject: string) => {
    const client = connect(Number(port), "127.0.0.1");
    for (const line of ["EHLO a", "MAIL FROM:<a@a.example>", "RCPT TO:<b@b.example>", "DATA"]) {
      await once(client, "data");
      client.write(`${line}\r\n`);
    }
    await once(client, "data");
    client.write(`Subject: ${subject}\r\n\r\nText`);
    return client;
  };
  (await begin("first")).destroy();
  (await begin("second")).end("\r\n.\r\n");
  const text = await vi.waitFor(() => readFileSync(emailsFile({ logsDir }), "utf8"));
  expect(JSON.parse(text)).toMatchObject({ subject: "second" });
});
