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
  // A connection that does not respond is closed, and never used again.
  const pool = new pg.Pool({
    max: 1,
    connectionString: databaseUrl,
    application_name: "tapthru-certificates",
    connectionTimeoutMillis: TIMEOUT_MS,
    statement_timeout: TIMEOUT_MS,
    query_timeout: 2 * TIMEOUT_MS,
    keepAlive: true,
  });
  pool.on("error", () => {});
  let isStopped = false;
  let next: NodeJS.Timeout | undefined;
  let current = Promise.resolve();

  async function run(round: Round, files: CertificateFiles): Promise<void> {
    try {
      await round(pool);
      postgres.available();
    } catch (err) {
      postgres.unavailable(err);
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
      await pool.end();
    },
  };
}
