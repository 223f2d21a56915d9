import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { CodeBlock } from '#app/components/value/copy/copied.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import type { LoadedProof, WatcherState } from '#app/features/audit/proof/load-proof.server.ts';
import { ProofForm } from '#app/features/audit/proof/proof-form.tsx';
import { VerifierLinks } from '#app/features/audit/verifier-links.tsx';

/** Who watches the log from outside, what each said last, and what is wrong. */
export function ProofPage({ loaded, lastResult }: { loaded: LoadedProof; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const { witnesses, authority, settings, policy, address, mayConfigure } = loaded;
  const needed = { quorum: formats.number(settings.quorum), all: formats.number(witnesses.length) };
  return (
    <PageFrame
      title={t('proof.title')}
      description={t('proof.description')}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/audit') }]}
    >
      <Verdict loaded={loaded} />
      <Section title={t('proof.head.title')}>
        <Head loaded={loaded} />
      </Section>
      <Section
        title={t('proof.witnesses.title')}
        {...(settings.quorum === 0 ? {} : { description: t('proof.witnesses.description', needed) })}
      >
        <DataTable
          caption={t('proof.witnesses.title')}
          rows={witnesses}
          rowKey={(row) => row.name}
          empty={<EmptyState title={t('proof.witnesses.none')} description={t('proof.witnesses.noneText')} />}
          columns={[
            { key: 'name', header: t('proof.witnesses.name'), cell: (row) => <bdi className="wrap-anywhere">{row.name}</bdi> },
            { key: 'state', header: t('proof.witnesses.state'), cell: (row) => <LastWord state={row} /> },
            { key: 'size', header: t('proof.witnesses.size'), align: 'end', cell: (row) => <Size size={row.size} /> },
            {
              key: 'at',
              header: t('proof.witnesses.signedAt'),
              cell: (row) => (row.signedAt === null ? '–' : <RelativeTime at={row.signedAt} />),
            },
          ]}
        />
      </Section>
      <Section title={t('proof.stamps.title')} description={t('proof.stamps.description')}>
        {authority === null ? <p className="text-muted">{t('proof.stamps.none')}</p> : <Authority state={authority} />}
      </Section>
      <Section title={t('proof.outside.title')} description={t('proof.outside.description')}>
        <CodeBlock code={policy} name={t('proof.outside.policy')} />
        <div className="mt-4">
          <VerifierLinks />
        </div>
        <p className="mt-4 max-w-measure">{settings.tiles ? t('proof.outside.open') : t('proof.outside.closed')}</p>
        <div className="mt-2">
          <CodeBlock code={`${address}/checkpoint`} name={t('proof.outside.address')} />
        </div>
      </Section>
      {mayConfigure ? (
        <Section title={t('proof.form.title')} description={t('proof.form.description')}>
          <ProofForm loaded={loaded} lastResult={lastResult} />
        </Section>
      ) : null}
    </PageFrame>
  );
}

/** The one sentence that an auditor looks for. */
function Verdict({ loaded: { witnesses, authority, settings, newest, witnessedSize } }: { loaded: LoadedProof }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const disagrees = witnesses.filter(({ fault }) => fault === 'disagrees');
  if (disagrees.length > 0)
    return (
      <Notice kind="danger" title={t('proof.verdict.disagrees', { names: disagrees.map(({ name }) => name).join(', ') })}>
        {t('proof.verdict.disagreesText')}
      </Notice>
    );
  if (settings.quorum === 0)
    return (
      <Notice kind="info" title={t('proof.verdict.alone')}>
        {t('proof.verdict.aloneText')}
      </Notice>
    );
  const failing = [...witnesses, ...(authority === null ? [] : [authority])].some(({ fault }) => fault !== null);
  if (witnessedSize === null || newest === null) return <Notice kind="attention" title={t('proof.verdict.notYet')} />;
  const values = { size: formats.number(witnessedSize), of: formats.number(newest.size) };
  return <Notice kind={failing ? 'attention' : 'ok'} title={t(failing ? 'proof.verdict.failing' : 'proof.verdict.witnessed', values)} />;
}

function Head({ loaded: { newest } }: { loaded: LoadedProof }) {
  const { t } = useTranslation('audit');
  if (newest === null) return <EmptyState title={t('checkpoints.empty.title')} description={t('checkpoints.empty.description')} />;
  return (
    <DescriptionList
      items={[
        { term: t('checkpoints.size'), description: <Size size={newest.size} /> },
        { term: t('checkpoints.signedAt'), description: <RelativeTime at={newest.signedAt} /> },
        { term: t('checkpoints.root'), description: <Digest value={newest.root} /> },
      ]}
    />
  );
}

function Size({ size }: { size: number | null }) {
  const formats = useFormats();
  return <span className="tabular-nums">{size === null ? '–' : formats.number(size)}</span>;
}

function Authority({ state }: { state: WatcherState }) {
  const { t } = useTranslation('audit');
  return (
    <DescriptionList
      items={[
        { term: t('proof.stamps.address'), description: <bdi className="wrap-anywhere">{state.address}</bdi> },
        { term: t('proof.witnesses.state'), description: <LastWord state={state} /> },
        { term: t('proof.stamps.size'), description: <Size size={state.size} /> },
        { term: t('proof.stamps.at'), description: state.signedAt === null ? '–' : <RelativeTime at={state.signedAt} /> },
      ]}
    />
  );
}

function LastWord({ state: { fault, askedAt } }: { state: WatcherState }) {
  const { t } = useTranslation('audit');
  if (askedAt === null) return <span className="text-muted">{t('proof.word.notAsked')}</span>;
  if (fault === null) return <span className="text-ok-ink">{t('proof.word.signed')}</span>;
  return (
    <span className={fault === 'disagrees' || fault === 'badAnswer' ? 'font-semibold text-danger-ink' : 'text-attention-ink'}>
      {t(`proof.word.${fault}`)}
    </span>
  );
}
