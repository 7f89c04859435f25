import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { Component } from "@tapthru/runtime/lifecycle";

/** As much as the kernel allows: a burst must not be lost while garbage is collected. */
const RECEIVE_BUFFER_BYTES = 4_194_304;

/** Receives nginx's syslog messages, one in a datagram. */
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
