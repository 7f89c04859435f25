import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { messages } from "@tapthru/proto/rules/messages";
import { expect, test } from "vitest";

const media = (name: string) => join(import.meta.dirname, "src/features/demo-video/media", name);

// Specification 2.20
test.each(["demo.webm", "demo.mp4"])("%s is smaller than 1.5 MB", (name) => {
  expect(statSync(media(name)).size).toBeLessThan(1_500_000);
});

test("the captions are the steps shown above the screen", () => {
  const [head, ...cues] = readFileSync(media("demo.vtt"), "utf8").trim().split("\n\n");
  expect(head).toBe("WEBVTT");
  expect(cues.map((cue) => cue.split("\n")[1])).toEqual(Object.values(messages.demoVideoSteps));
});
