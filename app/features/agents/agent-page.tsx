import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { AskSecondPerson } from '#app/components/form/ask/ask-second-person.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { AgentFacts } from '#app/features/agents/agent-facts.tsx';
import { issueText } from '#app/features/agents/issue-text.ts';
import type { LoadedAgent } from '#app/features/agents/load-agent.server.ts';

/** An agent: its state, its active version, its recent runs, and its actions. `missing`: another person was asked to agree to a publication without a reason. */
export function AgentPage({ agent, missing }: { agent: LoadedAgent; missing: boolean }) {
  const { t } = useTranslation('agents');
  const { published, draft } = agent;
  const active = published !== null && agent.status === 'active';
  const changed = draft !== null && JSON.stringify(draft.document) !== JSON.stringify(published?.document);
  return (
    <PageFrame
      title={agent.name}
      description={agent.description}
      breadcrumbs={[{ label: t('list.mineTitle'), to: href('/dashboard/agents') }]}
      actions={
        <>
          {agent.maySeeInventory ? (
            <ButtonLink to={href('/dashboard/agents/inventory/:agent', { agent: agent.id })}>{t('page.inventory')}</ButtonLink>
          ) : null}
          {active ? (
            <ButtonLink to={href('/dashboard/agents/authored/:agent/run', { agent: agent.id })} variant="primary">
              {t('page.run')}
            </ButtonLink>
          ) : null}
          {draft === null ? null : (
            <>
              {draft.issues.length === 0 ? (
                <ButtonLink to={`${href('/dashboard/agents/authored/:agent/run', { agent: agent.id })}?mode=test`}>
                  {t('page.try')}
                </ButtonLink>
              ) : null}
              <ButtonLink to={href('/dashboard/agents/authored/:agent/edit', { agent: agent.id })}>{t('page.edit')}</ButtonLink>
            </>
          )}
        </>
      }
    >
      <div className="mb-6 grid gap-3 empty:hidden">
        {published !== null && !active ? (
          <Notice kind="attention" title={t('page.pausedTitle')}>
            <p>{t('page.pausedText')}</p>
          </Notice>
        ) : null}
        {published === null && draft === null ? <Notice kind="info" title={t('page.unpublished')} /> : null}
        {draft !== null && draft.issues.length > 0 ? (
          <Notice kind="attention" title={t('page.issues')}>
            <ul className="list-disc ps-5">
              {draft.issues.map((issue) => (
                <li key={`${issue.key}${JSON.stringify(issue.values)}`}>{issueText(t, issue)}</li>
              ))}
            </ul>
          </Notice>
        ) : null}
        {draft !== null && draft.issues.length === 0 && changed ? (
          <Notice kind="info" title={published === null ? t('page.unpublished') : t('page.draftDiffers')}>
            <div className="grid justify-items-start gap-3">
              <p>{t('page.publishText')}</p>
              <Publish draft={draft} missing={missing} />
            </div>
          </Notice>
        ) : null}
      </div>
      <Section title={published === null ? t('page.draft') : t('page.inForce', { number: published.number })}>
        <div className="grid gap-6">
          <DescriptionList
            items={[
              { term: t('columns.presence'), description: <StatusWord status={agent.presence} /> },
              { term: t('columns.owner'), description: <bdi>{agent.owner ?? t('formerMember')}</bdi> },
              ...(agent.tags.length === 0
                ? []
                : [
                    {
                      term: t('form.tags'),
                      description: (
                        <span className="flex flex-wrap gap-1.5">
                          {agent.tags.map((tag) => (
                            <Badge key={tag}>{tag}</Badge>
                          ))}
                        </span>
                      ),
                    },
                  ]),
              ...(published === null ? [] : [{ term: t('page.contentHash'), description: <Digest value={published.contentHash} /> }]),
            ]}
          />
          <AgentFacts document={published?.document ?? draft?.document ?? null} />
        </div>
      </Section>
      <Connections agent={agent} />
      <Runs agent={agent} />
      <Versions agent={agent} />
      {agent.mayAuthor ? (
        <Section title={t('page.more')}>
          <div className="flex flex-wrap gap-2">
            {published === null ? null : (
              <CommandForm hidden={{ intent: active ? 'pause' : 'resume' }}>
                <Button>{active ? t('page.pause') : t('page.resume')}</Button>
              </CommandForm>
            )}
            <CommandForm hidden={{ intent: 'duplicate' }}>
              <Button>{t('page.duplicate')}</Button>
            </CommandForm>
            <ButtonLink to={href('/dashboard/agents/authored/:agent/delete', { agent: agent.id })} variant="danger">
              {t('page.delete')}
            </ButtonLink>
          </div>
        </Section>
      ) : null}
    </PageFrame>
  );
}

