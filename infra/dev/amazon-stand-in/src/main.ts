import { parseArgs } from "node:util";
import { startAmazonStandIn } from "./stand-in.ts";

const { values } = parseArgs({
  options: {
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "0" },
    "tls-port": { type: "string", default: "0" },
  },
});

const standIn = await startAmazonStandIn({
  host: values.host,
  httpPort: Number(values.port),
  httpsPort: Number(values["tls-port"]),
});
console.log(`Amazon stand-in on ${standIn.url}, with TLS on port ${standIn.httpsPort}`);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, standIn.stop);
