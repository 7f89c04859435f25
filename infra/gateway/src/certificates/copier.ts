import type { CertificateKeys } from "@tapthru/core/platform/cipher";
import { createDependencyState } from "@tapthru/core/platform/dependency-state";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import pg from "pg";
import { type CertificateFiles, openCertificateFiles } from "./certificate-files.ts";
import { createRound, type Round } from "./copy-round.ts";

interface CopierOptions {
  databaseUrl: string;
  /** CERTIFICATES_DIR */
  directory: string;
  certificateKeys: CertificateKeys;
  logger: Logger;
  pauseMs?: number;
}

const PAUSE_MS = 5_000;
const TIMEOUT_MS = 5_000;

/** Copies the certificates in Postgres to files, again and again. While Postgres is unavailable the files stay as they are. */
export function createCopier(options: CopierOptions): Component {
  const { databaseUrl, directory, certificateKeys, logger, pauseMs = PAUSE_MS } = options;
  const postgres = createDependencyState(logger, "postgres");
  let client: pg.Client | null = null;
  let isStopped = false;
  let next: NodeJS.Timeout | undefined;
  let current = Promise.resolve();

  async function connect(): Promise<pg.Client> {
    const opened = new pg.Client({
      connectionString: databaseUrl,
      application_name: "tapthru-certificates",
      connectionTimeoutMillis: TIMEOUT_MS,
      statement_timeout: TIMEOUT_MS,
      query_timeout: 2 * TIMEOUT_MS,
      keepAlive: true,
    });
    opened.on("error", () => {});
    opened.on("end", () => {
      if (client === opened) client = null;
    });
    try {
      await opened.connect();
    } catch (error) {
      void opened.end().catch(() => {});
      throw error;
    }
    return opened;
  }

  async function run(round: Round, files: CertificateFiles): Promise<void> {
    try {
      client ??= await connect();
      await round(client);
      postgres.available();
    } catch (err) {
      postgres.unavailable(err);
      // A connection that does not respond is never used again.
      void client?.end().catch(() => {});
      client = null;
    }
    await files.markRound();
    if (!isStopped) next = setTimeout(start, pauseMs, round, files);
  }

  function start(round: Round, files: CertificateFiles): void {
    current = run(round, files);
  }

  return {
    name: "copies of certificates",
    async start() {
      const files = await openCertificateFiles(directory);
      start(createRound({ files, certificateKeys, logger }), files);
    },
    async stop() {
      isStopped = true;
      clearTimeout(next);
      await current;
      clearTimeout(next);
      await client?.end().catch(() => {});
    },
  };
}
