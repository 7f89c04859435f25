import { fork } from "node:child_process";
import { once } from "node:events";
import { tagFlood } from "@tapthru/amazon-stand-in/page-bytes";
import { expect, it } from "vitest";

it("exits while it parses a page if its parent has exited", { timeout: 60_000 }, async () => {
  const child = fork(new URL("./parse-page-process.ts", import.meta.url), ["2000"], {
    env: {},
    serialization: "advanced",
  });
  const exited = once(child, "exit");
  await once(child, "message");
  const bytes = Buffer.from(tagFlood("<div>"));
  child.send({ status: 200, contentType: "text/html", bytes });
  expect(await exited).toEqual([null, "SIGKILL"]);
});
