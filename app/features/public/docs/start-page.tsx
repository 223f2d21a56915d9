import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { DocsFrame, DocsPart } from '#app/features/public/docs-frame.tsx';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';

const ADDRESS = 'http://localhost:3000';
/** From nothing to the first run that a person has approved. */
export function DocsStartPage() {
  const { t } = useTranslation('docs');
  const form = [
    [t('start.run.form.request'), t('start.run.form.requestValue')],
    [t('start.run.form.record'), t('start.run.form.recordValue')],
    [t('start.run.form.received'), '2026-10-01'],
    [t('start.run.form.answered'), '2026-10-12'],
  ] as const;
  return (
    <DocsFrame title={t('start.title')} lead={t('start.lead')}>
      <DocsPart title={t('start.install.title')}>
        <p>{t('start.install.text')}</p>
        <CodeSample label={t('start.install.title')} code="npm ci && npm start" />
        <p>{t('start.install.people')}</p>
      </DocsPart>
      <DocsPart title={t('start.run.title')}>
        <ol className="grid list-decimal gap-2 ps-6">
          <li>{t('start.run.first', { address: ADDRESS })}</li>
          <li>
            {t('start.run.second')}
            <dl className="mt-3 mb-2 grid gap-x-8 rounded-md border border-line bg-surface p-4 text-sm sm:grid-cols-[max-content_minmax(0,1fr)] sm:gap-y-1.5">
              {form.map(([label, value]) => (
                <Fragment key={label}>
                  <dt className="font-semibold">{label}</dt>
                  <dd className="mb-2 wrap-anywhere sm:mb-0">{value}</dd>
                </Fragment>
              ))}
            </dl>
          </li>
          {(['third', 'fourth', 'fifth'] as const).map((step) => (
            <li key={step}>{t(`start.run.${step}`)}</li>
          ))}
        </ol>
      </DocsPart>
      <DocsPart title={t('start.words.title')}>
        <dl className="grid gap-4">
          {(['workflow', 'run', 'policy', 'approval', 'log'] as const).map((word) => (
            <div key={word} className="border-t border-line pt-3">
              <dt className="font-semibold">{t(`start.words.${word}.name`)}</dt>
              <dd className="mt-1 text-muted">{t(`start.words.${word}.text`)}</dd>
            </div>
          ))}
        </dl>
      </DocsPart>
    </DocsFrame>
  );
}
