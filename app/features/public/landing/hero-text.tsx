import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { HERO_BADGES, HERO_TICKS } from '#app/features/public/evidence/claims.ts';
import { Claim, ClaimTicks } from '#app/features/public/landing/claim.tsx';

/** The part below the headline: the product in a sentence, badges, benefits and the two buttons. */
export function HeroText() {
  const { t } = useTranslation('landing');
  return (
    <>
      <p className="mt-4 max-w-measure text-lg text-pretty text-muted" data-reveal-item="1">
        {t('hero.text')}
      </p>
      <div className="mt-6 flex flex-wrap gap-3" data-reveal-item="2">
        <ButtonLink to={`${href('/auth')}?mode=sign-up`} variant="primary">
          {t('hero.getStarted')}
        </ButtonLink>
        <ButtonLink to="#demo">{t('hero.watchDemo')}</ButtonLink>
      </div>
      <div data-reveal-item="3">
        <ClaimTicks claims={HERO_TICKS} className="mt-6 grid-cols-2 gap-x-4 text-sm sm:gap-x-8" />
        <ul className="mt-6 grid grid-cols-2 gap-x-6 gap-y-2 border-t border-line pt-4 text-sm font-semibold sm:flex sm:flex-wrap">
          {HERO_BADGES.map((claim) => (
            <li key={claim}>
              <Claim claim={claim} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
