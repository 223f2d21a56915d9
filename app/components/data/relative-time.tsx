import { useSyncExternalStore } from 'react';
import { passedSince, subscribeToPageClock } from '#app/components/live/page-clock.ts';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { useFormats, useLocale } from '#app/components/text/locale-context.tsx';

// Node and the browser may know different editions of CLDR's words for time: then the server's are kept.

/**
 * A moment: relative, and continuing, with the exact one on hover and in print; the exact one alone in screen reader mode. `at` is ISO
 * 8601.
 */
export function RelativeTime({ at, exact = false }: { at: string; exact?: boolean }) {
  const formats = useFormats();
  const { screenReaderMode } = useAccessibility().settings;
  const exactTime = formats.exactTime(at);
  if (exact || screenReaderMode)
    return (
      <time dateTime={at} suppressHydrationWarning>
        {exactTime}
      </time>
    );
  return (
    <time dateTime={at} title={exactTime} suppressHydrationWarning className="whitespace-nowrap">
      <span suppressHydrationWarning className="print:hidden">
        <Relative at={at} />
      </span>
      <span suppressHydrationWarning className="hidden print:inline">
        {exactTime}
      </span>
    </time>
  );
}

function Relative({ at }: { at: string }) {
  const formats = useFormats();
  const { now } = useLocale();
  return useSyncExternalStore(
    subscribeToPageClock,
    () => formats.relativeTime(at, passedSince(now)),
    () => formats.relativeTime(at),
  );
}
