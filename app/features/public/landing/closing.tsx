import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { Logo } from '#app/components/look/logo.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { TRUST_CLAIMS } from '#app/features/public/evidence/claims.ts';
import { Chapter } from '#app/features/public/landing/chapter.tsx';
import { Claim } from '#app/features/public/landing/claim.tsx';

/** The interactive demo of the start page. */
export function InteractiveDemo() {
  const { t } = useTranslation('landing');
  return (
    <Chapter id="interactive-demo" entry={6} title={t('interactive.title')}>
      <div className="flex flex-wrap items-center justify-between gap-x-10 lg:flex-nowrap gap-y-4 rounded-lg border border-dashed border-edge p-5 sm:p-6">
        <div className="flex flex-wrap items-baseline gap-x-4 gap-y-2 lg:flex-nowrap">
          <Badge tone="info">{t('interactive.soon')}</Badge>
          <p className="max-w-measure text-muted">{t('interactive.text')}</p>
        </div>
        <ButtonLink to={`${href('/auth')}?mode=sign-up`} className="shrink-0">
          {t('interactive.button')}
        </ButtonLink>
      </div>
    </Chapter>
  );
}

/** Checks that anyone can make before signing up; the line of the ledger ends here, sealed. */
export function TrustBar() {
  const { t } = useTranslation('landing');
  return (
    <section aria-labelledby="trust-title" className="chapter mx-auto max-w-page px-4 pb-10 sm:px-8 sm:pb-12" data-reveal="">
      <div className="relative ps-5 pt-10 sm:ps-10 lg:ps-16">
        <span aria-hidden="true" className="absolute start-0 top-0 h-10 border-s border-edge/50" />
        <Logo className="absolute start-0 top-10 -ms-4 size-8 rtl:ms-0 rtl:-me-4 rtl:translate-x-4" filled={9} />
        <h2 id="trust-title" className="text-xl font-semibold">
          {t('trust.title')}
        </h2>
        <ul className="mt-5 grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:gap-x-10 sm:text-base lg:grid-cols-3">
          {TRUST_CLAIMS.map((claim) => (
            <li key={claim} className="border-t border-line pt-3">
              <Claim claim={claim} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
