import { useTranslation } from 'react-i18next';
import { useLabel } from '#app/components/text/named.ts';
import { INDUSTRIES } from '#app/features/public/evidence/claims.ts';
import { ExampleProof } from '#app/features/public/example/example-proof.tsx';
import { CardRow, Chapter } from '#app/features/public/landing/chapter.tsx';
import { Claim } from '#app/features/public/landing/claim.tsx';
import ArrowRight from '~icons/arrow-right';

/** Challenges and what changes, in two variants: for everyone, and for each industry. */
export function PainPoints() {
  const { t } = useTranslation('landing');
  const label = useLabel();
  return (
    <Chapter id="challenges" entry={2} title={t('pains.title')} lead={t('pains.lead')}>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <div>
          <div className="hidden grid-cols-2 gap-x-8 pb-3 text-sm font-semibold text-muted md:grid" aria-hidden="true">
            <span>{t('pains.challenge')}</span>
            <span>{t('pains.solution')}</span>
          </div>
          <dl className="border-t border-edge/60">
            {(['why', 'approval', 'protocols', 'evidence'] as const).map((pain) => (
              <div key={pain} className="grid gap-x-8 gap-y-1.5 border-b border-line py-4 md:grid-cols-2">
                <dt className="text-muted">
                  <span className="sr-only">{label(t('pains.challenge'))} </span>
                  {t(`pains.${pain}.challenge`)}
                </dt>
                <dd className="flex gap-3">
                  <ArrowRight aria-hidden="true" className="mt-1.5 size-4 shrink-0 text-accent rtl:-scale-x-100" />
                  <div>
                    <span className="sr-only">{label(t('pains.solution'))} </span>
                    {t(`pains.${pain}.solution`)}
                    {pain === 'evidence' ? (
                      <p className="mt-1 font-semibold">
                        <Claim claim="fasterCompliance" />
                      </p>
                    ) : null}
                  </div>
                </dd>
              </div>
            ))}
          </dl>
        </div>
        <ExampleProof />
      </div>
      <h3 id="industries-title" className="mt-8 text-xl font-semibold">
        {t('pains.industries')}
      </h3>
      <CardRow
        labelledBy="industries-title"
        className="mt-4 gap-x-8 gap-y-6 sm:grid sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5 xl:gap-x-6"
      >
        {INDUSTRIES.map(({ key, id }) => (
          <li key={key} id={id} className="scroll-mt-24 border-t-2 border-accent pt-3 hyphens-auto" data-reveal-item="">
            <h4 className="font-semibold">{t(`industries.${key}.name`)}</h4>
            <p className="mt-2 text-sm text-muted">{t(`industries.${key}.challenge`)}</p>
            <p className="mt-2 text-sm">{t(`industries.${key}.solution`)}</p>
          </li>
        ))}
      </CardRow>
    </Chapter>
  );
}
