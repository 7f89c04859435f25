import { once } from "node:events";
import { appendFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { Settings } from "../stack/settings.ts";

/** Where tests find the emails: one line of JSON for each, with `to`, `subject` and `text`. */
export function emailsFile({ logsDir }: Pick<Settings, "logsDir">): string {
  return join(logsDir, "emails.jsonl");
}

/**
 * Starts an SMTP server that delivers nothing. It prints each email in the terminal and appends it to the file. It ends
 * with this process.
 * @returns its SMTP_URL
 */
export async function startMailServer(file: string): Promise<string> {
  const server = new SMTPServer({
    hideSTARTTLS: true,
    disabledCommands: ["AUTH"],
    async onData(stream, { envelope }, callback) {
      const email = await buffer(stream).catch(() => null);
      // The client disconnected before the end.
      if (email === null) return callback();
      const { subject = "", text = "" } = await PostalMime.parse(email);
      const from = envelope.mailFrom ? envelope.mailFrom.address : "";
      const to = envelope.rcptTo.map(({ address }) => address).join(", ");
      appendFileSync(file, `${JSON.stringify({ to, subject, text })}\n`);
      console.log(`\nEmail from ${from} to ${to}: ${subject}\n${text.trim().replace(/^/gm, "  ")}`);
      callback();
    },
  });
  // A client that disconnects is not an error of the stack.
  server.on("error", () => {});
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  listening.unref();
  return `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}
