import { useTranslation } from 'react-i18next';
import { useLabel } from '#app/components/text/named.ts';
import { INDUSTRIES } from '#app/features/public/evidence/claims.ts';
import { ExampleProof } from '#app/features/public/example/example-proof.tsx';
import { Chapter } from '#app/features/public/landing/chapter.tsx';
import { Claim } from '#app/features/public/landing/claim.tsx';
import ArrowRight from '~icons/arrow-right';

/** Challenges and what changes, in two variants: for everyone, and for each industry. */
export function PainPoints() {
  const { t } = useTranslation('landing');
  const label = useLabel();
  return (
    <Chapter id="challenges" entry={2} title={t('pains.title')} lead={t('pains.lead')}>
      <div className="hidden grid-cols-2 gap-x-12 pb-3 text-sm font-semibold text-muted md:grid" aria-hidden="true">
        <span>{t('pains.challenge')}</span>
        <span>{t('pains.solution')}</span>
      </div>
      <dl className="border-t border-edge/60">
        {(['why', 'approval', 'protocols', 'evidence'] as const).map((pain) => (
          <div key={pain} className="grid gap-x-12 gap-y-2 border-b border-line py-5 md:grid-cols-2">
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
      <div className="mt-10 max-w-3xl">
        <ExampleProof />
      </div>
      <h3 className="mt-12 text-xl font-semibold">{t('pains.industries')}</h3>
      <ul className="mt-6 grid gap-x-12 gap-y-10 sm:grid-cols-2 lg:grid-cols-6">
        {INDUSTRIES.map(({ key, id }) => (
          <li
            key={key}
            id={id}
            className="scroll-mt-24 border-t-2 border-accent pt-4 lg:col-span-2 lg:nth-[n+4]:col-span-3"
            data-reveal-item=""
          >
            <h4 className="font-semibold">{t(`industries.${key}.name`)}</h4>
            <p className="mt-2 text-sm text-muted">{t(`industries.${key}.challenge`)}</p>
            <p className="mt-2 text-sm">{t(`industries.${key}.solution`)}</p>
          </li>
        ))}
      </ul>
    </Chapter>
  );
}
