import { data, type RouterContextProvider } from 'react-router';
import { NO_TOTALS, type ProcessTotals } from '#app/domain/figures.ts';
import { may } from '#app/domain/roles.ts';
import { readWindow, type TimeWindow } from '#app/domain/time-window.ts';
import type { Db } from '#app/engine/db.ts';
import { AGENT_FIGURES, ERROR_CAUSES, readPercentiles, readSeries, readWorkflowFigures } from '#app/engine/figures/read-breakdowns.ts';
import { costOverTime, MODEL_COSTS, PROCESS_TOTALS, WORKFLOW_COSTS } from '#app/engine/figures/read-cost.ts';
import { readFigures } from '#app/engine/figures/read-figures.ts';
import { askEndedSteps, slowestSteps, stepTimes } from '#app/engine/figures/read-step-times.ts';
import { partOf, type RunScope } from '#app/engine/figures/run-scope.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

type Asked = { url: URL; context: Readonly<RouterContextProvider> };

/**
 * A window's figures: what runs say and what their steps say, side by side, since either takes its time on a long past. A plain user sees
 * those of their own runs: the database sees to that.
 */
async function readOver<R extends { series: readonly { started: number }[] }, S extends { looked: { runs: number } }>(
  { url, context }: Asked,
  ofRuns: (db: Db, scope: RunScope, window: TimeWindow) => Promise<R>,
  ofSteps: (db: Db, scope: RunScope, window: TimeWindow) => Promise<S>,
) {
  const { member, read } = context.get(memberContext);
  const { window, choice, valid } = readWindow(url.searchParams, context.get(servicesContext).now(), '7d');
  const seesAll = may(member.roles, 'seeAllRuns');
  const scope = { workspaceId: member.workspace.id, own: seesAll ? null : member.userId };
  const [runs, { looked, ...steps }] = await Promise.all([
    read((db) => ofRuns(db, scope, window)),
    read((db) => ofSteps(db, scope, window)),
  ]);
  const part = partOf({ counted: runs.series.reduce((sum, point) => sum + point.started, 0), lookedInto: looked.runs });
  const shown = { choice, valid, from: window.from.toISOString(), until: window.until.toISOString(), part };
  return { found: { ...runs, ...steps, seesAll, unit: window.unit, window: shown }, answer: { status: valid ? 200 : 400 } };
}

export async function loadBasicAnalytics(asked: Asked) {
  const { found, answer } = await readOver(
    asked,
    async (db, scope, window) => ({
      figures: await readFigures(db, scope, window),
      series: await readSeries(db, scope, window),
      workflows: (await readWorkflowFigures(db, scope, window)).slice(0, SHOWN),
    }),
    async (db, scope, window) => {
      const looked = await askEndedSteps(db, scope, window, {
        steps: stepTimes(SHOWN),
        agents: AGENT_FIGURES,
        totals: PROCESS_TOTALS,
        spent: WORKFLOW_COSTS,
      });
      return {
        looked,
        spent: new Map(looked.spent.map(({ id, costMicros }) => [id, costMicros])),
        agents: looked.agents.slice(0, SHOWN),
        steps: looked.steps,
        cost: await compareCost(db, scope, window, looked.totals),
      };
    },
  );
  const { spent, workflows, ...shown } = found;
  return data({ ...shown, workflows: workflows.map((row) => ({ ...row, costMicros: spent.get(row.id) ?? null })) }, answer);
}
export type LoadedBasicAnalytics = Awaited<ReturnType<typeof loadBasicAnalytics>>['data'];

export async function loadAdvancedAnalytics(asked: Asked) {
  const { found, answer } = await readOver(
    asked,
    async (db, scope, window) => ({
      percentiles: {
        now: await readPercentiles(db, scope, window),
        before: await readPercentiles(db, scope, { ...window, from: window.before, until: window.from }),
      },
      series: await readSeries(db, scope, window),
    }),
    async (db, scope, window) => {
      const looked = await askEndedSteps(db, scope, window, {
        steps: slowestSteps(SLOWEST),
        causes: ERROR_CAUSES,
        totals: PROCESS_TOTALS,
        models: MODEL_COSTS,
        spent: costOverTime(window.unit),
      });
      return {
        looked,
        spent: new Map(looked.spent.map(({ at, costMicros }) => [at, costMicros])),
        cost: await compareCost(db, scope, window, looked.totals),
        models: looked.models.slice(0, SHOWN),
        causes: looked.causes.slice(0, SHOWN),
        steps: looked.steps,
      };
    },
  );
  const { spent, series, ...shown } = found;
  return data({ ...shown, series: series.map((point) => ({ ...point, costMicros: spent.get(point.at) ?? 0 })) }, answer);
}
export type LoadedAdvancedAnalytics = Awaited<ReturnType<typeof loadAdvancedAnalytics>>['data'];

/** The totals of a window beside those of the window before it. */
async function compareCost(db: Db, scope: RunScope, window: TimeWindow, totals: readonly ProcessTotals[]) {
  const before = await askEndedSteps(db, scope, { from: window.before, until: window.from }, { totals: PROCESS_TOTALS });
  return { now: totals[0] ?? NO_TOTALS, before: before.totals[0] ?? NO_TOTALS };
}

const SLOWEST = 20;
/** Rows of a table on the page; all of them leave as CSV. */
const SHOWN = 50;
