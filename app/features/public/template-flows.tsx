import { useTranslation } from 'react-i18next';
import { FlowPicture } from '#app/components/drawing/flow-picture.tsx';
import { branchWords, STEP_PRESENTATIONS } from '#app/components/drawing/step-presentation.ts';
import type { FlowStep } from '#app/domain/workflows/flow-layout.ts';
import type { TemplateFlow } from '#app/features/public/load-template-flows.server.ts';

/** Templates that come with the product, drawn as the product draws every workflow, each with the same in words. */
export function TemplateFlows({ flows }: { flows: readonly TemplateFlow[] }) {
  const { t } = useTranslation('flow');
  return (
    <div className="mt-10 grid gap-10">
      {flows.map(({ id, title, description, steps }) => (
        <section key={id} aria-labelledby={`flow-${id}`}>
          <h2 id={`flow-${id}`} className="text-lg font-semibold">
            {title}
          </h2>
          <p className="mt-1 mb-4 max-w-[100ch] text-muted">{description}</p>
          <FlowPicture steps={steps} label={t('flowOf', { name: title })} />
          <details className="mt-3 print:hidden">
            <summary className="text-link inline-block text-sm">{t('outline')}</summary>
            <InWords steps={steps} />
          </details>
        </section>
      ))}
    </div>
  );
}

function InWords({ steps }: { steps: readonly FlowStep[] }) {
  const { t } = useTranslation('flow');
  return (
    <ol className="mt-2 grid list-decimal gap-1 ps-6 text-sm">
      {steps.map((step) => (
        <li key={step.id}>
          <strong className="font-semibold">{step.name}</strong> ({STEP_PRESENTATIONS[step.kind].kind(t)})
          {step.branches?.map((branch) => (
            <div key={branch.label} className="mt-1 border-s-2 border-line ps-3">
              <span className="text-muted">{branchWords(step, branch, t)}</span>
              {branch.steps.length === 0 ? <p>{t('emptyBranch')}</p> : <InWords steps={branch.steps} />}
            </div>
          ))}
        </li>
      ))}
    </ol>
  );
}
