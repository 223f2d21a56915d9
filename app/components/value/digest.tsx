import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';

/**
 * A hash in hexadecimal: shortened to the eye, complete when focused, selected, copied or printed. `full` never shortens. It is inline text
 * and may be in a paragraph.
 */
export function Digest({ value, full = false }: { value: string; full?: boolean }) {
  const { screenReaderMode } = useAccessibility().settings;
  if (full || screenReaderMode) {
    return (
      <code dir="ltr" className="font-mono text-sm break-all">
        {value}
      </code>
    );
  }
  return (
    <code
      dir="ltr"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the focus is what unfolds it, also without a pointer
      tabIndex={0}
      title={value}
      className="inline-block max-w-[14ch] cursor-text truncate align-bottom font-mono text-sm underline decoration-edge decoration-dotted underline-offset-4 focus:max-w-full focus:break-all focus:whitespace-normal focus:no-underline print:max-w-full print:break-all print:whitespace-normal"
    >
      {value}
    </code>
  );
}
