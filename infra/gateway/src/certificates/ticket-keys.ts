import { hkdfSync } from "node:crypto";
import { join } from "node:path";
import { createDependencyState } from "@tapthru/core/platform/dependency-state";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { replaceFile } from "./certificate-files.ts";

interface TicketKeysOptions {
  /** CERTIFICATES_DIR */
  directory: string;
  /** The newest of ENCRYPTION_KEYS. */
  secret: string;
  logger: Logger;
  now?: () => number;
}

/** The file that nginx includes. It changes once a day. */
export const TICKETS_FILE = "tickets.conf";

const DAY_MS = 86_400_000;
const CHECK_MS = 60_000;
const KEY_BYTES = 80;
/** Today's key encrypts. The others decrypt, because gateways change their keys at slightly different times. */
const DAYS = [0, -1, 1];

/**
 * Writes the keys of TLS session tickets, so that each gateway resumes the sessions of all others without asking them:
 * they derive the same keys from the day and the secret.
 */
export function createTicketKeys({ directory, secret, logger, now = Date.now }: TicketKeysOptions): Component {
  const disk = createDependencyState(logger, "certificates directory");
  let written: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function write(day: number): Promise<void> {
    const lines: string[] = [];
    for (const [index, offset] of DAYS.entries()) {
      const file = join(directory, `tickets-${index}.key`);
      await replaceFile(file, keyOf(secret, day + offset));
      lines.push(`ssl_session_ticket_key "${file}";\n`);
    }
    await replaceFile(join(directory, TICKETS_FILE), lines.join(""));
  }

  async function refresh(): Promise<void> {
    const today = Math.floor(now() / DAY_MS);
    if (today === written) return;
    try {
      await write(today);
      written = today;
      disk.available();
    } catch (err) {
      disk.unavailable(err);
    }
  }

  return {
    name: "keys of session tickets",
    async start() {
      await refresh();
      timer = setInterval(refresh, CHECK_MS);
    },
    async stop() {
      clearInterval(timer);
    },
  };
}

function keyOf(secret: string, day: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `tapthru session tickets of day ${day}`, KEY_BYTES));
}
