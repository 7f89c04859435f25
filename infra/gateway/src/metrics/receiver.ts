import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { Component } from "@tapthru/core/platform/lifecycle";

/** The kernel may grant less. Large enough that a burst during garbage collection is not lost. */
const RECEIVE_BUFFER_BYTES = 4_194_304;

/** Receives nginx's syslog messages, one per datagram. */
export function createReceiver(options: {
  host: string;
  port: number;
  onMessage: (message: string) => void;
}): Component {
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
