/** A value as formatted JSON, in a named region that scrolls and can be focused. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard cannot scroll the region (WCAG 2.1.1)
    <section aria-label={label} tabIndex={0} className="max-h-96 overflow-auto rounded-md border border-line bg-raised">
      <pre dir="ltr" className="p-3 text-start font-mono text-sm leading-relaxed">
        <code>{JSON.stringify(value, null, 2) ?? 'null'}</code>
      </pre>
    </section>
  );
}
