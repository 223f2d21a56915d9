import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { z } from 'zod';
import { ApprovalCard } from '#app/components/data/approval-card.tsx';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Badge } from '#app/components/ui/badge.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { ValueView } from '#app/components/value/value-view.tsx';
import type { Explanation } from '#app/contracts/explanation.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { readCandidates } from '#app/domain/runs/route-candidates.ts';
import type { ShownStep } from '#app/features/runs/cut-run.ts';
import { itemsAddress } from '#app/features/runs/items/item-address.ts';
import { ItemCounts } from '#app/features/runs/items/item-counts.tsx';
import { StepFile } from '#app/features/runs/step-file.tsx';
import { usageFacts } from '#app/features/runs/usage-facts.ts';
import { valueAddress } from '#app/features/runs/value-address.ts';

/** How a step of a dry run came to its output. */
const DRY = ['called', 'pinned', 'run', 'nothing'] as const;
const PROTOCOLS: Record<string, string> = { mcp: 'MCP', a2a: 'A2A' };

const rulesSchema = z.array(z.object({ policyId: z.string(), policyName: z.string(), version: z.number(), rule: z.string() }));

/** The anchor of a step on its run's page. */
export const stepAnchor = (path: string) => `step-${path.replaceAll('/', '-')}`;

