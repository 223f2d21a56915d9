import { data, type RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Member } from '#app/contracts/principals.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { NO_TOTALS } from '#app/domain/runs/figures.ts';
import { suggest } from '#app/domain/runs/suggestions.ts';
import { readWindow } from '#app/domain/runs/time-window.ts';
import { PROCESS_TOTALS, readTotalsBefore } from '#app/engine/figures/read-cost.ts';
import { askEndedSteps, stepTimes } from '#app/engine/figures/read-step-times.ts';
import { readSuggestionEvidence } from '#app/engine/figures/read-suggestion-evidence.ts';
import { partOf, type RunScope } from '#app/engine/figures/run-scope.ts';

type Asked = { url: URL; context: Readonly<RouterContextProvider> };

const SHOWN = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The time that each step of the window's runs took. */
export async function loadProcessIntelligence({ url, context }: Asked) {
  const { member, read } = context.get(memberContext);
  const { window, choice, valid } = readWindow(url.searchParams, context.get(servicesContext).now(), '30d');
  const wanted = url.searchParams.get('workflow') ?? '';
  const workflow = UUID.test(wanted) ? wanted : '';
  const only = workflow === '' ? null : workflow;
  // Side by side, for either takes its time on a long past.
  const [{ looked, workflows }, before] = await Promise.all([
    read(async (db) => ({
      looked: await askEndedSteps(db, scopeOf(member), window, { steps: stepTimes(SHOWN), totals: PROCESS_TOTALS }, only),
      workflows: await db
        .selectFrom('quorate.artifacts')
        .select(['id', 'name'])
        .where('workspace_id', '=', member.workspace.id)
        .where('kind', 'in', ['workflow', 'gateway'])
        .where('deleted_at', 'is', null)
        .orderBy('name')
        .limit(500)
        .execute(),
    })),
    read((db) => readTotalsBefore(db, scopeOf(member), window, only)),
  ]);
  const part = partOf({ counted: 0, lookedInto: looked.runs });
  return data(
    {
      ...inReadersLanguage(context, { workflows, steps: looked.steps }),
      totals: { now: looked.totals[0] ?? NO_TOTALS, before },
      workflow,
      window: { choice, valid, from: window.from.toISOString(), until: window.until.toISOString(), part },
    },
    { status: valid ? 200 : 400 },
  );
}
export type LoadedProcessIntelligence = Awaited<ReturnType<typeof loadProcessIntelligence>>['data'];

/** Suggestions from the runs of the window. */
export async function loadProcessOptimization({ url, context }: Asked) {
  const { member, read } = context.get(memberContext);
  const { window, choice, valid } = readWindow(url.searchParams, context.get(servicesContext).now(), '30d');
  const evidence = await readSuggestionEvidence(read, scopeOf(member), window);
  return data(
    {
      suggestions: inReadersLanguage(context, suggest(evidence)),
      looked: {
        steps: evidence.steps.reduce((sum, step) => sum + step.count, 0),
        approvals: evidence.approvals.reduce((sum, row) => sum + row.approved + row.refused, 0),
      },
      window: {
        choice,
        valid,
        from: window.from.toISOString(),
        until: window.until.toISOString(),
        part: partOf({ counted: 0, lookedInto: evidence.runs }),
      },
    },
    { status: valid ? 200 : 400 },
  );
}
export type LoadedProcessOptimization = Awaited<ReturnType<typeof loadProcessOptimization>>['data'];

const scopeOf = (member: Member): RunScope => ({
  workspaceId: member.workspace.id,
  own: can(member.roles, 'seeAllRuns') ? null : member.userId,
});
