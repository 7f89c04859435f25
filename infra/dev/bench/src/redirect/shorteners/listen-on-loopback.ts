import { Server } from "node:net";

// Loaded before a server that has no setting for its address and would listen on all networks.
const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, port: number, onListening?: () => void) {
  return Reflect.apply(listen, this, [port, "127.0.0.1", onListening]);
} as typeof listen;
