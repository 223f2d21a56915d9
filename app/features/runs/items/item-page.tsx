import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { repetitionsOf } from '#app/components/drawing/step-presentation.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { DrawnValueView } from '#app/components/value/drawn-value-view.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { itemAddress, itemsAddress } from '#app/features/runs/items/item-address.ts';
import type { LoadedItem } from '#app/features/runs/items/load-items.server.ts';
import { StepPanel } from '#app/features/runs/panel/step-panel.tsx';
import { RunTrace } from '#app/features/runs/trace/run-trace.tsx';
import { PANEL_CLOSED, traceAddress, valueAddresses } from '#app/features/runs/trace/trace-place.ts';
import { TraceWorkbench } from '#app/features/runs/trace/trace-workbench.tsx';
import { valueAddress } from '#app/features/runs/value-address.ts';
import { usePartialTexts } from '#app/features/runs/writing/use-partial-texts.ts';
import { WritingNow } from '#app/features/runs/writing/writing-now.tsx';

/** One item or round of a loop: its state, its steps over time, and beside them one of them, or the result. */
export function ItemPage({ run, loop, item, trace, place, selected, texts }: LoadedItem) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const what = repetitionsOf(loop.kind);
  const title = t(`repeated.${what}.itemTitle`, { number: format.number(item.index + 1), name: loop.name });
  const base = itemAddress(run.id, item.path);
  const writing = usePartialTexts(run.id, !run.over, texts, item.path).filter(
    ({ path }) => selected === null || `${path}/`.startsWith(`${selected.path}/`),
  );
  return (
    <PageFrame
      title={title}
      wide
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/runs') },
        { label: format.runName(run), to: href('/dashboard/runs/:run', { run: run.id }) },
        { label: loop.name, to: itemsAddress(run.id, loop.path) },
      ]}
    >
      <div className="grid gap-6">
        <p className="text-lg" role="status">
          <StatusWord status={item.status} />
        </p>
        {item.error === null ? null : (
          <Notice kind="danger" title={t(`repeated.${what}.failedTitle`)}>
            <ExplanationText explanation={item.error} />
          </Notice>
        )}
      </div>
      <TraceWorkbench
        selected={selected}
        whole={t('run.result')}
        closed={traceAddress(base, { ...place, step: null, ...PANEL_CLOSED })}
        picture={null}
        trace={<RunTrace trace={trace} place={place} base={base} />}
        panel={
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <WritingNow texts={writing} />
            {selected !== null ? (
              <StepPanel step={selected} run={run.id} place={place} base={base} againFrom={null} proof={null} />
            ) : (
              <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
                <h2 className="text-lg font-semibold">{t('run.result')}</h2>
                {item.output === null ? (
                  <p className="text-muted">{t('panel.noResult')}</p>
                ) : (
                  <DrawnValueView
                    value={item.output}
                    label={t('run.result')}
                    file={valueAddress(run.id, 'output', item.path)}
                    {...valueAddresses(base, place, 'output')}
                  />
                )}
              </div>
            )}
          </div>
        }
      />
    </PageFrame>
  );
}
