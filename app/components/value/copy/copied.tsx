import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNamed } from '#app/components/text/named.ts';

// One module, in the file of scripts that every page loads: as files of their own these few lines would cost each page a request.

type Props = {
  /** The name of the text that it copies, for its own name and for the message when it has. */
  name: string;
  /** The address of a text too long for the page: copied instead of what stands in it. */
  file?: string;
  /** An icon alone, for one among others in a line. */
  bare?: boolean;
};

/**
 * Copies the text beside it: that of the `data-copied-text` within the nearest `data-copying` around it. It is HTML alone, and one listener in
 * the document serves all of them (CopyListener), so it needs no script of its own. Seen where scripts run and the browser lets a page copy.
 */
export function CopyButton({ name, file, bare = false }: Props) {
  const { t } = useTranslation('common');
  const named = useNamed();
  return (
    <button
      type="button"
      className="copy-button"
      aria-label={named(t('copy.copy'), name)}
      data-copy={name}
      data-file={file}
      data-word={bare ? undefined : t('copy.copy')}
      data-done={bare ? undefined : t('copy.again')}
    />
  );
}

/** A text whose addresses go on in a new line after a slash, so that no id is cut where there was room for it. Copied, it is the text alone. */
export function Breakable({ text }: { text: string }) {
  let at = 0;
  return (text.match(/(?:[^/]|\/\/)+\/?|\/+/g) ?? []).map((part) => {
    at += part.length;
    return (
      <Fragment key={at}>
        {part}
        {at < text.length ? <wbr /> : null}
      </Fragment>
    );
  });
}

/** A command, a key or another text to be taken along as it is, with a button that copies it. `name` says what it is, for the button. */
export function CodeBlock({ code, name }: { code: string; name: string }) {
  return (
    <div data-copying="" className="flex items-start gap-2 rounded-md border border-line bg-raised p-3">
      <pre dir="ltr" className="min-w-0 flex-1 text-start font-mono text-sm break-words whitespace-pre-wrap">
        <code data-copied-text="">
          <Breakable text={code} />
        </code>
      </pre>
      <CopyButton bare name={name} />
    </div>
  );
}

/** An address or an id within other facts, with a button that copies it. */
export function CopiedCode({ text, name }: { text: string; name: string }) {
  return (
    <span data-copying="" className="inline-flex max-w-full items-center gap-1 align-baseline">
      <code dir="ltr" data-copied-text="" className="text-sm wrap-anywhere">
        <Breakable text={text} />
      </code>
      <CopyButton bare name={name} />
    </span>
  );
}

/** A block whose `data-copied-text` a button in its corner copies. The corner is that of text from left to right, as code is. */
export function CopiedBlock({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div dir="ltr" data-copying="" className="relative">
      {children}
      <div className="absolute end-4 top-2">
        <CopyButton name={name} />
      </div>
    </div>
  );
}
