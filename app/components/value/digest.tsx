import type { ReactNode } from 'react';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { CopyButton } from '#app/components/value/copy/copied.tsx';

/** Characters that tell a hash from the others of a page. */
const NAMED_BY = 8;

/**
 * A hash in hexadecimal: shortened to the eye, complete when focused, selected, copied or printed. `full` never shortens. It is inline text
 * and may be in a paragraph. A button copies it whole.
 */
export function Digest({ value, full = false }: { value: string; full?: boolean }) {
  const { screenReaderMode } = useAccessibility().settings;
  if (full || screenReaderMode) {
    return (
      <Copied value={value}>
        <code dir="ltr" data-copied-text="" className="font-mono text-sm wrap-anywhere">
          {value}
        </code>
      </Copied>
    );
  }
  return (
    <Copied value={value}>
      <code
        dir="ltr"
        data-copied-text=""
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the focus is what unfolds it, also without a pointer
        tabIndex={0}
        title={value}
        className="inline-block max-w-[14ch] cursor-text truncate align-bottom font-mono text-sm underline decoration-edge decoration-dotted underline-offset-4 focus:max-w-full focus:wrap-anywhere focus:whitespace-normal focus:no-underline print:max-w-full print:wrap-anywhere print:whitespace-normal"
      >
        {value}
      </code>
    </Copied>
  );
}

function Copied({ value, children }: { value: string; children: ReactNode }) {
  return (
    <span data-copying="" className="inline-flex max-w-full items-center gap-0.5 align-baseline">
      {children}
      <CopyButton bare name={`${value.slice(0, NAMED_BY)}…`} />
    </span>
  );
}
