import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { messages } from "@tapthru/proto/rules/messages";
import { withVitePage } from "../vite-page.ts";
import { type Point, type Scene, STAGE, type Step } from "./scene.ts";

const FRAMES_PER_SECOND = 25;
const FADE_FRAMES = 5;
const GLIDE_FRAMES = 14;

/** Records the stage frame by frame. A still scene is one frame with a longer duration. */
export class VideoRecorder {
  readonly #page: Page;
  readonly #folder: string;
  readonly #frames: { file: string; seconds: number }[] = [];
  readonly #steps: { step: Step; at: number }[] = [];
  #seconds = 0;
  #poster = "";

  constructor(page: Page, folder: string) {
    this.#page = page;
    this.#folder = folder;
  }

  /** Records a scene for some seconds, by default for one frame. */
  async hold(scene: Scene, seconds = 1 / FRAMES_PER_SECOND) {
    if (this.#steps.at(-1)?.step !== scene.step) {
      this.#steps.push({ step: scene.step, at: this.#seconds });
    }
    const file = `${String(this.#frames.length).padStart(4, "0")}.png`;
    await this.#page.evaluate((shown) => globalThis.showScene(shown), scene);
    await this.#page.screenshot({ path: join(this.#folder, file) });
    this.#frames.push({ file, seconds });
    this.#seconds += seconds;
  }

  async fadeIn(scene: Scene) {
    for (let frame = 1; frame <= FADE_FRAMES; frame += 1) {
      await this.hold({ ...scene, opacity: frame / FADE_FRAMES });
    }
  }

  /** Records the pointer moving to a point and pressing. */
  async tap(scene: Scene, from: Point, to: Point) {
    for (let frame = 0; frame <= GLIDE_FRAMES; frame += 1) {
      const done = (1 - Math.cos((Math.PI * frame) / GLIDE_FRAMES)) / 2;
      const x = from.x + (to.x - from.x) * done;
      const y = from.y + (to.y - from.y) * done;
      await this.hold({ ...scene, pointer: { x, y, isDown: false } });
    }
    await this.hold({ ...scene, pointer: { ...to, isDown: true } }, 0.2);
  }

  /** Makes the last recorded frame the poster of the video. */
  useAsPoster() {
    this.#poster = this.#frames.at(-1)?.file ?? "";
  }

  /** The captions of all steps as WebVTT. */
  captions(): string {
    const cues = this.#steps.map(({ step, at }, index) => {
      const end = this.#steps[index + 1]?.at ?? this.#seconds;
      return `${timestamp(at)} --> ${timestamp(end)}\n${messages.demoVideoSteps[step]}\n`;
    });
    return `WEBVTT\n\n${cues.join("\n")}`;
  }

  /** Writes the video and its poster with ffmpeg. */
  async write(to: { webm: string; mp4: string; poster: string }) {
    const list = this.#frames.map(({ file, seconds }) => `file ${file}\nduration ${seconds}\n`);
    // ffmpeg ignores the duration of the last entry, so the last frame is listed twice.
    const last = `file ${this.#frames.at(-1)?.file}\n`;
    await writeFile(join(this.#folder, "list.txt"), `${list.join("")}${last}`);
    const encode = (path: string, input: string[], ...options: string[]) => {
      const common = ["-y", "-loglevel", "error", ...input, "-map_metadata", "-1", "-an"];
      execFileSync("ffmpeg", [...common, ...options, "-fflags", "+bitexact", path]);
    };
    const frames = ["-f", "concat", "-i", join(this.#folder, "list.txt")];
    const filter = ["-vf", `fps=${FRAMES_PER_SECOND},format=yuv420p`];
    encode(to.webm, frames, ...filter, "-c:v", "libvpx-vp9", "-crf", "34", "-b:v", "0");
    const h264 = ["-c:v", "libx264", "-preset", "slow", "-crf", "25", "-movflags", "+faststart"];
    encode(to.mp4, frames, ...filter, ...h264);
    encode(to.poster, ["-i", join(this.#folder, this.#poster)], "-c:v", "libwebp");
  }
}

/** Opens the stage and passes a recorder to `record`. Removes the frames afterwards. */
export async function recordVideo(
  browser: Browser,
  record: (recorder: VideoRecorder) => Promise<void>,
) {
  const folder = await mkdtemp(join(tmpdir(), "demo-video-"));
  try {
    await withVitePage(browser, "/demo-video/stage.html", STAGE, async (page) => {
      await page.waitForFunction(() => "showScene" in globalThis);
      await record(new VideoRecorder(page, folder));
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function timestamp(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(11, 23);
}
