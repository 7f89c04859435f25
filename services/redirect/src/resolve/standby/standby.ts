import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { type Postgres, PostgresUnavailableError } from "@tapthru/core/platform/postgres/postgres";
import { readWalPosition, type WalPosition } from "@tapthru/core/platform/postgres/wal-position";
import { pause, withDeadline } from "@tapthru/core/platform/waiting";
import { LINK_CHANGES_POLL_INTERVAL_MS } from "@tapthru/proto/rules/limits";
import { StandbyAge } from "./standby-age.ts";
import { STANDBY_USABLE_UP_TO_MS, usesStandby } from "./uses-standby.ts";

interface Dependencies {
  primary: Pick<Postgres, "reserved" | "isAvailable">;
  standby: Pick<Postgres, "reserved">;
  tail: { readonly hasCaughtUp: boolean };
  /** A server that takes longer to report its position counts as unavailable. */
  deadlineMs: number;
  logger: Logger;
}

/** Compares the standby with the primary every half second, and knows whether look-ups may read it. */
export class Standby implements Component {
  readonly name = "standby of Postgres";
  readonly #deps: Dependencies;
  readonly #age = new StandbyAge(STANDBY_USABLE_UP_TO_MS);
  readonly #stopping = new AbortController();
  #wasUsed = false;
  #loopEnd = Promise.resolve();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.#compare();
    this.#loopEnd = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#loopEnd;
  }

  /** See StandbyAge. */
  get ageMs(): number | null {
    return this.#age.ageMs(performance.now());
  }

  get isUsed(): boolean {
    const { primary, tail } = this.#deps;
    return usesStandby({
      ageMs: this.ageMs,
      isPrimaryAvailable: primary.isAvailable,
      hasCaughtUp: tail.hasCaughtUp,
    });
  }

  /** For the readiness page. */
  get note(): string {
    const { isUsed, ageMs } = this;
    const use = isUsed ? "links are read from the standby" : "no links are read from the standby";
    return `${use}, ${ageMs === null ? "whose age is unknown" : `age ${Math.round(ageMs / 1_000)} s`}`;
  }

  async #loop(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await pause(LINK_CHANGES_POLL_INTERVAL_MS, this.#stopping.signal);
      await this.#compare();
    }
  }

  async #compare(): Promise<void> {
    const at = performance.now();
    const [primary, standby] = await Promise.all([
      this.#positionOf(this.#deps.primary),
      this.#positionOf(this.#deps.standby),
    ]);
    this.#age.observe({ at, primary, standby });
    this.#logUse();
  }

  async #positionOf(server: Pick<Postgres, "reserved">): Promise<WalPosition | null> {
    const { deadlineMs, logger } = this.#deps;
    try {
      return await withDeadline(
        readWalPosition(server.reserved),
        deadlineMs,
        () => new PostgresUnavailableError("Postgres did not report its position in time"),
      );
    } catch (err) {
      if (!(err instanceof PostgresUnavailableError))
        logger.error({ event: "standby_read_failed", err }, "failed to read a position");
      return null;
    }
  }

  #logUse(): void {
    const { isUsed, ageMs } = this;
    if (isUsed === this.#wasUsed) return;
    this.#wasUsed = isUsed;
    const { logger } = this.#deps;
    if (isUsed) logger.info({ event: "standby_used", ageMs }, "links are read from the standby");
    else logger.warn({ event: "standby_not_used", ageMs }, "links are read from the primary only");
  }
}
