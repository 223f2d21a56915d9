import { useTranslation } from 'react-i18next';
import { VALUE_CLAIMS } from '#app/features/public/evidence/claims.ts';
import { ExampleTrace } from '#app/features/public/example/example-trace.tsx';
import { Chapter } from '#app/features/public/landing/chapter.tsx';
import { FigureClaim } from '#app/features/public/landing/claim.tsx';

/** Why both protocols in one place. */
export function HybridValue() {
  const { t } = useTranslation('landing');
  return (
    <Chapter id="about" entry={4} title={t('value.title')} lead={t('value.lead')}>
      <ol className="grid gap-px overflow-hidden rounded-lg border border-line bg-line md:grid-cols-3">
        {(['mcpAlone', 'a2aAlone', 'together'] as const).map((side) => (
          <li
            key={side}
            className={`grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-4 p-4 sm:p-5 ${side === 'together' ? 'bg-accent-soft' : 'bg-surface'}`}
            data-reveal-item=""
          >
            <Circles side={side} />
            <div>
              <h3 className={`font-semibold ${side === 'together' ? 'text-accent' : ''}`}>{t(`value.${side}.title`)}</h3>
              <p className="mt-1 text-sm">{t(`value.${side}.text`)}</p>
            </div>
          </li>
        ))}
      </ol>
      <div className="mt-6">
        <ExampleTrace />
      </div>
      <ul className="mt-6 grid grid-cols-2 gap-x-6 gap-y-6 sm:gap-x-8 lg:grid-cols-4">
        {VALUE_CLAIMS.map((claim) => (
          <li key={claim} className="max-w-[16rem] border-t-2 border-accent pt-3 text-sm sm:text-base" data-reveal-item="">
            <FigureClaim claim={claim} />
          </li>
        ))}
      </ul>
    </Chapter>
  );
}

/** Two sets: one, the other, and where they meet. */
function Circles({ side }: { side: 'mcpAlone' | 'a2aAlone' | 'together' }) {
  const lit = (on: boolean) => (on ? 'stroke-accent' : 'stroke-edge/50');
  return (
    <svg aria-hidden="true" viewBox="0 0 72 44" className="h-8 w-13 fill-none rtl:-scale-x-100" strokeWidth="1.75">
      {side === 'together' ? <path d="M36 8.5a20 20 0 0 1 0 27a20 20 0 0 1 0-27" className="fill-accent" /> : null}
      <circle cx="25" cy="22" r="18" className={lit(side !== 'a2aAlone')} strokeDasharray={side === 'a2aAlone' ? '2 4' : undefined} />
      <circle cx="47" cy="22" r="18" className={lit(side !== 'mcpAlone')} strokeDasharray={side === 'mcpAlone' ? '2 4' : undefined} />
    </svg>
  );
}
