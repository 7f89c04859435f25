import type { WalPosition } from "@tapthru/core/platform/postgres/wal-position";

/** Both servers at about the same time; null if a server did not respond. */
interface Observation {
  /** When the queries were sent, by performance.now(). */
  at: number;
  primary: WalPosition | null;
  standby: WalPosition | null;
}

/** The primary was at this position at that time or later: a standby with it has all that was committed before. */
interface Sample {
  at: number;
  position: number;
}

/**
 * How old the data of the standby may be, from the positions of both servers: no clocks of two machines are compared, and
 * a standby that lost its connection to an idle primary is not mistaken for one that is behind.
 */
export class StandbyAge {
  /** Positions of the primary in ascending order; one for equal positions. */
  #samples: Sample[] = [];
  /** The primary's state at this time is in the standby; null if unknown. */
  #currentAt: number | null = null;
  #clusterId: string | null = null;
  readonly #keptForMs: number;

  /** @param keptForMs a greater age is reported as unknown */
  constructor(keptForMs: number) {
    this.#keptForMs = keptForMs;
  }

  observe({ at, primary, standby }: Observation): void {
    if (primary !== null) {
      this.#addSample(at, primary.position);
      this.#clusterId = primary.clusterId;
    }
    const replayed = standby !== null && this.#follows(standby, primary) ? standby.position : -1;
    const index = this.#samples.findLastIndex(({ position }) => position <= replayed);
    this.#currentAt = this.#samples[index]?.at ?? null;
    const oldest = at - this.#keptForMs;
    this.#samples = this.#samples.filter(
      (sample, i) => i >= index && (sample.at >= oldest || i === this.#samples.length - 1),
    );
  }

  /** Milliseconds since the primary last had nothing that the standby lacks, as far as is known; null if unknown. */
  ageMs(now: number): number | null {
    return this.#currentAt === null ? null : now - this.#currentAt;
  }

  /** After a failover both addresses may name a primary, which then is no standby of the other one. */
  #follows(standby: WalPosition, primary: WalPosition | null): boolean {
    return standby.clusterId === this.#clusterId && (standby.isStandby || primary === null);
  }

  #addSample(at: number, position: number): void {
    // A server with less was restored, or is another one.
    this.#samples = this.#samples.filter((sample) => sample.position < position);
    this.#samples.push({ at, position });
  }
}
