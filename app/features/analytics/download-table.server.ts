import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { errorRate, ratio, successRate } from '#app/domain/runs/figures.ts';
import { readWindow, type TimeWindow } from '#app/domain/runs/time-window.ts';
import { type CsvValue, writeCsv } from '#app/engine/documents/write-csv.ts';
import { AGENT_FIGURES, ERROR_CAUSES } from '#app/engine/figures/read-breakdowns.ts';
import { MODEL_COSTS } from '#app/engine/figures/read-cost.ts';
import { readRunFigures } from '#app/engine/figures/read-runs.ts';
import { askEndedSteps, stepTimes } from '#app/engine/figures/read-step-times.ts';
import type { RunScope } from '#app/engine/figures/run-scope.ts';

const MOST_STEPS = 5_000;

type Table = { header: string[]; rows: CsvValue[][] };

/**
 * The tables of the analytics pages. Their columns are named for machines, the same in every language; times are milliseconds, ratios 0 to 1. `workflowId`: figures of
 * steps can be those of one workflow alone.
 */
const TABLES: Record<string, (db: Db, scope: RunScope, window: TimeWindow, workflowId: string | null) => Promise<Table>> = {
  async time(db, scope, window) {
    const { series: rows } = await readRunFigures(db, scope, window, window.unit);
    return {
      header: ['from', 'started', 'completed', 'failed', 'mean_active_ms'],
      rows: rows.map((row) => [row.at, row.started, row.completed, row.failed, rounded(row.responseMs)]),
    };
  },
  async workflows(db, scope, window) {
    const { workflows: rows } = await readRunFigures(db, scope, window, null);
    return {
      header: [
        'workflow_id',
        'workflow',
        'started',
        'completed',
        'failed',
        'cancelled',
        'success_rate',
        'error_rate',
        'mean_active_ms',
        'mean_waiting_ms',
      ],
      rows: rows.map((row) => [
        row.id,
        row.name,
        row.started,
        row.completed,
        row.failed,
        row.cancelled,
        successRate(row),
        errorRate(row),
        rounded(ratio(row.activeMs, row.completed)),
        rounded(ratio(row.waitingMs, row.completed)),
      ]),
    };
  },
  async agents(db, scope, window, workflowId) {
    const { rows } = await askEndedSteps(db, scope, window, { rows: AGENT_FIGURES }, workflowId);
    return {
      header: ['agent_id', 'agent', 'calls', 'errors', 'median_active_ms', 'p95_active_ms'],
      rows: rows.map((row) => [row.id, row.name, row.calls, row.errors, rounded(row.medianMs), rounded(row.p95Ms)]),
    };
  },
  async steps(db, scope, window, workflowId) {
    const { rows } = await askEndedSteps(db, scope, window, { rows: stepTimes(MOST_STEPS) }, workflowId);
    return {
      header: [
        'workflow_id',
        'workflow',
        'path',
        'step',
        'kind',
        'count',
        'errors',
        'retried',
        'median_active_ms',
        'p95_active_ms',
        'active_ms',
        'waiting_ms',
        'tokens_in',
        'tokens_out',
        'cost_micro_usd',
      ],
      rows: rows.map((row) => [
        row.workflowId,
        row.workflow,
        row.path,
        row.name,
        row.kind,
        row.count,
        row.errors,
        row.retried,
        rounded(row.medianMs),
        rounded(row.p95Ms),
        rounded(row.activeMs),
        rounded(row.waitingMs),
        row.tokensIn,
        row.tokensOut,
        rounded(row.costMicros),
      ]),
    };
  },
  async models(db, scope, window, workflowId) {
    const { rows } = await askEndedSteps(db, scope, window, { rows: MODEL_COSTS }, workflowId);
    return {
      header: ['model_id', 'model', 'connection', 'calls', 'tokens_in', 'tokens_out', 'cost_micro_usd', 'calls_without_price'],
      rows: rows.map((row) => [
        row.id,
        row.name,
        row.connection,
        row.calls,
        row.tokensIn,
        row.tokensOut,
        rounded(row.costMicros),
        row.unpriced,
      ]),
    };
  },
  async errors(db, scope, window, workflowId) {
    const { rows } = await askEndedSteps(db, scope, window, { rows: ERROR_CAUSES }, workflowId);
    return {
      header: ['cause', 'workflow_id', 'workflow', 'step', 'failed_steps', 'runs', 'last_run_id'],
      rows: rows.map((row) => [row.key, row.workflowId, row.workflow, row.step, row.steps, row.runs, row.lastRun]),
    };
  },
};

/** One table of a window as a file, as far as the member may see the runs. */
export async function downloadTable({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }): Promise<Response> {
  const { member, read } = context.get(memberContext);
  const name = url.searchParams.get('table') ?? '';
  const { window, valid } = readWindow(url.searchParams, context.get(servicesContext).now(), '7d');
  const make = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined;
  if (make === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const workflow = url.searchParams.get('workflow') ?? '';
  if (!valid || (workflow !== '' && !z.uuid().safeParse(workflow).success)) throw data({ code: 'invalid_input' }, { status: 400 });
  const scope = { workspaceId: member.workspace.id, own: can(member.roles, 'seeAllRuns') ? null : member.userId };
  const { header, rows } = await read((db) => make(db, scope, window, workflow === '' ? null : workflow));
  const stretch = `${window.from.toISOString().slice(0, 10)}-${window.until.toISOString().slice(0, 10)}`;
  return new Response(writeCsv(header, rows), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="quorate-${name}-${stretch}.csv"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}
