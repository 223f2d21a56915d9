import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { BreakGlassMark } from '#app/components/data/break-glass-mark.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { ValueView } from '#app/components/value/value-view.tsx';
import { CircumstancesList } from '#app/features/reasoning/circumstances-list.tsx';
import { DecisionTree, DecisionTreeText } from '#app/features/reasoning/decision-tree.tsx';
import type { LoadedDecision } from '#app/features/reasoning/load-decision.server.ts';

/** One decision: the verdict and its sentence, how it came about, the facts it was given, and the proof. */
export function DecisionPage({ decision }: { decision: LoadedDecision }) {
  const { t } = useTranslation('reasoning');
  const step = decision.context.capability ?? decision.step.name;
  return (
    <PageFrame
      title={t('decision.title', { step })}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/ai-orchestration') },
        { label: t('decisions.title'), to: href('/dashboard/ai-reasoning') },
      ]}
      actions={
        <>
          <ButtonLink to={href('/dashboard/ai-reasoning/:decision/what-if', { decision: decision.id })}>{t('whatIf.open')}</ButtonLink>
          <ButtonLink
            to={`${href('/dashboard/runs/:run', { run: decision.run.id })}?${new URLSearchParams({ step: decision.step.path })}#step`}
          >
            {t('decision.openRun')}
          </ButtonLink>
        </>
      }
    >
      <div className="mb-8 grid gap-2">
        <p className="text-lg">
          <StatusWord status={decision.verdict} />
        </p>
        <p className="max-w-measure text-lg">
          <ExplanationText explanation={decision.reason} />
        </p>
        <BreakGlassMark {...decision.breakGlass} />
      </div>
      <Section title={t('tree.heading')} description={t('tree.description')}>
        <DecisionTree decision={decision} />
        <DecisionTreeText path={decision.path} />
      </Section>
      <Facts decision={decision} />
      <Asked decision={decision} />
      <Proof decision={decision} />
      {decision.others.length === 0 ? null : (
        <Section title={t('decision.others')} description={t('decision.othersText')}>
          <ul className="grid gap-2">
            {decision.others.map((other) => (
              <li key={other.id}>
                <Link
                  className="text-link inline-flex flex-wrap gap-x-3 py-0.5"
                  to={href('/dashboard/ai-reasoning/:decision', { decision: other.id })}
                >
                  <StatusWord status={other.verdict} />
                  <RelativeTime at={other.at} />
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </PageFrame>
  );
}

function Facts({ decision }: { decision: LoadedDecision }) {
  const { t } = useTranslation('reasoning');
  const formats = useFormats();
  return (
    <Section title={t('decision.facts')}>
      <DescriptionList
        items={[
          {
            term: t('decisions.rule'),
            description:
              decision.rules.length === 0 ? (
                t('decisions.noRule')
              ) : (
                <ul>
                  {decision.rules.map((rule) => (
                    <li key={`${rule.policyId}${rule.rule}`}>
                      {rule.version === 0 ? (
                        t('decision.builtinRule', { rule: rule.rule })
                      ) : (
                        <Link className="text-link" to={href('/dashboard/policies/:policy', { policy: rule.policyId })}>
                          {t('decision.rule', { policy: rule.policyName, version: rule.version, rule: rule.rule })}
                        </Link>
                      )}
                    </li>
                  ))}
                </ul>
              ),
          },
          {
            term: t('decisions.workflow'),
            description: (
              <Link className="text-link" to={href('/dashboard/workflows/:workflow', { workflow: decision.workflow.id })}>
                <bdi>{decision.workflow.name}</bdi>
              </Link>
            ),
          },
          {
            term: t('decision.step'),
            description: (
              <>
                <bdi>{decision.step.name}</bdi> <code className="text-muted">{decision.step.path}</code>
              </>
            ),
          },
          ...(decision.step.status === null
            ? []
            : [{ term: t('decision.cameOfIt'), description: <StatusWord status={decision.step.status} /> }]),
          { term: t('decision.attempt'), description: formats.number(decision.attempt) },
          { term: t('decisions.at'), description: <RelativeTime at={decision.at} exact /> },
          { term: t('decision.policyVersion'), description: <Digest value={decision.policyVersion} /> },
          { term: t('decision.actionDigest'), description: <Digest value={decision.actionDigest} /> },
        ]}
      />
    </Section>
  );
}

/** The facts that the policies were given, never the payload; and the step's input beside them, for members who may see the run. */
function Asked({ decision }: { decision: LoadedDecision }) {
  const { t } = useTranslation('reasoning');
  const formats = useFormats();
  const { context } = decision;
  const yesNo = (value: boolean) => (value ? t('asked.yes') : t('asked.no'));
  return (
    <Section title={t('asked.title')} description={t('asked.description')}>
      <DescriptionList
        items={[
          { term: t('asked.initiator'), description: <bdi>{decision.run.initiator ?? t('asked.former')}</bdi> },
          ...(context.connection === undefined ? [] : [{ term: t('asked.connection'), description: <bdi>{context.connection}</bdi> }]),
          ...(context.personalData === undefined
            ? []
            : [
                {
                  term: t('asked.personalData'),
                  description: context.personalData.length === 0 ? t('asked.none') : formats.list(context.personalData),
                },
              ]),
          ...(context.personalDataAllowed === undefined
            ? []
            : [{ term: t('asked.personalDataAllowed'), description: yesNo(context.personalDataAllowed) }]),
          ...(context.risk === 'low' || context.risk === 'medium' || context.risk === 'high'
            ? [{ term: t('asked.risk'), description: <StatusWord status={context.risk} /> }]
            : []),
          ...(context.findings === undefined ? [] : [{ term: t('asked.findings'), description: formats.number(context.findings) }]),
          ...(context.approvalId == null
            ? []
            : [
                {
                  term: t('asked.approval'),
                  description: (
                    <Link className="text-link" to={href('/dashboard/approvals/:approval', { approval: context.approvalId })}>
                      {t('asked.openApproval')}
                    </Link>
                  ),
                },
              ]),
        ]}
      />
      <CircumstancesList of={context.circumstances} />
      {decision.step.input === null ? null : (
        <details className="mt-4">
          <summary className="text-link inline-block min-h-6 cursor-pointer">{t('asked.input')}</summary>
          <div className="mt-3">
            <ValueView
              value={decision.step.input}
              label={t('asked.input')}
              file={`${href('/dashboard/runs/:run/value', { run: decision.run.id })}?${new URLSearchParams({ of: 'input', step: decision.step.path })}`}
            />
          </div>
        </details>
      )}
    </Section>
  );
}

function Proof({ decision }: { decision: LoadedDecision }) {
  const { t } = useTranslation('reasoning');
  return (
    <Section title={t('proof.title')} description={t('proof.description')}>
      {!decision.run.closed ? (
        <p>{t('proof.open')}</p>
      ) : decision.seesLog && decision.closingEventId !== null ? (
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={href('/dashboard/audit/:event', { event: decision.closingEventId })}>{t('proof.event')}</ButtonLink>
          <ButtonLink variant="quiet" to={href('/dashboard/audit/runs/:run', { run: decision.run.id })}>
            {t('proof.run')}
          </ButtonLink>
        </div>
      ) : (
        <p>{t('proof.forAuditors')}</p>
      )}
    </Section>
  );
}
