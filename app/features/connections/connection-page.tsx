import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { KeyPaging } from '#app/components/data/key-paging.tsx';
import { SearchForm } from '#app/components/data/search-form.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { When } from '#app/components/data/when.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/reader.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { ApproveAllPage } from '#app/features/connections/approve-all-page.tsx';
import { CapabilityCard } from '#app/features/connections/capability-card.tsx';
import { serviceName } from '#app/features/connections/connect/service-names.ts';
import { CONNECTION_AREAS, isServiceKind } from '#app/features/connections/connection-area.ts';
import type { LoadedConnection } from '#app/features/connections/load-connection.server.ts';

/** A connection: where it leads, what it may receive, and everything it offers; or the list of what waits for one approval of all. */
export function ConnectionPage({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  if (connection.review) return <ApproveAllPage connection={connection} />;
  const { base, words } = CONNECTION_AREAS[connection.kind];
  return (
    <PageFrame
      title={connection.name}
      description={connection.description}
      breadcrumbs={[{ label: t(words.title), to: base }]}
      actions={
        connection.mayConnect ? (
          <>
            <CommandForm hidden={{ intent: 'check' }}>
              <SubmitButton variant="secondary" busyLabel={t('page.checking')}>
                {t('page.check')}
              </SubmitButton>
            </CommandForm>
            {connection.kind === 'a2a' ? (
              <CommandForm hidden={{ intent: connection.paused ? 'resume' : 'pause' }}>
                <SubmitButton variant="secondary">{connection.paused ? t('a2a.resume') : t('a2a.pause')}</SubmitButton>
              </CommandForm>
            ) : null}
            {connection.kind === 'model' ? (
              <ButtonLink variant="quiet" to={`${base}/${connection.id}/prices`}>
                {t('price.set')}
              </ButtonLink>
            ) : null}
            {connection.address === null || connection.kind === 'a2a' ? null : (
              <ButtonLink variant="quiet" to={`${base}/${connection.id}/rotate`}>
                {t('rotate.link')}
              </ButtonLink>
            )}
            <ButtonLink variant="quiet" to={`${base}/${connection.id}/limits`}>
              {t('limits.link')}
            </ButtonLink>
            <ButtonLink variant="quiet" to={`${base}/${connection.id}/disconnect`}>
              {t('page.disconnect')}
            </ButtonLink>
          </>
        ) : null
      }
    >
      <News connection={connection} />
      <Facts connection={connection} />
      <PersonalData connection={connection} />
      <RepeatedCalls connection={connection} />
      <Users connection={connection} />
      <Calls connection={connection} />
      <Section title={t(words.capabilities)} description={t(words.capabilitiesDescription)}>
        {connection.counts.all === 0 ? (
          <p>{connection.status === 'connected' ? t(words.noCapabilities) : t('page.notListed')}</p>
        ) : (
          <>
            <Search connection={connection} />
            {connection.capabilities.length === 0 ? <p>{t('search.none')}</p> : <Capabilities connection={connection} />}
            <KeyPaging url={connection.url} next={connection.next} />
          </>
        )}
      </Section>
    </PageFrame>
  );
}

/** What somebody should look at first. */
function News({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  const format = useFormats();
  const { changed, pending } = connection.counts;
  const who = connection.mayApprove ? null : <p>{t('news.needsApprover')}</p>;
  return (
    <div className="mb-6 grid gap-3 empty:hidden">
      {connection.lastError === null ? null : (
        <Notice kind="danger" title={t('news.failed')}>
          <ExplanationText explanation={connection.lastError} />
        </Notice>
      )}
      {connection.paused ? (
        <Notice kind="attention" title={t('a2a.pausedTitle')}>
          <p>{t('a2a.pausedText')}</p>
        </Notice>
      ) : null}
      {connection.heldUntil === null ? null : (
        <Notice kind="attention" title={t('limits.heldTitle')}>
          <p>{t('limits.heldText', { time: format.exactTime(connection.heldUntil) })}</p>
        </Notice>
      )}
      {changed === 0 ? null : (
        <Notice kind="attention" title={t('news.changed', { count: changed })}>
          <p>{t('news.changedText')}</p>
          {who}
        </Notice>
      )}
      {pending === 0 ? null : (
        <Notice kind="info" title={t('news.pending', { count: pending })}>
          <p>{t('news.pendingText')}</p>
          {who}
        </Notice>
      )}
    </div>
  );
}

function Facts({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  return (
    <Section title={t('page.facts')}>
      <DescriptionList
        items={[
          ...(connection.presence === null ? [] : [{ term: t('a2a.presence'), description: <StatusWord status={connection.presence} /> }]),
          {
            term: t('columns.status'),
            description: (
              <StatusWord status={connection.status === 'connected' && connection.counts.changed > 0 ? 'changed' : connection.status} />
            ),
          },
          {
            term: t('connect.address'),
            description:
              connection.address === null ? (
                t('list.builtin')
              ) : (
                <bdi dir="ltr" className="break-all">
                  {connection.address}
                </bdi>
              ),
          },
          ...(connection.service === null || !isServiceKind(connection.kind)
            ? []
            : [
                {
                  term: t(CONNECTION_AREAS[connection.kind].words.service),
                  description: serviceName(t, connection.kind, connection.service),
                },
              ]),
          { term: t('page.slug'), description: <code>{connection.slug}</code> },
          ...(connection.protocolVersion === null || connection.protocolVersion === ''
            ? []
            : [{ term: t('page.protocolVersion'), description: <bdi>{connection.protocolVersion}</bdi> }]),
          { term: t('limits.fact'), description: <LimitsInWords connection={connection} /> },
          { term: t('connect.token'), description: connection.hasToken ? t('page.tokenStored') : t('page.tokenNone') },
          {
            term: t('columns.lastCheck'),
            description: connection.lastCheckAt === null ? t('list.never') : <When at={connection.lastCheckAt} />,
          },
        ]}
      />
    </Section>
  );
}

function LimitsInWords({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  const format = useFormats();
  const { atOnce, aMinute } = connection.limits;
  const limits = [
    ...(atOnce === null ? [] : [t('limits.atOnceFact', { calls: format.number(atOnce) })]),
    ...(aMinute === null ? [] : [t('limits.aMinuteFact', { calls: format.number(aMinute) })]),
  ];
  return (
    <>
      {limits.length === 0 ? t('limits.none') : format.list(limits)}
      {connection.inLine === 0 ? null : <span className="block text-muted">{t('limits.inLine', { count: connection.inLine })}</span>}
    </>
  );
}

/** Who would notice if it ended. */
function Users({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  return (
    <Section title={t('page.usedBy')}>
      {connection.usedBy.length === 0 ? (
        <p className="text-muted">{t('page.usedByNone')}</p>
      ) : (
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {connection.usedBy.map((workflow) => (
            <li key={workflow.id}>
              <Link to={`/dashboard/workflows/${workflow.id}`} className="text-link">
                <bdi>{workflow.name}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** What was asked of an agent lately. */
function Calls({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  if (connection.calls === null) return null;
  return (
    <Section title={t('a2a.calls')}>
      <DataTable
        caption={t('a2a.calls')}
        rows={connection.calls}
        rowKey={(call) => `${call.run}/${call.path}`}
        columns={[
          {
            key: 'step',
            header: t('a2a.step'),
            cell: (call) => (
              <Link to={`/dashboard/runs/${call.run}`} className="text-link">
                <bdi>{call.name}</bdi>
              </Link>
            ),
          },
          { key: 'status', header: t('columns.status'), cell: (call) => <StatusWord status={call.status} /> },
          { key: 'at', header: t('a2a.started'), cell: (call) => <When at={call.at} /> },
        ]}
        empty={<p className="text-muted">{t('a2a.noCalls')}</p>}
      />
    </Section>
  );
}

function PersonalData({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  const allowed = connection.personalDataAllowed;
  return (
    <Section title={t('personalData.title')} description={allowed ? t('personalData.allowedText') : t('personalData.forbiddenText')}>
      {connection.mayApprove ? (
        <CommandForm hidden={{ intent: allowed ? 'forbidPersonalData' : 'allowPersonalData' }}>
          <SubmitButton variant="secondary">{allowed ? t('personalData.forbid') : t('personalData.allow')}</SubmitButton>
        </CommandForm>
      ) : (
        <p className="text-sm text-muted">{t('personalData.whoDecides')}</p>
      )}
    </Section>
  );
}

/** Offered once there is more than a page. */
function Search({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  if (connection.search === '' && connection.counts.all <= connection.capabilities.length) return null;
  const here = `${CONNECTION_AREAS[connection.kind].base}/${connection.id}`;
  return (
    <SearchForm
      action={here}
      words={connection.search}
      label={t('search.label')}
      placeholder={t('search.placeholder')}
      submit={t('search.submit')}
    />
  );
}

function RepeatedCalls({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  const { idempotent } = connection;
  if (idempotent === null) return null;
  return (
    <Section title={t('repeat.title')} description={idempotent ? t('repeat.allowedText') : t('repeat.forbiddenText')}>
      {connection.mayApprove ? (
        <CommandForm hidden={{ intent: idempotent ? 'forbidRepeat' : 'allowRepeat' }}>
          <SubmitButton variant="secondary">{idempotent ? t('repeat.forbid') : t('repeat.allow')}</SubmitButton>
        </CommandForm>
      ) : (
        <p className="text-sm text-muted">{t('personalData.whoDecides')}</p>
      )}
    </Section>
  );
}

function Capabilities({ connection }: { connection: LoadedConnection }) {
  const { t } = useTranslation('connections');
  const format = useFormats();
  const approvable = connection.capabilities.some((capability) => capability.approvable);
  const waiting = connection.counts.pending + connection.counts.changed;
  const list = (
    <ul className="grid gap-4">
      {connection.capabilities.map((capability) => (
        <CapabilityCard key={capability.id} capability={capability} mayApprove={connection.mayApprove} />
      ))}
    </ul>
  );
  if (!connection.mayApprove) return list;
  return (
    <CommandForm hidden={{}} className="grid gap-4">
      {/* First in the form, so that Enter approves what is ticked and never withdraws. */}
      {waiting === 0 ? null : (
        <div className="flex flex-wrap gap-3">
          {approvable ? (
            <SubmitButton name="intent" value="approve" busyLabel={t('page.approving')}>
              {t('page.approveSelected')}
            </SubmitButton>
          ) : null}
          <ButtonLink to={`${CONNECTION_AREAS[connection.kind].base}/${connection.id}?approve=all`}>
            {t('page.reviewAll', { total: format.number(waiting) })}
          </ButtonLink>
        </div>
      )}
      {list}
    </CommandForm>
  );
}
