import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { Paging } from '#app/components/data/paging.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { CodeBlock } from '#app/components/value/copy/copied.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { exportQuery } from '#app/domain/control/export-query.ts';
import type { LoadedCheckpoints } from '#app/features/audit/load-checkpoints.server.ts';
import { VerifyPanel } from '#app/features/audit/verify-panel.tsx';

export function CheckpointsPage({ loaded }: { loaded: LoadedCheckpoints }) {
  const { page, pageCount, rows, key: publicKey, successions, mayExport, asks, size, stretch, stretches } = loaded;
  const { t } = useTranslation('audit');
  const formats = useFormats();
  return (
    <PageFrame
      title={t('checkpoints.title')}
      description={t('checkpoints.description')}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/audit') }]}
    >
      <Section title={t('checkpoints.key.title')} description={t('checkpoints.key.description')}>
        <CodeBlock code={publicKey} name={t('checkpoints.key.title')} />
      </Section>
      {successions.length === 0 ? null : (
        <Section title={t('checkpoints.earlierKeys.title')} description={t('checkpoints.earlierKeys.description')}>
          <div className="grid grid-cols-1 gap-2">
            {successions.map((note) => (
              <CodeBlock key={note} code={note} name={t('checkpoints.earlierKeys.title')} />
            ))}
          </div>
        </Section>
      )}
      <Section title={t('checkpoints.table')} description={t('checkpoints.delivery')}>
        <DataTable
          caption={t('checkpoints.table')}
          rows={rows}
          rowKey={(row) => String(row.size)}
          empty={<EmptyState title={t('checkpoints.empty.title')} description={t('checkpoints.empty.description')} />}
          columns={[
            {
              key: 'size',
              header: t('checkpoints.size'),
              align: 'end',
              cell: (row) => <span className="tabular-nums">{formats.number(row.size)}</span>,
            },
            { key: 'root', header: t('checkpoints.root'), cell: (row) => <Digest value={row.root} /> },
            { key: 'signed', header: t('checkpoints.signedAt'), cell: (row) => <RelativeTime at={row.signedAt} /> },
            {
              key: 'delivered',
              minor: true,
              header: t('checkpoints.deliveredAt'),
              cell: (row) =>
                row.deliveredAt === null ? (
                  <span className="text-muted">{t('checkpoints.notDelivered')}</span>
                ) : (
                  <RelativeTime at={row.deliveredAt} />
                ),
            },
            {
              key: 'download',
              header: t('checkpoints.download'),
              cell: (row) => (
                <a
                  className="text-link"
                  href={href('/dashboard/audit/checkpoints/:size', { size: String(row.size) })}
                  download={`checkpoint-${row.size}.txt`}
                  aria-label={t('checkpoints.downloadLabel', { size: formats.number(row.size) })}
                >
                  {t('checkpoints.download')}
                </a>
              ),
            },
          ]}
        />
        <Paging page={page} pageCount={pageCount} url={href('/dashboard/audit/checkpoints')} />
      </Section>
      {mayExport && stretches.length > 0 ? (
        <Section title={t('checkpoints.export.title')} description={t('checkpoints.export.description', { count: stretch })}>
          {asks ? <AskForStretches stretches={stretches} size={size} /> : <VerifyStretches stretches={stretches} publicKey={publicKey} />}
        </Section>
      ) : null}
    </PageFrame>
  );
}

/** Where another person agrees before entries leave, the ways to ask for some of them, or for all. */
function AskForStretches({ stretches, size }: { stretches: LoadedCheckpoints['stretches']; size: number }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const ways = [{ from: 0, to: size - 1 }, ...stretches.filter(({ from, to }) => from > 0 || to < size - 1)];
  return (
    <>
      <p className="mb-3 max-w-measure">{t('checkpoints.export.asks')}</p>
      <ul className="space-y-1">
        {ways.map(({ from, to }) => (
          <li key={`${from}-${to}`}>
            <Link className="text-link" to={`${href('/dashboard/audit/export')}?${exportQuery({ kind: 'log', from, until: to })}`}>
              {t('checkpoints.export.stretch', { from: formats.number(from), to: formats.number(to) })}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

function VerifyStretches({ stretches, publicKey }: { stretches: LoadedCheckpoints['stretches']; publicKey: string }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const [newest, ...older] = stretches;
  if (newest === undefined) return null;
  const label = ({ from, to }: { from: number; to: number }) =>
    t('checkpoints.export.stretch', { from: formats.number(from), to: formats.number(to) });
  return (
    <>
      <h3 className="mb-3 font-semibold">{label(newest)}</h3>
      <VerifyPanel
        evidence={`${href('/dashboard/audit/evidence/log')}?from=${newest.from}`}
        file={`evidence-log-${newest.from}.json`}
        serverKey={publicKey}
      />
      {older.length === 0 ? null : (
        <ul className="mt-6 space-y-1">
          {older.map((stretch) => (
            <li key={stretch.from}>
              <a
                className="text-link"
                href={`${href('/dashboard/audit/evidence/log')}?from=${stretch.from}`}
                download={`evidence-log-${stretch.from}.json`}
              >
                {label(stretch)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
