import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useActionWords } from '#app/components/text/action-words.ts';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Verdict } from '#app/contracts/statuses.ts';
import { EVIDENCE } from '#app/domain/audit/compliance.ts';
import { PACK_EXCEPTIONS, type PackException, type PackRecord } from '#app/domain/audit/pack-records.ts';
import { ResourceName } from '#app/features/audit/audit-words.tsx';
import type { ShownControl } from '#app/features/audit/packs/load-pack.server.ts';

const EXCEPTION_WORDS = {
  denied: 'exception.denied',
  warned: 'exception.warned',
  overridden: 'exception.overridden',
  alone: 'exception.alone',
  failed: 'exception.failed',
  late: 'exception.late',
  afterAct: 'exception.afterAct',
} as const satisfies Record<PackException, string>;

/** One control of a pack: what it is, what the period holds of it, and the sample. */
export function ControlSection({ control }: { control: ShownControl }) {
  const { t } = useTranslation(['packs', 'compliance']);
  const formats = useFormats();
  const { id, tally, provision, owners, attested, sample } = control;
  const title = t(`compliance:control.${id}`);
  const figure = (value: number) => <span className="tabular-nums">{formats.number(value)}</span>;
  const exceptions = PACK_EXCEPTIONS.filter((name) => tally.exceptions[name] > 0);
  return (
    <Section title={title} description={t(`compliance:rule.${id}`)}>
      <DescriptionList
        items={[
          { term: t('compliance:column.provision'), description: <bdi>{provision}</bdi> },
          { term: t('control.owner'), description: owners.length === 0 ? t('control.noOwner') : <bdi>{formats.list(owners)}</bdi> },
          { term: t('control.attested'), description: <AttestedWord attested={attested} /> },
          { term: t('control.population'), description: figure(tally.population) },
          ...(tally.population === 0
            ? []
            : [
                { term: t('control.decisions'), description: figure(tally.decisions) },
                { term: t('control.approvals'), description: figure(tally.approvals) },
                { term: t('control.denials'), description: figure(tally.denials) },
                { term: t('control.before'), description: figure(tally.before) },
                { term: t('control.after'), description: figure(tally.after) },
                { term: t('control.noAct'), description: figure(tally.noAct) },
                {
                  term: t('control.exceptions'),
                  description:
                    exceptions.length === 0 ? (
                      t('control.none')
                    ) : (
                      <ul>
                        {exceptions.map((name) => (
                          <li key={name}>
                            {t('control.counted', { word: t(EXCEPTION_WORDS[name]), number: formats.number(tally.exceptions[name]) })}
                          </li>
                        ))}
                      </ul>
                    ),
                },
                { term: t('control.breakGlass'), description: figure(tally.breakGlass) },
              ]),
        ]}
      />
      {tally.population === 0 ? (
        <p className="mt-4 max-w-measure text-muted">
          {t('control.empty')}{' '}
          <Link className="text-link" to={EVIDENCE[id]} aria-label={t('compliance:evidenceOf', { control: title })}>
            {t('compliance:look')}
          </Link>
        </p>
      ) : (
        <div className="mt-5">
          <h3 className="mb-2 font-semibold">
            {t('sample.title', { drawn: formats.number(sample.length), all: formats.number(tally.population) })}
          </h3>
          <SampleTable caption={t('sample.caption', { control: title })} sample={sample} />
        </div>
      )}
    </Section>
  );
}

/** Names the person who attested the control before the end of the period, and whether that had gone stale by then. */
function AttestedWord({ attested }: Pick<ShownControl, 'attested'>) {
  const { t } = useTranslation('compliance');
  const formats = useFormats();
  if (attested === null) return t('attest.never');
  const day = formats.date(attested.until);
  return (
    <>
      <bdi>{t('attest.holds', { by: attested.by ?? t('attest.formerMember'), day })}</bdi>
      {attested.stale ? <strong className="block text-attention-ink">{t('attest.staleSince', { day })}</strong> : null}
      <span dir="auto" className="block max-w-measure break-words text-muted">
        {attested.note}
      </span>
    </>
  );
}

function SampleTable({ caption, sample }: { caption: string; sample: readonly PackRecord[] }) {
  const { t } = useTranslation(['packs', 'audit']);
  const formats = useFormats();
  return (
    <DataTable
      caption={caption}
      rows={sample}
      rowKey={(row) => row.id}
      empty={null}
      columns={[
        { key: 'what', header: t('sample.record'), cell: (row) => <RecordLink record={row} /> },
        { key: 'at', header: t('sample.at'), cell: (row) => <RelativeTime at={row.at} exact /> },
        { key: 'about', header: t('sample.about'), cell: (row) => <About record={row} /> },
        {
          key: 'before',
          header: t('sample.before'),
          cell: (row) => t(row.before === null ? 'sample.noAct' : row.before ? 'sample.yes' : 'sample.no'),
        },
        {
          key: 'exceptions',
          header: t('control.exceptions'),
          cell: (row) => (
            <>
              {formats.list(row.exceptions.map((name) => t(EXCEPTION_WORDS[name])))}
              {row.breakGlass ? (
                <span className="block text-sm">
                  <StatusWord status="emergency" />
                </span>
              ) : null}
            </>
          ),
        },
        {
          key: 'place',
          header: t('audit:columns.place'),
          align: 'end',
          minor: true,
          cell: (row) => (row.place === null ? t('sample.inRun') : <span className="tabular-nums">{formats.number(row.place)}</span>),
        },
      ]}
    />
  );
}

function RecordLink({ record: { kind, id, what, by } }: { record: PackRecord }) {
  const { t } = useTranslation('packs');
  const words = useActionWords();
  return (
    <>
      {kind === 'entry' ? (
        <Link className="text-link" to={href('/dashboard/audit/:event', { event: id })}>
          {words(what)}
        </Link>
      ) : (
        <>
          <Link className="text-link" to={href('/dashboard/ai-reasoning/:decision', { decision: id })}>
            {t('sample.decision')}
          </Link>{' '}
          <StatusWord status={what as Verdict} />
        </>
      )}
      {by === null ? null : (
        <span className="block text-muted">
          <bdi>{by}</bdi>
        </span>
      )}
    </>
  );
}

function About({ record: { kind, run, about } }: { record: PackRecord }) {
  if (kind === 'entry') return <ResourceName resource={about} />;
  const name = <bdi className="break-words">{about.name ?? about.id}</bdi>;
  return run === null ? (
    name
  ) : (
    <Link className="text-link" to={href('/dashboard/runs/:run', { run })}>
      {name}
    </Link>
  );
}