/** One step of a run: action, values, duration and reason. `againFrom`: the ended run that may continue from here. */
export function RunStepCard({ step, run, againFrom }: { step: ShownStep; run: string; againFrom: string | null }) {
  const named = useNamed();
  const { t } = useTranslation('runs');
  const format = useFormats();
  const candidates = readCandidates(step.candidates);
  const decision = step.decisions.at(-1);
  const took = step.finishedAt === null ? null : Date.parse(step.finishedAt) - Date.parse(step.startedAt);
  return (
    <li id={stepAnchor(step.path)} className="grid gap-4 rounded-lg border border-line bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="flex flex-wrap items-center gap-2 text-base font-semibold">
          <bdi>{step.name}</bdi>
          {step.protocol !== null && <Badge tone="accent">{PROTOCOLS[step.protocol]}</Badge>}
        </h3>
        <StatusWord status={step.status} />
      </div>
      {step.reason && (
        <p className="max-w-measure">
          <ExplanationText explanation={step.reason} />
        </p>
      )}
      {step.reason?.values.leftOut !== undefined && (
        <p className="max-w-measure text-muted">{t('step.leftOut', { names: step.reason.values.leftOut })}</p>
      )}
      <DryNote values={step.reason?.values} />
      {decision !== undefined && decision.verdict !== 'allow' && step.approval === null && (
        <p className="flex max-w-measure flex-wrap items-baseline gap-x-3">
          <StatusWord status={decision.verdict} />
          <ExplanationText explanation={decision.reason} />
        </p>
      )}
      {step.error && (
        <p className="max-w-measure font-semibold text-danger-ink">
          <ExplanationText explanation={step.error} />
          {step.unknown && ` ${t('step.unknown')}`}
        </p>
      )}
      {step.called !== null && (
        <p>
          <Link
            to={href('/dashboard/runs/:run', { run: step.called })}
            aria-label={named(t('step.called'), step.name)}
            className="text-link"
          >
            {t('step.called')}
          </Link>
        </p>
      )}
      {step.task !== null && (
        <p>
          <Link
            to={href('/dashboard/tasks/:task', { task: step.task })}
            aria-label={named(t('step.task'), step.name)}
            className="text-link"
          >
            {t('step.task')}
          </Link>
        </p>
      )}
      {step.items === null ? null : (
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <ItemCounts items={step.items} />
          <Link to={itemsAddress(run, step.path)} aria-label={named(t('items.show'), step.name)} className="text-link">
            {t('items.show')}
          </Link>
          {step.items.failed === 0 ? null : (
            <Link to={itemsAddress(run, step.path, 'failed')} aria-label={named(t('items.showFailed'), step.name)} className="text-link">
              {t('items.showFailed')}
            </Link>
          )}
        </p>
      )}
      {step.file && <StepFile file={step.file} />}
      {step.approval && <ApprovalCard {...step.approval} headingLevel={4} />}
      <details>
        <summary aria-label={named(t('step.details'), step.name)} className="min-h-8 cursor-pointer font-semibold text-accent">
          {t('step.details')}
        </summary>
        <div className="mt-4 grid gap-6">
          {againFrom !== null && step.status !== 'skipped' && (
            <p>
              <Link
                to={`${href('/dashboard/runs/:run/again', { run: againFrom })}?${new URLSearchParams({ step: step.path })}`}
                aria-label={named(t('step.again'), step.name)}
                className="text-link"
              >
                {t('step.again')}
              </Link>
            </p>
          )}
          <DescriptionList
            items={[
              { term: t('step.path'), description: <code>{step.path}</code> },
              ...(step.capability === null
                ? []
                : [{ term: t('step.calls'), description: <bdi>{revealedText(`${step.capability} · ${step.connection ?? ''}`)}</bdi> }]),
              { term: t('step.attempts'), description: format.number(step.attempt) },
              { term: t('step.started'), description: <RelativeTime at={step.startedAt} exact /> },
              ...(took === null ? [] : [{ term: t('step.took'), description: format.duration(took) }]),
              ...usageFacts(t, format, step.usage),
              ...(step.inputDigest === null ? [] : [{ term: t('step.inputDigest'), description: <Digest value={step.inputDigest} /> }]),
              ...(step.outputDigest === null ? [] : [{ term: t('step.outputDigest'), description: <Digest value={step.outputDigest} /> }]),
            ]}
          />
          {step.decisions.length > 0 && <Decisions step={step} />}
          {candidates.length > 1 && (
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
                    row.chosen ? (
                      t('step.chosen')
                    ) : row.excluded === null ? (
                      t('step.lowerScore')
                    ) : (
                      <ExplanationText explanation={row.excluded} />
                    ),
                },
              ]}
              empty={null}
            />
          )}
          {step.input !== null && (
            <div className="grid gap-2">
              <h4 className="font-semibold">{t('step.input')}</h4>
              <ValueView value={step.input} label={t('step.inputOf', { name: step.name })} file={valueAddress(run, 'input', step.path)} />
            </div>
          )}
          {step.output !== null && (
            <div className="grid gap-2">
              <h4 className="font-semibold">{t('step.output')}</h4>
              <ValueView
                value={step.output}
                label={t('step.outputOf', { name: step.name })}
                file={valueAddress(run, 'output', step.path)}
              />
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

/** What a dry run did in place of the call. */
function DryNote({ values = {} }: { values?: Explanation['values'] | undefined }) {
  const { t } = useTranslation('runs');
  const from = DRY.find((one) => one === values.dry);
  if (from === undefined) return null;
  return (
    <p className="max-w-measure font-semibold">
      {values.dryAsks === true && `${t('step.dryAsks')} `}
      {t(`step.dry.${from}`)}
    </p>
  );
}

/** Every decision that stood before the step, with the rule that determined it. */
function Decisions({ step }: { step: ShownStep }) {
  const { t } = useTranslation('runs');
  return (
    <div className="grid gap-2">
      <h4 className="font-semibold">{t('step.decisions')}</h4>
      <ul className="grid gap-3">
        {step.decisions.map((decision) => {
          const rules = rulesSchema.safeParse(decision.rules);
          return (
            <li key={decision.id} className="grid gap-1 border-s-2 border-line ps-4">
              <p className="flex flex-wrap items-center gap-3">
                <StatusWord status={decision.verdict} />
                <RelativeTime at={decision.at} />
                <Link className="text-link" to={href('/dashboard/ai-reasoning/:decision', { decision: decision.id })}>
                  {t('step.openDecision')}
                </Link>
              </p>
              <p className="max-w-measure">
                <ExplanationText explanation={decision.reason} />
              </p>
              {rules.success &&
                rules.data.map((rule) => (
                  <p key={`${rule.policyId}${rule.rule}`} className="text-sm text-muted">
                    {rule.version === 0 ? (
                      t('step.builtinRule', { rule: rule.rule })
                    ) : (
                      <Link to={href('/dashboard/policies/:policy', { policy: rule.policyId })}>
                        {t('step.rule', { policy: rule.policyName, version: rule.version, rule: rule.rule })}
                      </Link>
                    )}
                  </p>
                ))}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
