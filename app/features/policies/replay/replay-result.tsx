import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FigureList } from '#app/components/data/figures/figure-list.tsx';
import { KeyPaging } from '#app/components/data/key-paging.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { Amounts } from '#app/domain/audit/replay.ts';
import { currencyFormat } from '#app/domain/workflows/fields/money.ts';
import type { ShownChange, ShownReplay } from '#app/features/policies/replay/read-replay.server.ts';

/** The findings of a replay so far: in all, by verdict, and run by run. */
export function ReplayResult({
  replay,
  changes,
  url,
  next,
}: {
  replay: ShownReplay;
  changes: readonly ShownChange[];
  url: string;
  next: string | null;
}) {
  const { t } = useTranslation('policies');
  const formats = useFormats();
  const isOver = replay.status === 'completed';
  return (
    <>
      <FigureList
        label={t('replay.figures')}
        items={[
          { term: t('replay.runs'), value: formats.number(replay.runs), definition: t('replay.runsText') },
          { term: t('replay.decided'), value: formats.number(replay.decided), definition: t('replay.decidedText') },
          { term: t('replay.changes'), value: formats.number(replay.changed), definition: t('replay.changesText') },
          { term: t('replay.changedRuns'), value: formats.number(replay.changedRuns), definition: t('replay.changedRunsText') },
          { term: t('replay.unreadable'), value: formats.number(replay.unreadable), definition: t('replay.unreadableText') },
        ]}
      />
      {replay.totals.length === 0 ? null : <Totals replay={replay} />}
      {changes.length === 0 && !isOver ? null : (
        <Section title={t('replay.changed')}>
          {changes.length === 0 ? null : (
            <a
              className={buttonClass('secondary', 'small', 'mb-4')}
              href={`${href('/dashboard/tables/:list', { list: 'replay' })}?of=${replay.id}`}
              download
            >
              {t('replay.csv')}
            </a>
          )}
          <Changes changes={changes} />
          <KeyPaging url={url} next={next} />
        </Section>
      )}
    </>
  );
}

function Totals({ replay: { totals } }: { replay: ShownReplay }) {
  const { t } = useTranslation('policies');
  const { number } = useFormats();
  const moneyText = useMoneyText();
  return (
    <Section title={t('replay.totals')} description={t('replay.totalsText')}>
      <DataTable
        caption={t('replay.totals')}
        rows={totals}
        rowKey={({ was, would }) => `${was} ${would}`}
        empty={null}
        columns={[
          { key: 'was', header: t('replay.was'), cell: ({ was }) => <StatusWord status={was} /> },
          { key: 'would', header: t('replay.would'), cell: ({ would }) => <StatusWord status={would} /> },
          { key: 'decisions', header: t('replay.decisions'), align: 'end', cell: ({ decisions }) => number(decisions) },
          { key: 'runs', header: t('replay.runs'), align: 'end', cell: ({ runs }) => number(runs) },
          { key: 'money', header: t('replay.money'), align: 'end', cell: ({ money }) => moneyText(money) },
        ]}
      />
    </Section>
  );
}

function Changes({ changes }: { changes: readonly ShownChange[] }) {
  const { t } = useTranslation('policies');
  const { runName } = useFormats();
  const moneyText = useMoneyText();
  return (
    <DataTable
      caption={t('replay.changed')}
      rows={changes}
      rowKey={({ id }) => id}
      empty={<EmptyState title={t('replay.same')} description={t('replay.sameText')} />}
      columns={[
        {
          key: 'run',
          header: t('replay.run'),
          cell: ({ run }) => (
            <Link to={href('/dashboard/runs/:run', { run: run.id })} className="text-link block min-w-40">
              <bdi>{runName(run)}</bdi>
            </Link>
          ),
        },
        {
          key: 'what',
          header: t('replay.call'),
          cell: ({ id, capability }) => (
            <Link to={href('/dashboard/ai-reasoning/:decision', { decision: id })} className="text-link">
              <bdi>{capability}</bdi>
            </Link>
          ),
        },
        { key: 'was', header: t('replay.was'), cell: ({ was }) => <StatusWord status={was} /> },
        { key: 'would', header: t('replay.would'), cell: ({ would }) => <StatusWord status={would} /> },
        { key: 'money', header: t('replay.money'), align: 'end', cell: ({ money }) => moneyText(money) },
        {
          key: 'reason',
          header: t('replay.reason'),
          minor: true,
          cell: ({ reason }) => (
            <span className="block min-w-64">
              <ExplanationText explanation={reason} />
            </span>
          ),
        },
        { key: 'at', header: t('replay.at'), align: 'end', cell: ({ at }) => <RelativeTime at={at} /> },
      ]}
    />
  );
}

/** Amounts as the reader writes them; a dash where a call was about none. */
function useMoneyText(): (money: Amounts) => string {
  const { number, list } = useFormats();
  return (money) => {
    const amounts = Object.entries(money).map(([currency, amount]) => number(amount, currencyFormat(currency)));
    return amounts.length === 0 ? '–' : list(amounts);
  };
}
