import { messages } from "@tapthru/proto/rules/messages";
import { type RefObject, useEffect, useRef } from "react";
import mp4 from "./media/demo.mp4?no-inline";
import captions from "./media/demo.vtt?no-inline";
import webm from "./media/demo.webm?no-inline";
import poster from "./media/poster.webp?no-inline";

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

const VISIBLE_RATIO = 0.7;

/** Plays a video once most of it is visible, unless the user prefers reduced motion. */
export function usePlayInView(): RefObject<HTMLVideoElement | null> {
  const ref = useRef<HTMLVideoElement>(null);

  useEffect(() => {
    const video = ref.current;
    if (video === null || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        // A browser in data or power saving mode may refuse. The user can still press play.
        video.play().catch(() => {});
      },
      { threshold: VISIBLE_RATIO },
    );
    observer.observe(video);
    return () => observer.disconnect();
  }, []);

  return ref;
}
