import { ScrollGroup } from '#app/components/scroll-group.tsx';
import { showHidden } from '#app/domain/turned-text.ts';

/** A value as formatted JSON in which nothing hides, in a named group that scrolls and can be focused. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  return (
    <ScrollGroup label={label} className="max-h-96 overflow-auto rounded-md border border-line bg-raised">
      <pre dir="ltr" className="p-3 text-start font-mono text-sm leading-relaxed">
        <code>{showHidden(JSON.stringify(value, null, 2) ?? 'null')}</code>
      </pre>
    </ScrollGroup>
  );
}
