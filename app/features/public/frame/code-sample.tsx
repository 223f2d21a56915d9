import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { CopyButton } from '#app/components/value/copy/copied.tsx';

/**
 * Code or a command with a button that copies it: it reads from left to right in every language. `wraps`: its long lines are prose, such as
 * comments, and go on below instead of out of sight.
 */
export function CodeSample({ label, code, wraps = false }: { label: string; code: string; wraps?: boolean }) {
  return (
    <div dir="ltr" data-copying="" className="flex items-start gap-2 rounded-md border border-line bg-surface p-4 [contain:inline-size]">
      <ScrollGroup label={label} className="min-w-0 flex-1 overflow-x-auto">
        <pre dir="ltr" className={`text-start text-sm ${wraps ? 'whitespace-pre-wrap' : ''}`}>
          <code data-copied-text="">{code}</code>
        </pre>
      </ScrollGroup>
      <CopyButton bare name={label} />
    </div>
  );
}
