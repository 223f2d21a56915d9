import { sql } from 'kysely';
import { data, href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { attestedUntil, USUAL_MONTHS } from '#app/domain/audit/attestation.ts';
import { CONTROLS, type ControlId, EVIDENCE } from '#app/domain/audit/compliance.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { attestControl } from '#app/engine/commands/compliance/attest-control.ts';
import { attestSchema } from '#app/features/compliance/attest/attest-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;
const SHOWN = 20;

function requireControl(context: Context, name: string): ControlId {
  const control = CONTROLS.find((known) => known === name);
  if (control === undefined) throw data({ code: 'not_found' }, { status: 404 });
  assertPermission(context.get(memberContext).member.roles, 'attestControl');
  return control;
}

/** A control with what was attested of it so far. */
export async function loadAttest(context: Context, name: string) {
  const control = requireControl(context, name);
  const { member, read } = context.get(memberContext);
  const now = context.get(servicesContext).now();
  const { rows } = await read((db) =>
    sql<{ id: string; by: string | null; at: Date; note: string; months: number }>`
      select a.id, m.name as by, a.attested_at as at, a.note, a.months
      from quorate.attestations a left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.attested_by
      where a.workspace_id = ${member.workspace.id} and a.control = ${control} order by a.attested_at desc limit ${SHOWN}`.execute(db),
  );
  return {
    control,
    evidence: EVIDENCE[control],
    months: rows[0]?.months ?? USUAL_MONTHS[control],
    earlier: rows.map(({ at, months, ...row }) => {
      const until = attestedUntil(at, months);
      return { ...row, at: at.toISOString(), until: until.toISOString(), stale: until <= now };
    }),
  };
}
export type LoadedAttest = Awaited<ReturnType<typeof loadAttest>>;

/** Attests a control and goes back to the overview. */
export async function attestAction({ request, context, params }: { request: Request; context: Context; params: { control: string } }) {
  const control = requireControl(context, params.control);
  const parsed = await parseForm(request, attestSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  try {
    await performAsMember(context, attestControl, { control, ...parsed.value });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/policies/compliance'), 'controlAttested');
}