type PublishProps = { draft: NonNullable<LoadedAgent['draft']>; missing: boolean };

function Publish({ draft, missing }: PublishProps) {
  const { t } = useTranslation(['agents', 'control']);
  const hidden = { intent: 'publish', revision: String(draft.revision) };
  if (draft.review !== 'needed')
    return (
      <CommandForm hidden={hidden}>
        <SubmitButton busyLabel={t('page.publishing')}>{t('page.publish')}</SubmitButton>
      </CommandForm>
    );
  return (
    <div className="grid w-full gap-3">
      <p>{t('control:ask.publishText')}</p>
      <AskSecondPerson hidden={hidden} submit={t('control:ask.publish')} missing={missing} />
    </div>
  );
}

const CONNECTION_PATHS: Record<LoadedAgent['connections'][number]['kind'], (id: string) => string> = {
  model: (id) => href('/dashboard/llm-hub/:connection', { connection: id }),
  mcp: (id) => href('/dashboard/plugins/:connection', { connection: id }),
  app: (id) => href('/dashboard/plugins/integrations/:connection', { connection: id }),
  a2a: (id) => href('/dashboard/agents/:connection', { connection: id }),
};

function Connections({ agent }: { agent: LoadedAgent }) {
  const { t } = useTranslation('agents');
  if (agent.connections.length === 0) return null;
  const check = agent.mayAuthor ? (
    <CommandForm hidden={{ intent: 'check' }}>
      <SubmitButton variant="secondary" busyLabel={t('page.checking')}>
        {t('page.check')}
      </SubmitButton>
    </CommandForm>
  ) : null;
  return (
    <Section title={t('page.connections')} description={t('page.connectionsHint')} actions={check}>
      <DataTable
        caption={t('page.connections')}
        rows={agent.connections}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'name',
            header: t('page.connection'),
            cell: (row) => (
              <Link to={CONNECTION_PATHS[row.kind](row.id)} className="text-link">
                <bdi>{row.name}</bdi>
              </Link>
            ),
          },
          { key: 'status', header: t('page.status'), cell: (row) => <StatusWord status={row.status} /> },
          {
            key: 'checked',
            header: t('page.checkedAt'),
            cell: (row) => (row.checkedAt === null ? t('list.never') : <RelativeTime at={row.checkedAt} />),
          },
        ]}
        empty={null}
      />
    </Section>
  );
}

function Runs({ agent }: { agent: LoadedAgent }) {
  const { t } = useTranslation('agents');
  return (
    <Section title={t('page.runs')}>
      <DataTable
        caption={t('page.runs')}
        rows={agent.runs}
        rowKey={(run) => `${run.id}/${run.path}`}
        columns={[
          {
            key: 'at',
            header: t('page.started'),
            cell: (run) => (
              <Link to={href('/dashboard/runs/:run', { run: run.id })} className="text-link">
                <RelativeTime at={run.at} />
              </Link>
            ),
          },
          { key: 'status', header: t('page.status'), cell: (run) => <StatusWord status={run.status} /> },
          { key: 'workflow', header: t('page.from'), cell: (run) => <bdi>{run.workflow}</bdi> },
          { key: 'mode', header: t('page.mode'), cell: (run) => <Badge>{run.mode === 'live' ? t('page.live') : t('page.test')}</Badge> },
        ]}
        empty={<EmptyState title={t('page.noRuns')} description={t('page.noRunsHint')} />}
      />
    </Section>
  );
}

function Versions({ agent }: { agent: LoadedAgent }) {
  const { t } = useTranslation('agents');
  return (
    <Section title={t('page.versions')} description={t('page.versionsHint')}>
      <DataTable
        caption={t('page.versions')}
        rows={agent.versions}
        rowKey={(version) => String(version.number)}
        columns={[
          {
            key: 'number',
            header: t('page.version'),
            cell: (version) => (
              <Link
                to={href('/dashboard/agents/authored/:agent/versions/:number', { agent: agent.id, number: String(version.number) })}
                className="text-link"
              >
                {t('page.versionNumber', { number: version.number })}
              </Link>
            ),
          },
          { key: 'at', header: t('page.publishedAt'), cell: (version) => <RelativeTime at={version.at} /> },
          { key: 'author', header: t('page.publishedBy'), cell: (version) => <bdi>{version.author ?? t('formerMember')}</bdi> },
          { key: 'hash', header: t('page.contentHash'), cell: (version) => <Digest value={version.contentHash} /> },
        ]}
        empty={<EmptyState title={t('page.noVersions')} />}
      />
    </Section>
  );
}
