import { CopyButton } from '#app/components/value/copy/copy-button.tsx';

/** A command, a key or another text to be taken along as it is, with a button that copies it. `name` says what it is, for the button. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div className="flex items-start gap-2 rounded-md border border-line bg-raised p-3">
      <pre dir="ltr" className="min-w-0 flex-1 text-start font-mono text-sm break-words whitespace-pre-wrap">
        <code>{code}</code>
      </pre>
      <CopyButton bare text={code} name={name} />
    </div>
  );
}
