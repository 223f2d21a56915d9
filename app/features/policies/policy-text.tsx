import { CopiedBlock } from '#app/components/value/copy/copied.tsx';

/** The text of a policy with its line numbers and a button that copies it without them, in a named region that scrolls and can be focused. */
export function PolicyText({ text, label }: { text: string; label: string }) {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    <CopiedBlock name={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard cannot scroll the region (WCAG 2.1.1) */}
      <section aria-label={label} tabIndex={0} className="max-h-[32rem] overflow-auto rounded-md border border-line bg-raised">
        <pre className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 p-3 text-start font-mono text-sm leading-relaxed">
          <code aria-hidden="true" className="text-end text-muted select-none">
            {lines.map((_line, index) => `${index + 1}\n`).join('')}
          </code>
          <code data-copied-text="">{lines.join('\n')}</code>
        </pre>
      </section>
    </CopiedBlock>
  );
}
