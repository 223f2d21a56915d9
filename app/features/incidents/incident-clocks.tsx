import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ClockWord, useIncidentWords } from '#app/features/incidents/incident-words.tsx';
import type { LoadedIncident } from '#app/features/incidents/load-incident.server.ts';

type Clock = LoadedIncident['clocks'][number];

/** The reports that the applied laws ask for: when each is due, and what was sent when by whom. */
export function IncidentClocks({ incident }: { incident: LoadedIncident }) {
  const { t } = useTranslation('incidents');
  const words = useIncidentWords();
  return (
    <Section title={t('clocks.title')} description={t('clocks.text')}>
      <DataTable
        caption={t('clocks.title')}
        rows={incident.clocks}
        rowKey={({ regime, step }) => `${regime}.${step}`}
        empty={<EmptyPart title={t('clocks.none')} />}
        columns={[
          {
            key: 'report',
            header: t('form.report'),
            cell: (clock) => (
              <>
                {t('reportOf', { law: words.regime(clock.regime), report: words.report(clock.step) })}
                <bdi className="block max-w-measure text-as-parent text-muted sm:min-w-48">{clock.cited}</bdi>
              </>
            ),
          },
          { key: 'state', header: t('column.state'), cell: (clock) => <ClockWord state={clock.state} /> },
          { key: 'due', header: t('column.dueAt'), cell: (clock) => <Due clock={clock} /> },
          { key: 'sent', header: t('form.sent'), cell: (clock) => <Sent incident={incident} clock={clock} /> },
          { key: 'reference', header: t('form.reference'), minor: true, cell: (clock) => <bdi>{clock.reference || '–'}</bdi> },
        ]}
      />
      <Sources laws={incident.laws} />
    </Section>
  );
}

function Due({ clock }: { clock: Clock }) {
  const { t } = useTranslation('incidents');
  if (clock.due === null) return t('clocks.later');
  return (
    <span className="block sm:min-w-40">
      <RelativeTime at={clock.due} exact />
      {clock.sent === null ? (
        <span className="block text-muted">
          <RelativeTime at={clock.due} />
        </span>
      ) : null}
    </span>
  );
}

function Sent({ incident, clock }: { incident: LoadedIncident; clock: Clock }) {
  const { t } = useTranslation('incidents');
  const words = useIncidentWords();
  const address = href('/dashboard/policies/compliance/incidents/:incident/:act', { incident: incident.id, act: 'report' });
  const to = `${address}?${new URLSearchParams({ report: `${clock.regime}.${clock.step}` })}`;
  const name = t('reportOf', { law: words.regime(clock.regime), report: words.report(clock.step) });
  return (
    <span className="block sm:min-w-40">
      {clock.sent === null ? null : (
        <>
          <RelativeTime at={clock.sent} exact />
          <bdi className="block text-muted">{clock.by ?? t('formerMember')}</bdi>
        </>
      )}
      {incident.mayHandle ? (
        <Link
          to={to}
          className="text-link inline-block py-1"
          aria-label={t(clock.sent === null ? 'clocks.sendOf' : 'clocks.correctOf', { report: name })}
        >
          {t(clock.sent === null ? 'clocks.send' : 'clocks.correct')}
        </Link>
      ) : clock.sent === null ? (
        '–'
      ) : null}
    </span>
  );
}

/** Where the times come from. */
function Sources({ laws }: { laws: LoadedIncident['laws'] }) {
  const { t } = useTranslation('incidents');
  const formats = useFormats();
  if (laws.length === 0) return null;
  return (
    <div className="mt-3 text-sm text-muted">
      <p>{t('clocks.counted')}</p>
      <ul className="mt-1 grid gap-0.5">
        {laws.map((law) => (
          <li key={law.regime}>
            <a href={law.source} className="text-link inline-block py-0.5">
              {t('clocks.source', { law: law.name })}
            </a>{' '}
            {law.checked === null ? t('clocks.notChecked') : t('clocks.checked', { day: formats.day(law.checked) })}
          </li>
        ))}
      </ul>
    </div>
  );
}
