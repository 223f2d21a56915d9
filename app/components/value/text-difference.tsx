import type { DiffLine } from '#app/components/value/diff-lines.ts';

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;
const LOOKS = { same: '', added: 'bg-ok text-ok-ink', removed: 'bg-danger text-danger-ink' } as const;

type Props = { lines: readonly DiffLine[]; label: string; words: { added: string; removed: string } };

/** Two texts laid over each other line by line, with a sign, an element, a colour and for screen readers a word for what changed. */
export function TextDifference({ lines, label, words }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard cannot scroll the region (WCAG 2.1.1)
    <section aria-label={label} tabIndex={0} dir="ltr" className="max-h-[32rem] overflow-auto rounded-md border border-line bg-raised">
      <ol className="min-w-max py-3 text-start font-mono text-sm leading-relaxed">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place
          <li key={index} className={`flex gap-3 px-3 ${LOOKS[line.change]}`}>
            <span aria-hidden="true" className="w-10 shrink-0 text-end select-none">
              {line.change === 'removed' ? line.before : line.after}
            </span>
            <span aria-hidden="true" className="w-3 shrink-0 select-none">
              {SIGNS[line.change]}
            </span>
            <LineText line={line} word={line.change === 'added' ? words.added : words.removed} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function LineText({ line, word }: { line: DiffLine; word: string }) {
  if (line.change === 'same') return <code className="whitespace-pre">{line.text}</code>;
  const Mark = line.change === 'added' ? 'ins' : 'del';
  return (
    <>
      <span className="sr-only">{word}: </span>
      <Mark className="no-underline">
        <code className="whitespace-pre">{line.text}</code>
      </Mark>
    </>
  );
}
