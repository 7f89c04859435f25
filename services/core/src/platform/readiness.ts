import type { Component } from "./lifecycle.ts";

export interface Readiness extends Component {
  /** Null if ready for traffic, else the reason in a short sentence. */
  readinessReason(): string | null;
  /** A warning for the operator although the service is ready; null if none. */
  note(): string | null;
}

export interface ReadinessOptions {
  /** The service's own reason; null if none. */
  readinessReason?: () => string | null;
  note?: () => string | null;
}

/** The last component of a service: ready when all others are started, and the first to stop. */
export function createReadiness(options: ReadinessOptions = {}): Readiness {
  const { readinessReason = () => null, note = () => null } = options;
  let phase: "starting" | "running" | "stopping" = "starting";
  return {
    name: "readiness",
    async start() {
      phase = "running";
    },
    async stop() {
      phase = "stopping";
    },
    readinessReason: () => (phase === "running" ? readinessReason() : phase),
    note,
  };
}
