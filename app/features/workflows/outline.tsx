import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { branchWords, STEP_PRESENTATIONS, stepTarget } from '#app/components/drawing/step-presentation.ts';
import { Badge } from '#app/components/ui/badge.tsx';
import type { Step } from '#app/domain/workflows/steps/step.ts';

type Props = {
  steps: readonly Step[];
  prefix?: string;
  /** Stands before the number of a step: the editor's box that chooses it. */
  before?: (step: Step, path: string) => ReactNode;
  /** Controls beside a step: the editor's buttons and links. */
  beside?: (step: Step, path: string, index: number, count: number) => ReactNode;
  /** The last element of a list: the editor's form that adds a step. */
  after?: (container: string) => ReactNode;
  issues?: (path: string) => ReactNode;
};

/** Hundreds of steps with their forms are laid out once they come near. */
const OUT_OF_SIGHT = '[content-visibility:auto] [contain-intrinsic-size:auto_10rem]';

/** The steps of a workflow as the ordered, nested list that they are. Without slots it is the read-only view. */
export function Outline({ steps, prefix = '', before, beside, after, issues }: Props) {
  const { t } = useTranslation('workflows');
  const flow = useTranslation('flow');
  return (
    <ol className="grid gap-3">
      {steps.map((step, index) => {
        const path = prefix === '' ? step.id : `${prefix}/${step.id}`;
        return (
          <li
            key={step.id}
            // Only the editor shows a single outline a page.
            {...(beside && { id: `step-${path.replaceAll('/', '-')}` })}
            className={`grid gap-3 rounded-lg border border-line bg-surface p-4 ${beside && prefix === '' ? OUT_OF_SIGHT : ''}`}
          >
            <div className="flex flex-wrap items-start justify-between gap-3">
              <div className="grid min-w-0 gap-1">
                <p className="flex flex-wrap items-center gap-2">
                  {before?.(step, path)}
                  <span className="font-mono text-sm text-muted" aria-hidden="true">
                    {index + 1}
                  </span>
                  <strong className="font-semibold">
                    <bdi>{step.name}</bdi>
                  </strong>
                  <Badge>{STEP_PRESENTATIONS[step.kind].kind(flow.t)}</Badge>
                  <code className="text-sm wrap-anywhere text-muted">{step.id}</code>
                </p>
                <StepSummary step={step} />
              </div>
              {beside?.(step, path, index, steps.length)}
            </div>
            {issues?.(path)}
            {'branches' in step &&
              step.branches.map((branch) => (
                <section
                  key={branch.label}
                  aria-label={t('outline.branch', { label: branchWords(step, branch, flow.t) })}
                  className="grid gap-3 border-s-2 border-line ps-4"
                >
                  <p className="flex flex-wrap gap-2 text-sm">
                    <strong className="font-semibold">
                      <bdi>{branchWords(step, branch, flow.t)}</bdi>
                    </strong>
                    {'mode' in step && step.mode === 'choose' && (
                      <code className="wrap-anywhere text-muted">{branch.when === '' ? t('outline.otherwise') : branch.when}</code>
                    )}
                  </p>
                  {branch.steps.length > 0 && (
                    <Outline
                      steps={branch.steps}
                      prefix={`${path}/${branch.label}`}
                      {...(before && { before })}
                      {...(beside && { beside })}
                      {...(after && { after })}
                      {...(issues && { issues })}
                    />
                  )}
                  {branch.steps.length === 0 && after === undefined && <p className="text-sm text-muted">{flow.t('emptyBranch')}</p>}
                  {branch.steps.length === 0 && after?.(`${path}/${branch.label}`)}
                </section>
              ))}
          </li>
        );
      })}
      {after !== undefined && <li className="list-none">{after(prefix)}</li>}
    </ol>
  );
}

function StepSummary({ step }: { step: Step }) {
  const { t } = useTranslation('flow');
  const target = stepTarget(step, t);
  return STEP_PRESENTATIONS[step.kind].inCode ? (
    <code className="block text-sm wrap-anywhere text-muted">{target}</code>
  ) : (
    <p className="text-sm wrap-anywhere text-muted">
      <bdi>{target}</bdi>
    </p>
  );
}
