/**
 * A process for lifecycle.test.ts: three components, and the fault that the argument names. The second component stops
 * when a line arrives on stdin.
 */
import { once } from "node:events";
import { type Component, runComponents } from "../lifecycle.ts";
import { createLogger } from "../logger.ts";

const [fault = "none", deadlineMs = "60000"] = process.argv.slice(2);
const logger = createLogger({ service: "test", level: "info" });

function createComponent(name: string, stop = async () => {}): Component {
  return {
    name,
    async start() {
      logger.info({ event: "service_started" }, `start ${name}`);
      if (fault === `start ${name}`) throw new Error("no");
    },
    async stop() {
      await stop();
      logger.info({ event: "service_stopped" }, `stop ${name}`);
      if (fault === `stop ${name}`) throw new Error("no");
    },
  };
}

const waiting = () => once(process.stdin, "data").then(() => {});
await runComponents(logger, [createComponent("first"), createComponent("second", waiting), createComponent("third")], {
  deadlineMs: Number(deadlineMs),
});
logger.info({ event: "service_started" }, "running");

if (fault === "throw")
  setImmediate(() => {
    throw new Error("thrown");
  });
if (fault === "reject") void Promise.reject(new Error("rejected"));
setInterval(() => {}, 1_000);
