import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { WorkspaceZone } from '#app/components/text/workspace-zone.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { IncidentClocks } from '#app/features/incidents/incident-clocks.tsx';
import { IncidentHistory } from '#app/features/incidents/incident-history.tsx';
import { IncidentStateWord, SeverityWord, useIncidentWords } from '#app/features/incidents/incident-words.tsx';
import type { LoadedIncident } from '#app/features/incidents/load-incident.server.ts';
import { TouchedThings } from '#app/features/incidents/touched-things.tsx';

/** An incident: what happened, which reports are due when, what was sent, and its history. */
export function IncidentPage({ incident }: { incident: LoadedIncident }) {
  const { t } = useTranslation('incidents');
  const formats = useFormats();
  return (
    <PageFrame
      title={t('named', { number: formats.number(incident.number, { useGrouping: false }), title: incident.title })}
      breadcrumbs={[
        { label: t('compliance'), to: href('/dashboard/policies/compliance') },
        { label: t('list.title'), to: href('/dashboard/policies/compliance/incidents') },
      ]}
      actions={<Acts incident={incident} />}
    >
      <WorkspaceZone timeZone={incident.timeZone}>
        <Facts incident={incident} />
        <IncidentClocks incident={incident} />
        <IncidentHistory incident={incident} />
      </WorkspaceZone>
    </PageFrame>
  );
}

function Acts({ incident }: { incident: LoadedIncident }) {
  const { t } = useTranslation('incidents');
  const to = (act: string) => href('/dashboard/policies/compliance/incidents/:incident/:act', { incident: incident.id, act });
  const open = incident.closedAt === null;
  return (
    <>
      {incident.mayHalt && open ? <ButtonLink to={href('/dashboard/admin/halt')}>{t('page.halt')}</ButtonLink> : null}
      {incident.mayHandle ? (
        <>
          <ButtonLink to={to('note')}>{t('page.note')}</ButtonLink>
          {open ? <ButtonLink to={to('assess')}>{t('page.assess')}</ButtonLink> : null}
          {open ? <ButtonLink to={to('close')}>{t('page.close')}</ButtonLink> : null}
          {incident.clocks.length === 0 ? null : (
            <ButtonLink variant="primary" to={to('report')}>
              {t('page.report')}
            </ButtonLink>
          )}
        </>
      ) : null}
    </>
  );
}

function Facts({ incident }: { incident: LoadedIncident }) {
  const { t } = useTranslation('incidents');
  const words = useIncidentWords();
  const state = incident.closedAt !== null ? 'closed' : incident.clocks.some((clock) => clock.state === 'overdue') ? 'overdue' : 'open';
  const text = (words: string) => (
    <p className="max-w-measure text-as-parent break-words whitespace-pre-wrap" dir="auto">
      {words}
    </p>
  );
  return (
    <Section title={t('page.facts')}>
      <DescriptionList
        items={[
          { term: t('column.state'), description: <IncidentStateWord state={state} /> },
          { term: t('column.severity'), description: <SeverityWord severity={incident.severity} /> },
          { term: t('form.happened'), description: text(incident.happened) },
          { term: t('form.noticed'), description: <RelativeTime at={incident.noticedAt} exact /> },
          {
            term: t('form.classified'),
            description: incident.classifiedAt === null ? t('page.notClassified') : <RelativeTime at={incident.classifiedAt} exact />,
          },
          ...(incident.harm === null ? [] : [{ term: t('form.harm'), description: words.harm(incident.harm) }]),
          {
            term: t('page.recorded'),
            description: (
              <>
                <bdi>{incident.recorder ?? t('formerMember')}</bdi>, <RelativeTime at={incident.recordedAt} exact />
              </>
            ),
          },
          { term: t('page.touched'), description: <TouchedThings touched={incident.touched} /> },
          ...(incident.closedAt === null || incident.rootCause === null
            ? []
            : [
                { term: t('page.closed'), description: <RelativeTime at={incident.closedAt} exact /> },
                { term: t('form.rootCause'), description: text(incident.rootCause) },
              ]),
        ]}
      />
      <p className="mt-4 text-sm text-muted">
        {t('page.proof')}{' '}
        <Link
          className="text-link inline-block py-0.5"
          to={`${href('/dashboard/audit')}?${new URLSearchParams({ resource: incident.title })}`}
        >
          {t('page.inLog')}
        </Link>
      </p>
    </Section>
  );
}
