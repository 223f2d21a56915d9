import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { HIGHLIGHTS } from '#app/features/public/evidence/claims.ts';
import { CardRow, Chapter } from '#app/features/public/landing/chapter.tsx';
import { ClaimTicks } from '#app/features/public/landing/claim.tsx';
import {
  CopilotDrawing,
  EngineDrawing,
  MarketplaceDrawing,
  MerkleDrawing,
  OrchestrationDrawing,
  ZeroTrustDrawing,
} from '#app/features/public/landing/highlight-drawings.tsx';

const DRAWINGS: Record<(typeof HIGHLIGHTS)[number]['key'], ComponentType> = {
  engine: EngineDrawing,
  explainable: MerkleDrawing,
  copilot: CopilotDrawing,
  marketplace: MarketplaceDrawing,
  orchestration: OrchestrationDrawing,
  zeroTrust: ZeroTrustDrawing,
};

/** The six technical highlights: effect, figures and technique. */
export function Highlights() {
  const { t } = useTranslation('landing');
  return (
    <Chapter id="features" entry={1} title={t('highlights.title')} lead={t('highlights.lead')}>
      <CardRow
        labelledBy="features-title"
        className="gap-px sm:grid sm:grid-cols-2 sm:overflow-hidden sm:rounded-lg sm:border sm:border-line sm:bg-line lg:grid-cols-3"
      >
        {HIGHLIGHTS.map(({ key, claims, stack }) => {
          const Drawing = DRAWINGS[key];
          return (
            <li key={key} className="flex flex-col border-line bg-surface p-5 max-sm:rounded-lg max-sm:border" data-reveal-item="">
              <Drawing />
              <h3 className="mt-3 text-xl font-semibold">{t(`highlights.${key}.title`)}</h3>
              <p className="mt-1.5 text-muted lg:text-sm">{t(`highlights.${key}.text`)}</p>
              <ul className="mt-3 grid gap-1.5 border-s-2 border-line ps-4 text-sm">
                {(['first', 'second', 'third'] as const).map((detail) => (
                  <li key={detail}>{t(`highlights.${key}.${detail}`)}</li>
                ))}
              </ul>
              <ClaimTicks claims={claims} className="mt-3 text-sm font-semibold" />
              <div className="mt-auto pt-4">
                <h4 className="sr-only">{t('highlights.stack')}</h4>
                <ul className="flex flex-wrap gap-1.5">
                  {stack.map((name) => (
                    <li key={name} dir="auto" className="rounded-sm bg-raised px-2 py-0.5 font-mono text-xs text-muted">
                      {name}
                    </li>
                  ))}
                </ul>
              </div>
            </li>
          );
        })}
      </CardRow>
    </Chapter>
  );
}
