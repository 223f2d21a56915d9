import { data, type RouterContextProvider } from 'react-router';
import { deferPanel, loadPanel } from '#app/components/page/load-panel.server.ts';
import type { PanelValue } from '#app/components/page/panel-data.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { NO_TOTALS } from '#app/domain/runs/figures.ts';
import { readWindow, type TimeWindow } from '#app/domain/runs/time-window.ts';
import { AGENT_FIGURES, ERROR_CAUSES, readPercentiles } from '#app/engine/figures/read-breakdowns.ts';
import { costOverTime, MODEL_COSTS, PROCESS_TOTALS, readTotalsBefore, WORKFLOW_COSTS } from '#app/engine/figures/read-cost.ts';
import { readFigures } from '#app/engine/figures/read-figures.ts';
import { readRunFigures } from '#app/engine/figures/read-runs.ts';
import { askEndedSteps, slowestSteps, stepTimes } from '#app/engine/figures/read-step-times.ts';
import { partOf, type RunScope } from '#app/engine/figures/run-scope.ts';

type Asked = { request: Request; url: URL; context: Readonly<RouterContextProvider> };
type Reading<T> = (db: Db, scope: RunScope, window: TimeWindow) => Promise<T>;
type Ask = <T>(reading: Reading<T>) => Promise<T>;

/**
 * A window's figures: what runs say and what their steps say, side by side, since either takes its time on a long past. What runs say
 * stands `first` on the page and waits for nothing else; what is `below` comes behind it where scripts can put it into place. A plain user
 * sees figures of their own runs: the database sees to that.
 */
async function readOver<R extends { first: { series: readonly { started: number }[] } }, B>(
  { request, url, context }: Asked,
  runs: Reading<R>,
  below: (ask: Ask, runs: Promise<R>, window: TimeWindow) => Promise<B>,
) {
  const { member, read } = context.get(memberContext);
  const { window, choice, valid } = readWindow(url.searchParams, context.get(servicesContext).now(), '7d');
  const seesAll = can(member.roles, 'seeAllRuns');
  const scope = { workspaceId: member.workspace.id, own: seesAll ? null : member.userId };
  const ask: Ask = (reading) => read((db) => reading(db, scope, window));
  const asked = ask(runs);
  const panel = loadPanel(
    context,
    below(ask, asked, window).then((loaded) => inReadersLanguage(context, loaded)),
  );
  const { first }: { first: R['first'] } = await asked;
  const part = partOf({ counted: first.series.reduce((sum, point) => sum + point.started, 0), lookedInto: 0 });
  const shown = { choice, valid, from: window.from.toISOString(), until: window.until.toISOString(), part };
  const { data: rest } = await deferPanel(panel, request);
  return data({ ...first, below: rest, seesAll, unit: window.unit, window: shown }, { status: valid ? 200 : 400 });
}

export function loadBasicAnalytics(asked: Asked) {
  return readOver(
    asked,
    async (db, scope, window) => {
      const { runs, ...figures } = await readFigures(db, scope, window);
      return { first: { figures, series: runs.series }, workflows: runs.workflows };
    },
    async (ask, runs) => {
      const asks = { steps: stepTimes(SHOWN), agents: AGENT_FIGURES, totals: PROCESS_TOTALS, spent: WORKFLOW_COSTS };
      const [{ workflows }, looked, before] = await Promise.all([
        runs,
        ask((db, scope, window) => askEndedSteps(db, scope, window, asks)),
        ask(readTotalsBefore),
      ]);
      const spent = new Map(looked.spent.map(({ id, costMicros }) => [id, costMicros]));
      return {
        part: partOf({ counted: 0, lookedInto: looked.runs }),
        cost: { now: looked.totals[0] ?? NO_TOTALS, before },
        workflows: workflows.slice(0, SHOWN).map((row) => ({ ...row, costMicros: spent.get(row.id) ?? null })),
        agents: looked.agents.slice(0, SHOWN),
        steps: looked.steps,
      };
    },
  );
}
export type LoadedBasicAnalytics = Awaited<ReturnType<typeof loadBasicAnalytics>>['data'];
export type BasicBelow = PanelValue<LoadedBasicAnalytics['below']>;

export function loadAdvancedAnalytics(asked: Asked) {
  return readOver(
    asked,
    async (db, scope, window) => ({
      first: {
        percentiles: {
          now: await readPercentiles(db, scope, window),
          before: await readPercentiles(db, scope, { ...window, from: window.before, until: window.from }),
        },
        series: (await readRunFigures(db, scope, window, window.unit)).series,
      },
    }),
    async (ask, runs, { unit }) => {
      const asks = {
        steps: slowestSteps(SLOWEST),
        causes: ERROR_CAUSES,
        totals: PROCESS_TOTALS,
        models: MODEL_COSTS,
        spent: costOverTime(unit),
      };
      const [{ first }, looked, before] = await Promise.all([
        runs,
        ask((db, scope, window) => askEndedSteps(db, scope, window, asks)),
        ask(readTotalsBefore),
      ]);
      const spent = new Map(looked.spent.map(({ at, costMicros }) => [at, costMicros]));
      return {
        part: partOf({ counted: 0, lookedInto: looked.runs }),
        cost: { now: looked.totals[0] ?? NO_TOTALS, before },
        series: first.series.map((point) => ({ ...point, costMicros: spent.get(point.at) ?? 0 })),
        models: looked.models.slice(0, SHOWN),
        causes: looked.causes.slice(0, SHOWN),
        steps: looked.steps,
      };
    },
  );
}
export type LoadedAdvancedAnalytics = Awaited<ReturnType<typeof loadAdvancedAnalytics>>['data'];
export type AdvancedBelow = PanelValue<LoadedAdvancedAnalytics['below']>;

const SLOWEST = 20;
/** Rows of a table on the page; all of them leave as CSV. */
const SHOWN = 50;
