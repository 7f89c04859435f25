import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Component } from "@tapthru/runtime/lifecycle";

/** The kernel may grant less. Large enough that a burst during garbage collection is not lost. */
const RECEIVE_BUFFER_BYTES = 4_194_304;

/** Receives nginx's syslog messages, one per datagram. */
export function createReceiver(options: {
  host: string;
  port: number;
  onMessage: (message: string) => void;
}): Component {
  const { host, port, onMessage } = options;
  const socket = createSocket({ type: "udp4", recvBufferSize: RECEIVE_BUFFER_BYTES });
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
