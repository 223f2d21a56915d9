import { ScrollGroup } from '#app/components/data/scroll-group.tsx';

/** Code or a command to copy: it reads from left to right in every language. */
export function CodeSample({ label, code }: { label: string; code: string }) {
  return (
    <ScrollGroup label={label} className="overflow-x-auto">
      <pre dir="ltr" className="rounded-md border border-line bg-surface p-4 text-sm">
        <code>{code}</code>
      </pre>
    </ScrollGroup>
  );
}
