import { parseArgs } from "node:util";
import { startAmazonStandIn } from "./stand-in.ts";

const { values } = parseArgs({
  options: { port: { type: "string" }, "tls-port": { type: "string" } },
});

const standIn = await startAmazonStandIn({
  httpPort: Number(values.port ?? 0),
  ...(values["tls-port"] === undefined ? {} : { httpsPort: Number(values["tls-port"]) }),
});
console.log(`Amazon stand-in on ${standIn.url}`);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, standIn.stop);
