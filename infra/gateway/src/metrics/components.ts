import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { createAdminServer } from "@tapthru/core/platform/http/admin-server";
import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import { createMetrics } from "@tapthru/core/platform/metrics/metrics";
import { createReadiness } from "@tapthru/core/platform/readiness";
import { Counter } from "prom-client";
import { createGatewayMetrics } from "./gateway-metrics.ts";
import { parseRecord } from "./record.ts";

/** The kernel may grant less. Large enough that a burst during garbage collection is not lost. */
const RECEIVE_BUFFER_BYTES = 4_194_304;

/** Receives nginx's syslog messages, one per datagram. */
function createReceiver(options: { host: string; port: number; onMessage: (message: string) => void }): Component {
  const { host, port, onMessage } = options;
  const socket = createSocket({ type: isIPv6(host) ? "udp6" : "udp4", recvBufferSize: RECEIVE_BUFFER_BYTES });
  socket.on("message", (datagram) => onMessage(datagram.toString("utf8")));
  return {
    name: "receiver",
    async start() {
      socket.bind(port, host);
      await once(socket, "listening");
    },
    async stop() {
      socket.close();
    },
  };
}

/**
 * How many datagrams the kernel dropped because the receiver was too slow.
 * @param table content of /proc/net/udp and udp6; proc(5) describes its columns
 * @param port the receiver's port
 */
export function droppedDatagrams(table: string, port: number): number {
  const hexPort = port.toString(16).toUpperCase().padStart(4, "0");
  return table
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, localAddress = ""]) => localAddress.endsWith(`:${hexPort}`))
    .reduce((sum, columns) => sum + Number(columns.at(-1)), 0);
}

interface Settings {
  host: string;
  syslogPort: number;
  adminPort: number;
  version: string;
  logger: Logger;
}

export function createComponents(settings: Settings): Component[] {
  const { host, syslogPort, adminPort, version, logger } = settings;
  const registry = createMetrics(version);
  const observe = createGatewayMetrics(registry);
  let dropped = 0;
  const lost = new Counter({
    name: "tapthru_gateway_lost_records_total",
    help: "Requests that are missing in the other metrics because their record was dropped by the kernel or invalid",
    labelNames: ["reason"] as const,
    registers: [registry],
    collect() {
      const now = droppedDatagrams(udpTable(), syslogPort);
      this.inc({ reason: "dropped" }, Math.max(0, now - dropped));
      dropped = now;
    },
  });
  lost.inc({ reason: "invalid" }, 0);

  function onMessage(message: string): void {
    const record = parseRecord(message);
    if (record === null) lost.inc({ reason: "invalid" });
    else observe(record);
  }

  const readiness = createReadiness();
  return [
    createAdminServer({ host, port: adminPort, registry, readiness, logger }),
    createReceiver({ host, port: syslogPort, onMessage }),
    readiness,
  ];
}

/** Empty on systems other than Linux. */
function udpTable(): string {
  return ["/proc/net/udp", "/proc/net/udp6"]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("");
}
