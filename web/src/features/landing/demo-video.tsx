import { useEffect, useRef } from "react";
import { useWasInView } from "../../lib/use-was-in-view.ts";
import mp4 from "./media/demo.mp4?no-inline";
import captions from "./media/demo.vtt?no-inline";
import webm from "./media/demo.webm?no-inline";
import poster from "./media/poster.webp?no-inline";

const VISIBLE_SHARE = 0.7;

/**
 * Shows how a link is created and opened. The video has no sound, and its captions are part of the picture. It plays once
 * most of it is visible, unless the user prefers reduced motion.
 */
export function DemoVideo() {
  const ref = useRef<HTMLVideoElement>(null);
  const wasInView = useWasInView(ref, VISIBLE_SHARE);
  useEffect(() => {
    if (!wasInView || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    // A browser in data or power saving mode may refuse. The user can still press play.
    ref.current?.play().catch(() => {});
  }, [wasInView]);

  return (
    <video
      ref={ref}
      aria-label="Demo: from an Amazon link to the Amazon app"
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
  );
}
