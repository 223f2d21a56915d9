/** The text of a policy with its line numbers, in a named region that scrolls and can be focused. */
export function PolicyText({ text, label }: { text: string; label: string }) {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard cannot scroll the region (WCAG 2.1.1)
    <section aria-label={label} tabIndex={0} className="max-h-[32rem] overflow-auto rounded-md border border-line bg-raised" dir="ltr">
      <pre className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 p-3 text-start font-mono text-sm leading-relaxed">
        <code aria-hidden="true" className="text-end text-muted select-none">
          {lines.map((_line, index) => `${index + 1}\n`).join('')}
        </code>
        <code>{lines.join('\n')}</code>
      </pre>
    </section>
  );
}
