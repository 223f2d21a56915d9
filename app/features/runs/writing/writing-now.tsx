import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { PanelPart } from '#app/features/runs/panel/panel-part.tsx';
import type { PartialText } from '#app/features/runs/writing/partial-text.ts';

/** Texts that models and agents are writing at this moment. The result replaces them; they are not kept. */
export function WritingNow({ texts }: { texts: readonly PartialText[] }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  if (texts.length === 0) return null;
  return (
    <PanelPart title={t('writing.title')}>
      <p className="text-sm text-muted">{t('writing.hint')}</p>
      <ul className="grid gap-3" aria-busy="true">
        {texts.map(({ path, name, chars, text }) => (
          <li key={path} className="grid gap-1">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3">
              <bdi className="font-semibold">{name}</bdi>
              <span className="text-sm text-muted tabular-nums">{t('writing.chars', { number: format.number(chars) })}</span>
            </p>
            {text !== null && (
              // The end stays in view as the text grows.
              <section
                aria-label={name}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
                tabIndex={0}
                className="flex max-h-80 flex-col-reverse overflow-y-auto rounded-md border border-line bg-paper p-3"
              >
                <p dir="auto" className="break-words whitespace-pre-wrap">
                  {text.length < chars && <span className="text-muted">… </span>}
                  {text}
                </p>
              </section>
            )}
          </li>
        ))}
      </ul>
    </PanelPart>
  );
}
