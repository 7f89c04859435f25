import { PORT_NAMES, readSettings } from "../stack/settings.ts";

// Scripts in JavaScript: the container's Node may not run TypeScript.

/** Opens the start page, creates a link and opens it. */
export const PROBE = `
const origin = "http://localhost:8080";
const url = "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1";
(async () => {
  const page = await fetch(origin);
  if (!page.ok) throw new Error("/ responds " + page.status);
  const created = await fetch(origin + "/api/generate", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  const { shortUrl } = await created.json();
  const opened = await fetch(shortUrl, { redirect: "manual" });
  if (opened.headers.get("location") !== url) throw new Error(shortUrl + " responds " + opened.status);
})();`;

/** Has the effect of Ctrl-C. */
export const INTERRUPT = `process.kill(Number(fs.readFileSync(".data/start.pid")), "SIGINT");`;

const { ports } = readSettings({});

/** Listens on every default port until it is killed. */
export const OCCUPY_PORTS = `
for (const port of ${JSON.stringify(PORT_NAMES.map((name) => ports[name]))}) {
  net.createServer().listen(port, "127.0.0.1");
}`;
