import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Paging } from '#app/components/data/paging.tsx';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { branchWords, STEP_PRESENTATIONS } from '#app/components/drawing/step-presentation.ts';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { DryNote } from '#app/features/runs/dry-note.tsx';
import { ItemCounts } from '#app/features/runs/items/item-counts.tsx';
import type { Trace, TraceRow } from '#app/features/runs/trace/trace.ts';
import { PANEL_CLOSED, PANEL_ID, type TracePlace, traceAddress } from '#app/features/runs/trace/trace-place.ts';

type Props = { trace: Trace; place: TracePlace; base: string };

/** The steps of a run as rows of a tree, each with its bar over time. Where it is narrow, the cells of a row stand below each other. */
export function TraceTable({ trace, place, base }: Props) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const { rows, breaks, has } = trace;
  return (
    <>
      <TraceChoices trace={trace} place={place} base={base} />
      {rows.length === 0 ? (
        <EmptyPart
          title={t('trace.noErrors')}
          action={
            <Link
              to={traceAddress(base, { ...place, errors: false, page: null })}
              preventScrollReset
              className="text-link inline-block py-0.5"
            >
              {t('trace.allSteps', { number: format.number(trace.steps) })}
            </Link>
          }
        />
      ) : (
        <ScrollGroup label={t('trace.title')} className="trace overflow-x-auto rounded-lg border border-line bg-surface">
          <table className="trace-table" style={cutShort(trace)}>
            <caption className="sr-only">{t('trace.caption')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('trace.stepColumn')}</th>
                <th scope="col">{t('list.status')}</th>
                <th scope="col" className="trace-figure">
                  {t('trace.duration')}
                </th>
                {has.tokens && (
                  <th scope="col" className="trace-figure">
                    {t('usage.tokens')}
                  </th>
                )}
                {has.cost && (
                  <th scope="col" className="trace-figure">
                    {t('usage.cost')}
                  </th>
                )}
                <th scope="col" className="trace-figure">
                  {t('step.attempts')}
                </th>
                <th scope="col" className="trace-axis">
                  <span className="sr-only">{t('trace.time')}</span>
                  <Ticks ticks={trace.ticks} />
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={row.path} row={row} has={has} current={row.path === place.step} base={base} place={place} />
              ))}
            </tbody>
          </table>
        </ScrollGroup>
      )}
      {breaks.length === 0 ? null : (
        <p className="mt-2 text-sm text-muted">{t('trace.cut', { times: format.list(breaks.map(({ ms }) => format.duration(ms))) })}</p>
      )}
      <Paging
        page={trace.page}
        pageCount={trace.pageCount}
        url={traceAddress(base, { ...place, step: null, page: null, ...PANEL_CLOSED })}
      />
    </>
  );
}

