import { messages } from "@tapthru/proto/rules/messages";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import type { Scene, Screen, Screenshot, Step } from "./scene.ts";
import "../src/styles.css";

const WINDOW_SCALE = 1.7;
const PHONE_SCALE = 1.45;
const PHONE = { width: 360, height: 490 };
const STEPS = Object.keys(messages.demoVideoSteps) as Step[];

declare global {
  /** Draws a scene. Resolves when its images are decoded. */
  var showScene: (scene: Scene) => Promise<void>;
}

const root = createRoot(document.getElementById("root") as HTMLElement);

globalThis.showScene = async (scene) => {
  flushSync(() => root.render(<Stage scene={scene} />));
  await Promise.all([...document.images].map((image) => image.decode()));
};

function Stage({ scene: { step, screen, pointer, opacity = 1 } }: { scene: Scene }) {
  return (
    <main className="relative isolate flex h-[900px] w-[1200px] flex-col items-center overflow-hidden bg-page">
      <div className="absolute -top-56 -right-64 -z-10 size-[900px] rounded-full bg-notice" />
      <h1 className="flex h-[132px] shrink-0 items-center gap-6 text-[58px] font-semibold tracking-tight">
        <span className="grid size-[72px] place-items-center rounded-full bg-accent text-[44px] text-on-accent">
          {STEPS.indexOf(step) + 1}
        </span>
        {messages.demoVideoSteps[step]}
      </h1>
      <div style={{ opacity }}>
        <ScreenOf screen={screen}>
          {pointer && (
            <div
              className={`absolute z-10 -mt-4 -ml-4 size-8 rounded-full border-2 border-surface bg-ink/45 shadow-card ${pointer.isDown ? "scale-75 bg-ink/75" : ""}`}
              style={{ left: pointer.x, top: pointer.y }}
            />
          )}
        </ScreenOf>
      </div>
    </main>
  );
}

function ScreenOf({ screen, children }: { screen: Screen; children: ReactNode }) {
  switch (screen.kind) {
    case "window":
      return (
        <div className="overflow-hidden rounded-[28px] border border-line bg-surface shadow-card">
          <Scaled by={WINDOW_SCALE} {...screen.screenshot}>
            <Picture screenshot={screen.screenshot} />
            {children}
          </Scaled>
        </div>
      );
    case "phone":
      return (
        <Phone>
          <div className="flex h-11 items-center gap-3 border-b border-line bg-surface px-4">
            <X className="size-5 text-muted" />
            <span className="text-sm text-muted">{screen.address}</span>
          </div>
          <div className="relative">
            <Picture screenshot={screen.screenshot} />
            {children}
          </div>
        </Phone>
      );
    case "message":
      return (
        <Phone>
          <div className="relative h-full bg-sunken px-4 pt-24">
            <div className="mb-5 ml-auto h-12 w-44 rounded-3xl rounded-br-md bg-line" />
            <div className="w-fit rounded-3xl rounded-bl-md bg-surface p-4 text-[18px] leading-7 shadow-card">
              {messages.demoVideoMessage}
              <br />
              <span className="font-semibold text-accent underline underline-offset-4">
                {screen.link}
              </span>
            </div>
            {children}
          </div>
        </Phone>
      );
    case "address":
      return (
        <div className="mt-28 flex w-[1060px] flex-col items-center gap-10 rounded-[36px] border border-line bg-surface px-12 py-16 shadow-card">
          <p className="text-[40px] text-muted">{messages.demoVideoAddress}</p>
          <p className="flex flex-col items-center gap-4 font-mono text-[46px] leading-tight">
            <span>{screen.scheme}</span>
            <span>{screen.page}</span>
            <span className="rounded-2xl bg-accent px-5 py-2 text-on-accent">{screen.tag}</span>
          </p>
        </div>
      );
  }
}

function Phone({ children }: { children: ReactNode }) {
  return (
    <div className="overflow-hidden rounded-[56px] border-[12px] border-ink bg-surface shadow-card">
      <Scaled by={PHONE_SCALE} {...PHONE}>
        {children}
      </Scaled>
    </div>
  );
}

function Scaled({
  by,
  width,
  height,
  children,
}: {
  by: number;
  width: number;
  height: number;
  children: ReactNode;
}) {
  return (
    <div className="relative overflow-hidden" style={{ width: width * by, height: height * by }}>
      <div
        className="relative origin-top-left"
        style={{ width, height, transform: `scale(${by})` }}
      >
        {children}
      </div>
    </div>
  );
}

function Picture({ screenshot: { src, width, height } }: { screenshot: Screenshot }) {
  return <img src={src} alt="" width={width} height={height} />;
}
