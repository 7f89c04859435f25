import { expect, test } from "./home.ts";

const STEPS = [
  "Paste an Amazon link",
  "Copy your short link",
  "Share it anywhere",
  "One tap opens the Amazon app",
  "Your tag comes along",
];

// Specification 2.20
test("the demo video loads only its poster, plays once it is in view, and its captions name each step", async ({
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
  await video.scrollIntoViewIfNeeded();
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

test.describe("reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("the demo video does not play until the user starts it", async ({ home, page }) => {
    await expect(home.field).toBeVisible();
    const video = page.locator("video");
    await video.scrollIntoViewIfNeeded();
    await expect(video).toHaveJSProperty("paused", true);
    await expect(video).toHaveJSProperty("currentTime", 0);
    await video.focus();
    await page.keyboard.press("Space");
    await expect(video).toHaveJSProperty("paused", false);
  });
});
