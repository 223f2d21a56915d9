import { useTranslation } from 'react-i18next';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { CopiedBlock } from '#app/components/value/copy/copied.tsx';
import { showHidden } from '#app/domain/connections/hidden-text.ts';

/** A value as formatted JSON in which nothing hides, in a named group that scrolls and takes the focus. */
export function JsonView({ value, label }: { value: unknown; label: string }) {
  const json = JSON.stringify(value, null, 2) ?? 'null';
  return <JsonText text={json} label={label} />;
}

/** The same for JSON that is text already: the beginning of a long one. `hides`: something invisible follows the part that is shown. */
export function JsonText({ text, label, hides = false }: { text: string; label: string; hides?: boolean }) {
  const { t } = useTranslation('common');
  const shown = showHidden(text);
  return (
    <>
      {/* Copied as shown: nothing that hides is carried along. */}
      <CopiedBlock name={label}>
        <ScrollGroup label={label} className="max-h-96 overflow-auto rounded-md border border-line bg-raised">
          <pre dir="ltr" className="p-3 text-start font-mono text-sm leading-relaxed">
            <code data-copied-text="">{shown}</code>
          </pre>
        </ScrollGroup>
      </CopiedBlock>
      {shown === text && !hides ? null : <p className="mt-1 text-sm text-attention-ink">{t('hiddenText')}</p>}
    </>
  );
}
