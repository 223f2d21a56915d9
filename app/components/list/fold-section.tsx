import type { ReactNode } from 'react';
import { useFormats } from '#app/components/text/locale-context.tsx';
import ChevronDown from '~icons/chevron-down';

/**
 * A part of a long page that is folded to its heading and the number of things in it: folded, several of them are the page's index. The
 * `summary` stands at the end of the heading's line. `headingLevel` 3 is a part of a section.
 */
export function FoldSection({
  title,
  count,
  open,
  headingLevel = 2,
  summary,
  children,
}: {
  title: string;
  count: number;
  open: boolean;
  headingLevel?: 2 | 3;
  summary?: ReactNode;
  children: ReactNode;
}) {
  const formats = useFormats();
  const Heading = `h${headingLevel}` as const;
  return (
    // Drawn anew where a filter has changed what is to be open.
    <details key={String(open)} open={open} className="group/fold border-t border-line last:border-b">
      <summary className="flex min-h-13 list-none flex-wrap items-center gap-x-3 gap-y-1 py-2.5 hover:text-accent">
        <ChevronDown
          aria-hidden="true"
          className="size-4 shrink-0 transition-transform not-group-open/fold:-rotate-90 rtl:not-group-open/fold:rotate-90"
        />
        <Heading className={`min-w-0 font-semibold ${headingLevel === 2 ? 'text-lg' : ''}`}>{title}</Heading>
        <span className="text-sm text-muted tabular-nums">{formats.number(count)}</span>
        {summary === undefined ? null : <span className="ms-auto text-sm">{summary}</span>}
      </summary>
      <div className="pt-1 pb-6">{children}</div>
    </details>
  );
}