/** Choices of rows and of the axis. */
function TraceChoices({ trace, place, base }: Props) {
  const { t } = useTranslation('runs');
  const { number } = useFormats();
  const choices: { label: string; place: Partial<TracePlace>; on: boolean }[] = [
    ...(trace.errors === 0 && !place.errors
      ? []
      : [
          { label: t('trace.allSteps', { number: number(trace.steps) }), place: { errors: false, page: null }, on: !place.errors },
          { label: t('trace.errorsOnly', { number: number(trace.errors) }), place: { errors: true, page: null }, on: place.errors },
        ]),
    ...(trace.breakable
      ? [
          { label: t('trace.cutScale'), place: { trueScale: false }, on: !place.trueScale },
          { label: t('trace.trueScale'), place: { trueScale: true }, on: place.trueScale },
        ]
      : []),
  ];
  if (choices.length === 0) return null;
  return (
    <nav aria-label={t('trace.show')} className="mb-3">
      <ul className="flex flex-wrap gap-2">
        {choices.map(({ label, place: part, on }) => (
          <li key={label}>
            <Link
              to={traceAddress(base, { ...place, ...part })}
              preventScrollReset
              className={buttonClass(on ? 'primary' : 'secondary', 'small')}
              {...(on ? { 'aria-current': 'true' as const } : {})}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The stretches that are cut short, behind all rows. */
function cutShort({ breaks }: Trace): CSSProperties {
  if (breaks.length === 0) return {};
  const percent = (share: number) => `${(share * 100).toFixed(2)}%`;
  const stops = breaks.map(
    ({ from, to }) => `transparent ${percent(from)},var(--line) ${percent(from)},var(--line) ${percent(to)},transparent ${percent(to)}`,
  );
  return variables({ breaks: `linear-gradient(var(--trace-end),${stops.join(',')})` });
}

function Ticks({ ticks }: { ticks: Trace['ticks'] }) {
  const format = useFormats();
  return (
    <span aria-hidden="true" className="trace-ticks">
      {ticks.map((at, tick) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place
        <span key={tick}>{at === null ? '…' : format.duration(at)}</span>
      ))}
    </span>
  );
}

type RowProps = { row: TraceRow; has: Trace['has']; current: boolean; base: string; place: TracePlace };

function Row({ row, has, current, base, place }: RowProps) {
  const { t } = useTranslation('runs');
  const { t: flow } = useTranslation('flow');
  const format = useFormats();
  const { icon: Icon, kind } = STEP_PRESENTATIONS[row.kind];
  return (
    <tr data-current={current || undefined}>
      <th scope="row" style={variables({ depth: row.depth })}>
        <span className="trace-name">
          <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" strokeWidth={1.75} />
          <span className="min-w-0">
            <a
              href={`${traceAddress(base, { ...place, step: row.path, ...PANEL_CLOSED })}#${PANEL_ID}`}
              data-path={row.path}
              className="trace-link"
              aria-current={current ? 'true' : undefined}
            >
              <span className="sr-only">{kind(flow)}: </span>
              <bdi>{row.name}</bdi>
            </a>{' '}
            {row.branch !== null && row.around !== null && (
              <span className="ms-2 rounded-full border border-line px-1.5 text-xs font-normal text-muted">
                <bdi>{branchWords(row.around, { label: row.branch }, flow)}</bdi>
              </span>
            )}
            {row.around !== null && <span className="sr-only"> {t('trace.inside', { step: row.around.name })}</span>}
            {row.dry !== null && (
              <span className="block text-xs font-normal text-muted">
                <DryNote dry={row.dry} />
              </span>
            )}
            {row.dryReason !== null && (
              <span className="block text-xs font-normal text-muted">
                <ExplanationText explanation={row.dryReason} />
              </span>
            )}
            {row.items !== null && (
              <span className="block text-xs font-normal text-muted">
                <ItemCounts kind={row.kind} items={row.items} />
              </span>
            )}
          </span>
        </span>
      </th>
      <td>
        <StatusWord status={row.status} />
      </td>
      <td className="trace-figure">
        {row.activeMs !== null && format.duration(row.activeMs)}
        {row.waitedMs > 0 && (
          <>
            {row.activeMs === null && <span aria-hidden="true">{format.duration(row.waitedMs)}</span>}
            <span className="sr-only"> {t('trace.waited', { time: format.duration(row.waitedMs) })}</span>
          </>
        )}
      </td>
      {has.tokens && <Figure label={t('usage.tokens')}>{row.tokens !== null && format.number(row.tokens)}</Figure>}
      {has.cost && <Figure label={t('usage.cost')}>{row.costMicros !== null && format.money(row.costMicros)}</Figure>}
      <Figure label={t('step.attempts')} plain={row.attempt === 1}>
        {format.number(row.attempt)}
      </Figure>
      <td className="trace-axis">
        <Bar row={row} />
      </td>
    </tr>
  );
}

/** `plain`: as in most rows, so that it is left out where there is little room. */
function Figure({ label, plain = false, children }: { label: string; plain?: boolean; children: ReactNode }) {
  return (
    <td className="trace-figure trace-more" data-label={label} data-plain={plain || undefined}>
      {children}
    </td>
  );
}

function Bar({ row }: { row: TraceRow }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  if (row.span === null || row.startMs === null) return <span className="trace-track" />;
  return (
    <span className="trace-track">
      <span className="sr-only">{t('trace.startedAfter', { time: format.duration(row.startMs) })}</span>
      <span aria-hidden="true" className="trace-bar" data-bar={row.bar} data-status={row.status} style={spanned(row.span)} />
      {row.waits.map((wait) => (
        <span key={wait[0]} aria-hidden="true" className="trace-wait" style={spanned(wait)} />
      ))}
    </span>
  );
}

const spanned = ([from, to]: [number, number]) => variables({ s: from, e: to });

function variables(values: Record<string, number | string>): CSSProperties {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`--${name}`, value]));
}
