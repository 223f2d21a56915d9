import { href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission, can } from '#app/domain/people/roles.ts';
import { assessAgent } from '#app/engine/commands/agents/assess-agent.ts';
import { findAgent } from '#app/engine/inventory/find-agent.ts';
import { readAgentFacts } from '#app/engine/inventory/read-agent-facts.ts';
import { readVersions } from '#app/engine/inventory/read-assessments.ts';
import { assessmentSchema } from '#app/features/agents/assessment/assessment-schema.ts';
import { requireAgentId } from '#app/features/agents/load-agent.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

/** The assessment of an agent: the version that the address names, or what is known now for the next one. 404 for a version that there is not. */
export function loadAssessment(context: Context, agent: string, url: URL) {
  const { member, read } = context.get(memberContext);
  const now = context.get(servicesContext).now();
  assertPermission(member.roles, 'seeAllRuns');
  const asked = url.searchParams.get('version');
  return read(async (db) => {
    const found = await findAgent(db, member.workspace.id, requireAgentId(agent));
    const versions = await readVersions(db, member.workspace.id, found.id);
    const chosen = asked === null ? null : versions.find(({ number }) => String(number) === asked);
    if (chosen === undefined) throw new AppError('not_found');
    const [latest] = versions;
    return {
      id: found.id,
      name: found.name,
      mayKeep: can(member.roles, 'keepInventory'),
      seen: latest?.number ?? 0,
      answers: (chosen ?? latest)?.answers ?? null,
      facts: chosen?.facts ?? (await readAgentFacts(db, member.workspace.id, found, now)),
      chosen: chosen === null ? null : { number: chosen.number, by: chosen.by, at: chosen.at.toISOString() },
      versions: versions.map(({ number, by, at }) => ({ number, by, at: at.toISOString() })),
    };
  });
}
export type LoadedAssessment = Awaited<ReturnType<typeof loadAssessment>>;

/** Saves the next version. */
export async function assessAgentAction({ request, context, params }: { request: Request; context: Context; params: { agent: string } }) {
  const parsed = await parseForm(request, assessmentSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { seen, ...answers } = parsed.value;
  try {
    await performAsMember(context, assessAgent, { agent: params.agent, revision: seen, answers });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/agents/inventory/:agent/assessment', { agent: params.agent }), 'assessmentSaved');
}
