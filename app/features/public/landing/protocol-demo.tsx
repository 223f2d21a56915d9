import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { DOCUMENTATION_PAGE } from '#app/features/public/evidence/claims.ts';
import { ExampleFlow } from '#app/features/public/example/example-flow.tsx';
import { Claim } from '#app/features/public/landing/claim.tsx';
import { ProtocolDrawing } from '#app/features/public/landing/protocol-drawing.tsx';

/** How the two protocols meet: three cards, and one run drawn. */
export function ProtocolDemo() {
  const { t } = useTranslation('landing');
  return (
    <>
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div>
          <ul className="grid gap-6">
            {(['mcp', 'a2a', 'routing'] as const).map((card) => (
              <li key={card} className="border-t border-edge/60 pt-4" data-reveal-item="">
                <h3 className="text-lg font-semibold">{t(`protocols.${card}.title`)}</h3>
                <p className="mt-1.5 text-muted">{t(`protocols.${card}.text`)}</p>
                {card === 'routing' ? (
                  <p className="mt-2 text-sm font-semibold">
                    <Claim claim="routing" />
                  </p>
                ) : null}
              </li>
            ))}
          </ul>
          <p className="mt-6">
            <ButtonLink to={DOCUMENTATION_PAGE}>{t('protocols.documentation')}</ButtonLink>
          </p>
        </div>
        <ProtocolDrawing />
      </div>
      <div className="mt-8">
        <ExampleFlow />
      </div>
    </>
  );
}
