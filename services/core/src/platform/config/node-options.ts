import nodeOptions from "../../../node-options.json" with { type: "json" };

/**
 * Limits of Node's heap for each program, which Compose, the chart and `start` pass to it. Without them the young generation of
 * the redirect grows to 134 MB, and the old one is rarely collected. `certificates` holds a few rows at a time.
 */
export const NODE_OPTIONS: Readonly<Record<"api" | "redirect" | "certificates", string>> = nodeOptions;
