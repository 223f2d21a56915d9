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
      <div className="flex flex-wrap items-center justify-between gap-x-10 gap-y-5 rounded-lg border border-dashed border-edge p-6 sm:p-8">
        <div>
          <Badge tone="info">{t('interactive.soon')}</Badge>
          <p className="mt-3 max-w-measure text-muted">{t('interactive.text')}</p>
        </div>
        <ButtonLink to={`${href('/auth')}?mode=sign-up`}>{t('interactive.button')}</ButtonLink>
      </div>
    </Chapter>
  );
}

/** Checks that anyone can make before signing up; the line of the ledger ends here, sealed. */
export function TrustBar() {
  const { t } = useTranslation('landing');
  return (
    <section aria-labelledby="trust-title" className="chapter mx-auto max-w-page px-4 pb-20 sm:px-8" data-reveal="">
      <div className="relative ps-5 pt-14 sm:ps-10 lg:ps-16 lg:pt-20">
        <span aria-hidden="true" className="absolute start-0 top-0 h-16 border-s border-edge/50 lg:h-22" />
        <Logo className="absolute start-0 top-16 -ms-4 size-8 lg:top-22 rtl:ms-0 rtl:-me-4 rtl:translate-x-4" filled={9} />
        <h2 id="trust-title" className="text-xl font-semibold">
          {t('trust.title')}
        </h2>
        <ul className="mt-6 grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:gap-x-10 sm:text-base lg:grid-cols-3">
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
