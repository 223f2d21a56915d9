import { data, type RouterContextProvider } from 'react-router';
import { may } from '#app/domain/roles.ts';
import { readWindow, type TimeWindow } from '#app/domain/time-window.ts';
import type { Db } from '#app/engine/db.ts';
import {
  readAgentFigures,
  readErrorCauses,
  readPercentiles,
  readSeries,
  readWorkflowFigures,
} from '#app/engine/figures/read-breakdowns.ts';
import { readFigures } from '#app/engine/figures/read-figures.ts';
import { readStepTimes } from '#app/engine/figures/read-step-times.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

type Asked = { url: URL; context: Readonly<RouterContextProvider> };

/** One transaction for a window's figures. A plain user sees those of their own runs: the database sees to that. */
async function readOver<T>(
  { url, context }: Asked,
  work: (db: Db, workspaceId: string, window: TimeWindow, seesAll: boolean) => Promise<T>,
) {
  const { member, read } = context.get(memberContext);
  const { window, choice, valid } = readWindow(url.searchParams, context.get(servicesContext).now(), '7d');
  const seesAll = may(member.roles, 'seeAllRuns');
  const found = await read((db) => work(db, member.workspace.id, window, seesAll));
  const shown = { choice, valid, from: window.from.toISOString(), until: window.until.toISOString() };
  return data({ ...found, seesAll, unit: window.unit, window: shown }, { status: valid ? 200 : 400 });
}

export function loadBasicAnalytics(asked: Asked) {
  return readOver(asked, async (db, workspaceId, window, seesAll) => ({
    figures: await readFigures(db, { workspaceId, seesAll }, window),
    series: await readSeries(db, workspaceId, window),
    workflows: await readWorkflowFigures(db, workspaceId, window),
    agents: await readAgentFigures(db, workspaceId, window),
    steps: await readStepTimes(db, workspaceId, window),
  }));
}
export type LoadedBasicAnalytics = Awaited<ReturnType<typeof loadBasicAnalytics>>['data'];

export function loadAdvancedAnalytics(asked: Asked) {
  return readOver(asked, async (db, workspaceId, window) => ({
    percentiles: {
      now: await readPercentiles(db, workspaceId, window),
      before: await readPercentiles(db, workspaceId, { ...window, from: window.before, until: window.from }),
    },
    series: await readSeries(db, workspaceId, window),
    causes: await readErrorCauses(db, workspaceId, window),
    steps: (await readStepTimes(db, workspaceId, window)).sort((a, b) => b.p95Ms - a.p95Ms).slice(0, SLOWEST),
  }));
}
export type LoadedAdvancedAnalytics = Awaited<ReturnType<typeof loadAdvancedAnalytics>>['data'];

const SLOWEST = 20;
