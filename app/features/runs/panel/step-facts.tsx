import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { PanelPart } from '#app/features/runs/panel/panel-part.tsx';
import type { ShownStep } from '#app/features/runs/panel/shown-step.ts';
import { usageFacts } from '#app/features/runs/usage-facts.ts';

export const PROTOCOLS: Record<string, string> = { mcp: 'MCP', a2a: 'A2A' };

export function StepFacts({ step }: { step: ShownStep }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const took = step.finishedAt === null ? null : Date.parse(step.finishedAt) - Date.parse(step.startedAt);
  return (
    <DescriptionList
      narrow
      items={[
        { term: t('step.path'), description: <code className="wrap-anywhere">{step.path}</code> },
        ...(step.capability === null
          ? []
          : [{ term: t('step.calls'), description: <bdi>{revealedText(`${step.capability} · ${step.connection ?? ''}`)}</bdi> }]),
        { term: t('step.attempts'), description: format.number(step.attempt) },
        { term: t('step.started'), description: <RelativeTime at={step.startedAt} exact /> },
        ...(took === null ? [] : [{ term: t('step.took'), description: format.duration(took) }]),
        ...usageFacts(t, format, step.usage),
      ]}
    />
  );
}

/** Each attempt by the decision that stood before it, with the rules that determined it and how it differs from the one before. */
export function Attempts({ step }: { step: ShownStep }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  if (step.decisions.length === 0) return null;
  return (
    <PanelPart title={t('step.decisions')}>
      <ol className="grid gap-3">
        {step.decisions.map((decision, index) => {
          const before = step.decisions[index - 1];
          return (
            <li key={decision.id} className="grid gap-1 border-s-2 border-line ps-3 text-sm">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                {step.decisions.length > 1 && (
                  <span className="font-semibold">{t('step.attempt', { number: format.number(decision.attempt) })}</span>
                )}
                <StatusWord status={decision.verdict} />
                <RelativeTime at={decision.at} />
                <Link className="text-link" to={href('/dashboard/ai-reasoning/:decision', { decision: decision.id })}>
                  {t('step.openDecision')}
                </Link>
              </p>
              <p>
                <ExplanationText explanation={decision.reason} />
              </p>
              {decision.rules.map((rule) => (
                <p key={`${rule.policyId}${rule.rule}`} className="text-muted">
                  {rule.version === 0 ? (
                    t('step.builtinRule', { rule: rule.rule })
                  ) : (
                    <Link to={href('/dashboard/policies/:policy', { policy: rule.policyId })}>
                      {t('step.rule', { policy: rule.policyName, version: rule.version, rule: rule.rule })}
                    </Link>
                  )}
                </p>
              ))}
              {decision.failure !== null && <Failure at={decision.at} failure={decision.failure} />}
              {before !== undefined && <Differences before={before} after={decision} />}
            </li>
          );
        })}
      </ol>
    </PanelPart>
  );
}

type Decision = ShownStep['decisions'][number];

function Failure({ at, failure }: { at: string; failure: NonNullable<Decision['failure']> }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  return (
    <p>
      <span className="font-semibold text-danger-ink">
        <ExplanationText explanation={failure.error} />
      </span>{' '}
      <span className="text-muted">{t('step.failedAfter', { duration: format.duration(Date.parse(failure.at) - Date.parse(at)) })}</span>
    </p>
  );
}

/** Whether the same thing was to be done under the same policies. */
function Differences({ before, after }: { before: Decision; after: Decision }) {
  const { t } = useTranslation('runs');
  const differences = [
    ...(before.actionDigest === after.actionDigest ? [] : [t('step.otherAction')]),
    ...(before.policyVersion === after.policyVersion ? [] : [t('step.otherPolicies')]),
  ];
  return <p className="text-muted">{differences.length === 0 ? t('step.sameAgain') : differences.join(' ')}</p>;
}

export function Candidates({ step }: { step: ShownStep }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const { candidates } = step;
  if (candidates.length < 2) return null;
  return (
    <DataTable
      caption={t('step.candidatesCaption', { name: step.name })}
      rows={candidates}
      rowKey={(row) => row.capabilityId}
      columns={[
        { key: 'name', header: t('step.candidate'), cell: (row) => <bdi>{revealedText(`${row.name} · ${row.connection}`)}</bdi> },
        { key: 'protocol', header: t('step.protocol'), cell: (row) => PROTOCOLS[row.protocol ?? ''] ?? '–' },
        {
          key: 'score',
          header: t('step.score'),
          align: 'end',
          cell: (row) => (row.score === null ? '–' : format.number(row.score, { maximumFractionDigits: 2 })),
        },
        {
          key: 'why',
          header: t('step.outcome'),
          cell: (row) =>
            row.chosen ? t('step.chosen') : row.excluded === null ? t('step.lowerScore') : <ExplanationText explanation={row.excluded} />,
        },
      ]}
      empty={null}
    />
  );
}
