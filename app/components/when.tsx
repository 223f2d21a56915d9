import { useFormats } from '#app/components/reader.tsx';

/** A moment: relative, with the exact one on hover and focus, and in print. `at` is ISO 8601. */
export function When({ at, exact = false }: { at: string; exact?: boolean }) {
  const formats = useFormats();
  const exactTime = formats.exactTime(at);
  if (exact) return <time dateTime={at}>{exactTime}</time>;
  return (
    <time dateTime={at} title={exactTime} className="whitespace-nowrap">
      <span className="print:hidden">{formats.relativeTime(at)}</span>
      <span className="hidden print:inline">{exactTime}</span>
    </time>
  );
}
