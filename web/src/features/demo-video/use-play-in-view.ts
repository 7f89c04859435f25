import { type RefObject, useEffect, useRef } from "react";

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
