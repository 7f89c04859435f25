import { messages } from "@tapthru/proto/rules/messages";
import mp4 from "./media/demo.mp4?no-inline";
import captions from "./media/demo.vtt?no-inline";
import webm from "./media/demo.webm?no-inline";
import poster from "./media/poster.webp?no-inline";
import { usePlayInView } from "./use-play-in-view.ts";

/** Shows how a link is created and opened. The video has no sound, and its captions are part of the picture. */
export default function DemoVideo() {
  const video = usePlayInView();
  return (
    <>
      <video
        ref={video}
        aria-label={messages.demoVideoLabel}
        className="aspect-4/3 w-full rounded-2xl border border-line bg-sunken shadow-card"
        controls
        muted
        playsInline
        preload="none"
        poster={poster}
        width={1200}
        height={900}
      >
        <source src={webm} type="video/webm" />
        <source src={mp4} type="video/mp4" />
        <track kind="captions" srcLang="en" label="English" src={captions} />
      </video>
      <ol className="sr-only">
        {Object.values(messages.demoVideoSteps).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </>
  );
}
