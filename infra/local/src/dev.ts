import { parseArgs } from "node:util";
import { runStack } from "./run-stack.ts";

const { values } = parseArgs({ options: { demo: { type: "boolean", default: false } } });
await runStack({ isDev: true, isDemo: values.demo });
