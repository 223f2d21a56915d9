import { CopyButton } from '#app/components/value/copy/copy-button.tsx';

/** An address or an id within other facts, with a button that copies it. */
export function CopiedCode({ text, name }: { text: string; name: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-bottom">
      <code dir="ltr" className="text-sm break-all">
        {text}
      </code>
      <CopyButton bare text={text} name={name} />
    </span>
  );
}
