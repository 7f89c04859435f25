import { expect, test } from "./home.ts";

const STEPS = [
  "Paste an Amazon link",
  "Copy your short link",
  "Share it anywhere",
  "One tap opens the Amazon app",
  "Your tag comes along",
];

// Specification 2.20
test("the demo video loads only its poster, plays once the user starts it, and its captions name each step", async ({
  home,
  page,
}) => {
  const media: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "media") media.push(request.url());
  });
  const video = page.getByLabel("Demo: from an Amazon link to the Amazon app");
  await expect(video).toHaveJSProperty("paused", true);
  await expect(home.field).toBeVisible();
  expect(media).toEqual([]);
  await video.focus();
  await page.keyboard.press("Space");
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0);
  await expect(video).toHaveJSProperty("muted", true);
  await expect(video).toHaveJSProperty("controls", true);
  expect(media[0]).toMatch(/\/assets\/demo-[\w-]+\.webm$/);
  const duration = await video.evaluate((element: HTMLVideoElement) => element.duration);
  expect(Math.abs(duration - 20)).toBeLessThan(5);
  const cues = () =>
    video.evaluate(({ textTracks: [track] }: HTMLVideoElement) => {
      if (track === undefined) return [];
      track.mode = "showing";
      return [...(track.cues ?? [])].map((cue) => (cue as VTTCue).text);
    });
  await expect.poll(cues).toEqual(STEPS);
});
