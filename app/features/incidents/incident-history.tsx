import { useTranslation } from 'react-i18next';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useIncidentWords } from '#app/features/incidents/incident-words.tsx';
import type { LoadedIncident } from '#app/features/incidents/load-incident.server.ts';

type Entry = LoadedIncident['entries'][number];

/** The entries of the incident, the newest first. None is ever changed. */
export function IncidentHistory({ incident }: { incident: LoadedIncident }) {
  const { t } = useTranslation('incidents');
  return (
    <Section title={t('history.title')} description={t('history.text')}>
      {incident.entries.length === 0 ? (
        <EmptyPart title={t('history.empty')} />
      ) : (
        <ol className="max-w-3xl divide-y divide-line rounded-lg border border-line bg-surface">
          {incident.entries.map((entry) => (
            <li key={entry.id} className="grid gap-1 px-4 py-3">
              <p className="font-semibold">
                <EntryTitle entry={entry} />
              </p>
              {entry.note === '' ? null : (
                <p dir="auto" className="max-w-measure text-as-parent break-words whitespace-pre-wrap">
                  {entry.note}
                </p>
              )}
              <p className="text-sm text-muted">
                <bdi>{entry.by ?? t('formerMember')}</bdi>, <RelativeTime at={entry.at} exact />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function EntryTitle({ entry }: { entry: Entry }) {
  const { t } = useTranslation('incidents');
  const words = useIncidentWords();
  const formats = useFormats();
  const judgement = useJudgement();
  if (entry.kind === 'noted') return t('history.noted');
  if (entry.kind === 'closed') return t('history.closed');
  if (entry.kind === 'assessed')
    return entry.before === null || entry.after === null
      ? t('history.assessed')
      : t('history.assessedFrom', { before: judgement(entry.before), after: judgement(entry.after) });
  if (entry.regime === null || entry.step === null || entry.sent === null) return null;
  const report = t('reportOf', { law: words.regime(entry.regime), report: words.report(entry.step) });
  const said = t(entry.corrects ? 'history.corrected' : 'history.reported', { report, at: formats.exactTime(entry.sent) });
  return entry.reference === '' ? said : t('history.withReference', { said, reference: entry.reference });
}

/** A judgement in one line: severity, laws, harm and when it was classified. */
function useJudgement() {
  const { t } = useTranslation('incidents');
  const words = useIncidentWords();
  const formats = useFormats();
  return ({ severity, harm, classifiedAt, regimes }: NonNullable<Entry['before']>) =>
    formats.series([
      words.severity(severity),
      ...regimes.map((regime) => words.regime(regime)),
      ...(harm === null ? [] : [words.harm(harm)]),
      classifiedAt === null ? t('page.notClassified') : t('history.classifiedAt', { at: formats.exactTime(classifiedAt) }),
    ]);
}
